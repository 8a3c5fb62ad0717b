"""A literal reading of CommonMark 0.31, as far as memory needs it: blocks, references and text runs."""
