"""What happened in a recorded session, and what comes next. The rules S1 to S14 stand in spec/guides/sessions.md."""
