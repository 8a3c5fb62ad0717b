"""What surrounds the conversation, and what fills the window. Spec: the chapter context.md."""
