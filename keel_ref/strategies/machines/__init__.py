"""Machines that drive two implementations with the same rules and ask whether they agree."""
