"""The only place where the package meets the world."""
