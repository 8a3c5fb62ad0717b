"""Recorded sessions: what was predicted against what was recorded, and a copy without words. Guide: recordings.md."""
