"""What a turn does to a context, in which order, and what is put back. Spec: compaction.md."""
