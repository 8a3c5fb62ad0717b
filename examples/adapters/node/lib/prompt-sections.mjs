// The system prompt, section by section. [CTX-102]

const HEADING = /^ {0,3}#{1,6}(?=[ \t]|$)/;
const FENCE = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/s;

/** {name, text} of each section of one text. */
export function sectionsOf(text) {
  const sections = [{ name: '', text: '' }];
  let fence = null;
  for (const { whole, line } of linesOf(text)) {
    if (fence !== null) {
      if (isClosed(fence, line)) fence = null;
    } else if (HEADING.test(line)) sections.push({ name: nameOf(line), text: '' });
    else fence = openedBy(line);
    sections.at(-1).text += whole;
  }
  return sections[0].text === '' ? sections.slice(1) : sections;
}

/** Each line with its end, and without it. A CR that stands before a LF belongs to the end. */
function linesOf(text) {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  return lines.map((whole) => ({ whole, line: whole.replace(/\r?\n$/, '') }));
}

function openedBy(line) {
  const form = FENCE.exec(line);
  return form === null ? null : (form[1] ?? form[2]);
}

function isClosed(fence, line) {
  const form = /^ {0,3}(`+|~+)[ \t]*$/.exec(line);
  return form !== null && form[1][0] === fence[0] && form[1].length >= fence.length;
}

/** What stands behind the `#`, without a run of `#` that a blank parts from it. */
function nameOf(line) {
  const behind = line.replace(HEADING, '').replace(/[ \t]+$/, '');
  return behind.replace(/[ \t]+#+$/, '').replace(/^[ \t]+|[ \t]+$/g, '');
}
