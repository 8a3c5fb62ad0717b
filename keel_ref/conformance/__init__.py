"""The conformance suite: clauses, vectors, the wire, the runner and its reports."""
