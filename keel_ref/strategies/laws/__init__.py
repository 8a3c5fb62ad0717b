"""Laws that every load keeps, each a function from an outcome to its breaches. Spec: memory.md, Invariants."""
