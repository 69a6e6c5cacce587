"""Weeks from Monday to Sunday, the last one with today in it."""

import datetime

import pytest


@pytest.mark.parametrize("today", ["2025-12-01", "2025-12-07", "2025-12-03", "2024-03-01"])
def test_weeks(call, today):
    last = datetime.date.fromisoformat(today)
    days = [{"day": (last - datetime.timedelta(days=n)).isoformat(), "count": n} for n in range(28)]
    rows = call("history.jsx", "m.weeks(days, today)", days=days, today=today)
    assert len(rows) == 4
    for row in rows:
        assert datetime.date.fromisoformat(row["start"]).weekday() == 0
        assert len(row["days"]) == 7
    shown = [one for row in rows for one in row["days"]]
    # 21 days of whole weeks, then those of this week up to today; nothing of the days after it
    assert [one is not None for one in shown] == [n < 22 + last.weekday() for n in range(28)]
    known = {one["day"]: one["count"] for one in days}
    assert all(one["count"] == known[one["day"]] for one in shown if one)
    assert [one["day"] for one in shown if one][-1] == today
