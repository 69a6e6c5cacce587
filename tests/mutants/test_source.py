"""The changes that mutate.py makes, on a module small enough to list them all by hand."""

from __future__ import annotations

from tests.mutants.source import changes

MODULE = '''"""A docstring stays."""
import math

def clip(x: float, low=0, *, how: str = "hard") -> float:
    """So does this one: 1 + 1."""
    check("x", x)
    if x < low and how == "hard":
        raise ValueError(f"{x + 1}" + "low")
    return -hypot(x, base=2) if not x else g(x, copy=False)
'''


def test_all_changes_by_hand():
    found = sorted((change.line, change.what) for change in changes(MODULE, "clip.py"))
    refusal = "raise ValueError(f'{x + 1}' + 'low')"
    start = "if x < low and how == 'hard': "  # 30 of the 57 letters that are shown
    assert found == sorted(
        [
            (4, "0 → 1"),
            (4, "'hard' → 'other'"),
            (6, "check('x', x) → pass"),
            (6, "'x' → 'other'"),
            (7, f"{start}{refusal[:27]}... → if not (x < low and how == 'hard'): {refusal[:21]}..."),
            (7, "x < low and how == 'hard' → x < low or how == 'hard'"),
            (7, "x < low → x <= low"),
            (7, "how == 'hard' → how != 'hard'"),
            (7, "'hard' → 'other'"),
            (8, f"{refusal} → pass"),
            (9, "-hypot(x, base=2) if not x else g(x, copy=False) → g(x, copy=False) if not x else -hypot(x, base=2)"),
            (9, "-hypot(x, base=2) → hypot(x, base=2)"),
            (9, "hypot(x, base=2) → hypot(x)"),
            (9, "2 → 3"),
            (9, "2 → 1"),
            (9, "not x → x"),
        ]
    )


def test_each_change_is_compiled_and_only_one():
    values = set()
    for change in changes("def f():\n    return 3 * 5\n", "f.py"):
        scope: dict = {}
        exec(change.code, scope)
        values.add(scope["f"]())
    assert values == {0.6, 4 * 5, 2 * 5, 3 * 6, 3 * 4}
