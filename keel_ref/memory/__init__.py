"""Instruction memory: which files load, in which order, with which text, and why the others do not. Spec: memory.md."""

from keel_ref.memory.load import load_memory
from keel_ref.memory.render import render
from keel_ref.memory.touch import MemorySession, Touch
from keel_ref.memory.values import Layer, LoadReason, MemoryFile, MemoryLoad, MemoryRequest, Source

__all__ = [
    "Layer",
    "LoadReason",
    "MemoryFile",
    "MemoryLoad",
    "MemoryRequest",
    "MemorySession",
    "Source",
    "Touch",
    "load_memory",
    "render",
]
