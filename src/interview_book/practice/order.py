"""The order in which choices are shown: who writes them puts the right one first."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256


def shuffled(question: Mapping, field: str = "options") -> list[Mapping]:
    """Return the entries of ``field`` in the order shown, the same in every edition, build and deck."""
    return sorted(question[field], key=lambda one: sha256(f"{question['id']}:{one['id']}".encode()).digest())
