"""Area transcript: what a session file says, and the lines that a compaction adds to it."""
