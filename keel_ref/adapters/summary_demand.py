"""The text by which a summary is asked for, in our own words. Spec: CMP-090, CMP-095."""

from __future__ import annotations

from typing import Final

DEMAND: Final = """\
This conversation is about to be replaced by a summary that you write now. Whoever goes on will see your summary and \
nothing else of what was said, so it has to be enough to continue the work without asking again. Answer with text \
alone: call no tool, since no call will be carried out.

First think inside <analysis> tags: go through the conversation from its beginning to its end and note what was \
asked, what was done and what came of it. That draft is thrown away. Then write the summary inside <summary> tags. \
It has nine parts, each beginning on a line of its own with its number and name, such as "8. Current work:". Write \
"none" under a part that has nothing to say.

1. Request: what the user wants, in full, with every wish and limit that was named.
2. Concepts: the techniques, libraries and decisions that matter for the work.
3. Files and code: each file that was read, changed or created, with its path, why it matters, and the lines of code \
that have to be known literally.
4. Errors: each error that came up, how it was solved, and what the user said about it.
5. Problem solving: which problems are solved, and which are still being looked at.
6. User messages: everything the user wrote, results of tools aside, short ones literally.
7. Pending tasks: what was asked for and is not done.
8. Current work: what was being done when this message came, with files and code.
9. Next step: the one step that follows directly from the current work, and only if the user asked for it. Quote the \
words from which that can be seen.

Be exact where the work depends on it: paths, names, commands, numbers, error texts. Be short everywhere else."""
"""The one message of the call. No rule looks at it; the parts are those of `PARTS`."""
