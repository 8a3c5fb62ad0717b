"""A literal reading of YAML 1.2, production by production; the numbers in brackets are those of the standard."""
