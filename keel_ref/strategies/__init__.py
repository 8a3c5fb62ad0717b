"""Hypothesis strategies and machines, shipped for those who test their own implementation (extra: explore)."""
