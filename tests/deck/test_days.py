"""Study days as text: months, years and leap days, against Python's own calendar."""

import datetime

import pytest


@pytest.mark.parametrize("start", ["2025-02-26", "2024-02-26", "2025-12-29", "2025-03-29", "2025-10-25"])
def test_days_are_those_of_the_calendar(call, start):
    first = datetime.date.fromisoformat(start)
    days = [first + datetime.timedelta(days=n) for n in range(-9, 10)]
    found = call("days", "steps.map(n => m.plus(start, n))", start=start, steps=list(range(-9, 10)))
    assert found == [day.isoformat() for day in days]
    assert call("days", "days.map(day => m.between(start, day))", start=start, days=found) == list(range(-9, 10))
    parts = [{"month": day.month, "date": day.day, "weekday": day.isoweekday() % 7} for day in days]
    assert call("days", "days.map(m.parts)", days=found) == parts


@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/Los_Angeles", "Europe/London"])
def test_no_change_of_the_clocks_moves_a_day(call, zone):
    script = "(process.env.TZ = zone, m.plus('2025-03-08', 30) + m.plus('2025-10-20', 20))"
    assert call("days", script, zone=zone) == "2025-04-072025-11-09"


@pytest.mark.parametrize(
    ("text", "is_day"),
    [
        *[(day, True) for day in ("2025-02-28", "2024-02-29", "2000-02-29", "2025-12-31")],
        *[
            (day, False)
            for day in ("2025-02-29", "2025-13-01", "2025-1-1", "2025-04-31", " 2025-04-30", "", None, 2025)
        ],
    ],
)
def test_a_day_is_one_of_the_calendar(call, text, is_day):
    assert call("days", "m.isDay(text)", text=text) is is_day
