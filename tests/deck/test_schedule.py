"""schedule.js against the Python package fsrs, study days against zoneinfo, and what no clock and no date may break.

What ts-fsrs and fsrs do differently by design, and how the comparison deals with it:

- ts-fsrs has no short-term memory here (`enable_short_term: false`); fsrs always has. It shows in two places: answers
  on the same day, which whole-day gaps leave out, and the stability after «Again», which fsrs holds under
  S / exp(w17·w18) and ts-fsrs under S. The oracle gets w17 = 0, which makes the two the same.
- ts-fsrs caps the stability at 36,500 days; the histories stay below.
- ts-fsrs counts days by the calendar, fsrs by 24 hours: noon to noon they agree.
- ts-fsrs rounds D, S, R to eight decimals: hence the tolerances.
- ts-fsrs spreads the intervals of the four grades by at least a day. That rule is written out below.
"""

import datetime as dt
import math
import random
from zoneinfo import ZoneInfo

import pytest
from fsrs import Card, Rating, Scheduler
from fsrs.scheduler import DEFAULT_PARAMETERS

DAY = 86_400_000
NOON = dt.datetime(2026, 6, 2, 12, tzinfo=dt.UTC)
LONG_TERM = (*DEFAULT_PARAMETERS[:17], 0.0, *DEFAULT_PARAMETERS[18:])


def scheduler(parameters=LONG_TERM):
    return Scheduler(parameters=parameters, learning_steps=(), relearning_steps=(), enable_fuzzing=False)


def ms(moment):
    return round(moment.timestamp() * 1000)


def histories(count):
    """Grades and whole-day gaps: mostly near the stability, some very early, some very late."""
    draw, oracle, made = random.Random(20_260_602), scheduler(), []
    for _ in range(count):
        card, now, one = Card(due=NOON), NOON, []
        for _ in range(draw.randint(1, 12)):
            grade = draw.choice((1, 2, 3, 3, 4))
            one.append((grade, ms(now)))
            card, _ = oracle.review_card(card, Rating(grade), now)
            near = card.stability * draw.choice((0.05, 0.5, 0.9, 1.0, 1.2, 3.0))
            # a card forgotten for years is where fsrs's bound after «Again» bites
            gap = 3000 if card.stability < 1 and draw.random() < 0.2 else max(1, min(round(near), 4000))
            now += dt.timedelta(days=gap)
        made.append(one)
    return made


def moment(milliseconds):
    return dt.datetime.fromtimestamp(milliseconds / 1000, tz=dt.UTC)


STEPS = """
  process.env.TZ = "UTC";
  return histories.map(one => {
    let card;
    return one.map(([grade, now]) => {
      const shown = m.schedule.intervals(card, now);
      card = m.schedule.review(card, grade, now);
      return { card, shown };
    });
  });
"""


@pytest.fixture(scope="module")
def compared(engine):
    """Each step: the card of fsrs, the four it could have become, the card of schedule.js with what was shown."""
    told = histories(500)
    steps = []
    for one, ours in zip(told, engine(STEPS, histories=told), strict=True):
        card = Card(due=NOON)
        for (grade, now), mine in zip(one, ours, strict=True):
            four = [scheduler().review_card(card, Rating(g), moment(now))[0] for g in (1, 2, 3, 4)]
            card = four[grade - 1]
            steps.append((now, grade, card, four, mine))
    return steps


def test_the_histories_have_every_kind_of_step(compared):
    grades = {grade for _, grade, *_ in compared}
    stabilities = [card.stability for _, _, card, _, _ in compared]
    assert grades == {1, 2, 3, 4}
    assert len(compared) > 2500
    assert min(stabilities) < 0.25
    assert 5_000 < max(stabilities) < 36_500


def test_difficulty_and_stability_are_those_of_fsrs(compared):
    for _, _, theirs, _, ours in compared:
        # twelve roundings to 1e-8, grown by the factor of one step (below 50)
        assert ours["card"]["difficulty"] == pytest.approx(theirs.difficulty, abs=1e-6)
        assert ours["card"]["stability"] == pytest.approx(theirs.stability, rel=2e-6, abs=1e-6)


def test_intervals_are_fsrs_stabilities_a_day_apart(compared):
    for _, _, _, four, ours in compared:
        again, hard, good, easy = (max(1, min(round(card.stability), 36_500)) for card in four)
        again = min(again, hard)
        hard = max(hard, again + 1)
        good = max(good, hard + 1)
        easy = max(easy, good + 1)
        if any(abs(card.stability % 1 - 0.5) < 1e-4 for card in four):
            continue  # on the edge of a rounding
        # «Again» is ours: always the next day
        assert [one["days"] for one in ours["shown"]] == [1, hard, good, easy]


def test_what_is_shown_is_what_one_gets(compared):
    for now, grade, _, _, ours in compared:
        shown = ours["shown"][grade - 1]
        assert ours["card"]["due"] == shown["due"]
        assert shown["due"] == now + shown["days"] * DAY - 8 * 3_600_000  # 4 a.m. of that day, answered at noon


def test_with_the_parameters_as_published_only_a_bounded_lapse_differs(engine):
    """Where fsrs's own bound after «Again» does not bite, its defaults agree as well."""
    told, agreed, bounded = histories(500), 0, 0
    for one, ours in zip(told, engine(STEPS, histories=told), strict=True):
        card = Card(due=NOON)
        for (grade, now), mine in zip(one, ours, strict=True):
            before = card.stability
            card, _ = scheduler(DEFAULT_PARAMETERS).review_card(card, Rating(grade), moment(now))
            bound = before / math.exp(DEFAULT_PARAMETERS[17] * DEFAULT_PARAMETERS[18]) if before else math.inf
            if grade == 1 and card.stability >= bound * (1 - 1e-6):
                bounded += 1
                break
            assert mine["card"]["stability"] == pytest.approx(card.stability, rel=2e-6, abs=1e-6)
            agreed += 1
    assert agreed > 1500
    assert bounded >= 5


def test_golden_sequence(engine):
    """Good, Good, Again, Good at fixed dates. First stabilities are w2 and so on; the rest comes from fsrs 6.3.2."""
    dates = [dt.datetime(2026, 5, day, 12, tzinfo=dt.UTC) for day in (1, 4, 18, 19)]
    told = [[(grade, ms(when)) for grade, when in zip((3, 3, 1, 3), dates, strict=True)]]
    cards = [one["card"] for one in engine(STEPS, histories=told)[0]]
    assert [round(card["stability"], 4) for card in cards] == [2.3065, 13.8269, 1.7264, 3.7519]
    assert cards[0]["difficulty"] == pytest.approx(6.4133 - math.exp(2 * 0.8334) + 1, abs=1e-7)
    oracle = Card(due=dates[0])
    for card, (grade, when) in zip(cards, told[0], strict=True):
        oracle, _ = scheduler().review_card(oracle, Rating(grade), moment(when))
        assert card["stability"] == pytest.approx(oracle.stability, rel=1e-6)
        assert card["difficulty"] == pytest.approx(oracle.difficulty, abs=1e-6)
    counted = [(card["reps"], card["lapses"], card["state"]) for card in cards]
    assert counted == [(1, 0, 2), (2, 0, 2), (3, 1, 3), (4, 1, 2)]


def test_the_same_history_gives_the_same_cards(engine):
    told = histories(40)
    assert engine(STEPS, histories=told) == engine(STEPS, histories=told)


def test_a_card_that_was_saved_and_loaded_goes_on_as_if_nothing_had_been(engine):
    body = """
      process.env.TZ = "UTC";
      return histories.map(one => {
        let kept, saved;
        for (const [grade, now] of one) {
          kept = m.schedule.review(kept, grade, now);
          saved = JSON.parse(JSON.stringify(m.schedule.review(saved, grade, now)));
        }
        return [kept, saved];
      });
    """
    pairs = engine(body, histories=histories(60))
    assert all(kept == saved for kept, saved in pairs)
    assert all(set(kept) == {"due", "stability", "difficulty", "reps", "lapses", "state", "last"} for kept, _ in pairs)


def test_a_blank_card_is_plain_and_new(engine):
    blank = engine("return m.schedule.blankCard(1234.7)")
    assert blank == {"due": 1234, "stability": 0, "difficulty": 0, "reps": 0, "lapses": 0, "state": 0, "last": None}


@pytest.mark.parametrize("grade", [0, 5, 2.5, "3", None])
def test_other_grades_are_refused(engine, grade):
    body = "try { m.schedule.review(undefined, grade, 1e12); return null; } catch (error) { return String(error); }"
    assert "expected 1, 2, 3 or 4" in engine(body, grade=grade)


def test_no_time_is_refused(engine):
    body = "try { m.schedule.review(undefined, 3, NaN); return null; } catch (error) { return String(error); }"
    assert "expected UTC milliseconds" in engine(body)


# == the same study day ==


def same_day(engine, grades):
    """Cards after these grades, a minute apart."""
    body = """
      process.env.TZ = "Asia/Tokyo";
      const cards = [];
      grades.forEach((grade, i) => cards.push(m.schedule.review(cards.at(-1), grade, m.NOON + i * 60000)));
      return cards;
    """
    return engine(body, grades=grades)


def memory(card):
    return card["stability"], card["difficulty"], card["lapses"], card["due"]


def test_practice_on_the_same_day_teaches_the_memory_nothing(engine):
    first, *rest = same_day(engine, [3, 3, 4, 2, 3])
    assert all(memory(card) == memory(first) for card in rest)
    assert [card["reps"] for card in rest] == [2, 3, 4, 5]
    assert rest[-1]["last"] == first["last"] + 4 * 60_000


def test_a_day_forgets_a_card_only_once(engine):
    known, failed, *drilled = same_day(engine, [4, 1, 3, 1, 1, 3])
    assert failed["stability"] < known["stability"]
    assert failed["lapses"] == 1
    assert all(memory(card) == memory(failed) for card in drilled)
    assert [card["state"] for card in (failed, *drilled)] == [3, 1, 3, 3, 1]


def test_again_is_due_on_the_next_study_day(engine):
    body = """
      process.env.TZ = "Asia/Tokyo";
      let card, now = m.NOON;
      for (let i = 0; i < 4; i++) { card = m.schedule.review(card, 4, now); now = card.due; }
      const again = m.schedule.review(card, 1, now);
      return [card.stability, m.schedule.studyDay(now), m.schedule.studyDay(again.due), again.due];
    """
    stability, today, due, at = engine(body)
    assert stability > 1000  # fsrs itself would wait more than a week
    assert dt.date.fromisoformat(due) - dt.date.fromisoformat(today) == dt.timedelta(days=1)
    local = moment(at).astimezone(ZoneInfo("Asia/Tokyo"))
    assert (local.hour, local.minute) == (4, 0)


# == study days ==

ZONES = ["Asia/Tokyo", "Asia/Taipei", "America/New_York", "Europe/Berlin", "Europe/Helsinki", "Australia/Lord_Howe",
         "Pacific/Apia", "UTC"]  # fmt: skip


def around(*dates):
    """Every 20 minutes of five days around each date, UTC."""
    for year, month, day in dates:
        start = dt.datetime(year, month, day, tzinfo=dt.UTC) - dt.timedelta(days=2)
        yield from (ms(start + dt.timedelta(minutes=20 * i)) for i in range(5 * 72))


TIMES = sorted({*around((2026, 3, 8), (2026, 11, 1), (2026, 3, 29), (2026, 10, 25), (2026, 4, 5), (2026, 10, 4)),
                *around((2011, 12, 30), (2026, 1, 1), (2028, 2, 29))})  # fmt: skip


def study_day(at, zone):
    local = moment(at).astimezone(ZoneInfo(zone))
    day = local.date() - dt.timedelta(days=local.hour < 4)
    left_out = zone == "Pacific/Apia" and day == dt.date(2011, 12, 30)
    return day - dt.timedelta(days=left_out)


@pytest.mark.parametrize("zone", ZONES)
def test_a_study_day_turns_at_four_by_the_local_clock(engine, zone):
    body = "process.env.TZ = zone; return times.map(at => [m.schedule.studyDay(at), m.schedule.startOfStudyDay(at)]);"
    told = engine(body, zone=zone, times=TIMES)
    for at, (day, start) in zip(TIMES, told, strict=True):
        assert day == study_day(at, zone).isoformat()
        assert start <= at
        local = moment(start).astimezone(ZoneInfo(zone))
        assert (local.hour, local.minute, local.second) == (4, 0, 0)
        assert local.date().isoformat() == day
    days = [day for day, _ in told]
    assert days == sorted(days)


@pytest.mark.parametrize("zone", ZONES)
def test_no_change_of_the_clocks_moves_a_due_day(engine, zone):
    """Answered at any time around a change, a card is due so many days of the calendar later, at four."""
    times = TIMES[::7]
    body = """
      process.env.TZ = zone;
      return times.map(at => m.schedule.intervals(undefined, at).map(({ grade, days, due }) =>
        [days, due, m.schedule.studyDay(due), m.schedule.review(undefined, grade, at).due]));
    """
    for at, four in zip(times, engine(body, zone=zone, times=times), strict=True):
        # 3 = Good: its 2.3 days, but a day more than Hard
        assert [days for days, *_ in four] == [1, 2, 3, 8] or zone == "Pacific/Apia"
        for days, due, day, got in four:
            assert due == got
            expected = study_day(at, zone) + dt.timedelta(days=days)
            assert day == expected.isoformat()
            assert study_day(due, zone) == expected
            assert study_day(due - 1, zone) < expected


def test_a_day_that_a_place_left_out_is_no_due_day(engine):
    """Samoa had no 30 December 2011: what would be due then is due on the 31st."""
    zone = "Pacific/Apia"
    at = ms(dt.datetime(2011, 12, 29, 12, tzinfo=ZoneInfo(zone)))
    body = """
      process.env.TZ = zone;
      return m.schedule.intervals(undefined, at).map(one => [m.schedule.studyDay(one.due), one.days]);
    """
    again, hard, *_ = engine(body, zone=zone, at=at)
    assert again == hard == ["2011-12-31", 2]


def test_elapsed_days_are_study_days_not_days_of_utc(engine):
    """In Tokyo 8 and 10 a.m. lie on two days of UTC and on one study day; 3 and 5 a.m. the other way round."""
    body = """
      process.env.TZ = "Asia/Tokyo";
      const at = (day, hour) => Date.UTC(2026, 5, day, hour - 9);
      const first = m.schedule.review(undefined, 3, at(1, 12));
      const morning = m.schedule.review(first, 3, at(5, 8));
      return {
        morning, sameDay: m.schedule.review(morning, 3, at(5, 10)),
        late: m.schedule.review(first, 3, at(5, 27)), next: m.schedule.review(first, 3, at(5, 29)),
      };
    """
    cards = engine(body)
    assert memory(cards["sameDay"]) == memory(cards["morning"])
    assert cards["late"]["stability"] == cards["morning"]["stability"]
    assert cards["next"]["stability"] > cards["morning"]["stability"]


def test_a_journey_westwards_leaves_no_card_due_before_its_last_answer(engine):
    """«Again» in Tokyo, known again on what is the same study day in the west: due on the next one there."""
    body = """
      const answered = (zone, at, card, grade) => {
        process.env.TZ = zone;
        const next = m.schedule.review(card, grade, at);
        return { next, days: m.schedule.intervals(card, at)[grade - 1].days, due: m.schedule.studyDay(next.due) };
      };
      const tokyo = (day, hour, minute = 0) => Date.UTC(2025, 11, day, hour - 9, minute);
      const night = answered("Asia/Tokyo", tokyo(5, 23), undefined, 1).next;
      const noon = answered("Asia/Tokyo", tokyo(5, 12), undefined, 1).next;
      return [
        answered("America/Los_Angeles", Date.UTC(2025, 11, 5, 20), night, 3), // noon of the 5th there
        answered("Asia/Taipei", tokyo(6, 4, 30), noon, 3), // half past three in the morning, still the 5th
        answered("UTC", tokyo(6, 12, 30), night, 1),
      ];
    """
    for one in engine(body):
        assert one["next"]["due"] > one["next"]["last"]
        assert (one["days"], one["due"]) == (1, "2025-12-06")


def test_no_clock_and_no_zone_makes_a_card_due_before_its_last_answer(engine):
    body = """
      const zones = ["Asia/Tokyo", "Asia/Taipei", "America/Los_Angeles", "Pacific/Kiritimati", "Pacific/Pago_Pago",
        "UTC", "Europe/London", "Antarctica/Casey", "Antarctica/Troll", "Australia/Lord_Howe", "Pacific/Apia"];
      const draw = m.random(31), wrong = [], limits = { date: "2026-07-30", day: 20664, left: 9, lastDay: false };
      let changes = 0;
      for (let i = 0; i < 600; i++) {
        let card, now = m.NOON - Math.floor(draw() * 6000 * m.DAY);
        for (let k = 0; k < 15; k++) {
          process.env.TZ = m.pick(draw, zones);
          now += Math.floor(m.pick(draw, [2, 8, 24, 24, 72, 2000, -30, -5000]) * draw() * 3_600_000);
          const before = card?.due;
          card = m.schedule.review(card, 1 + Math.floor(draw() * 4), now);
          if (draw() < 0.1) {
            const doc = { ...m.progress.empty(now), cards: { "q.a": card } };
            card = m.progress.mendClock(doc, card.last - 9 * m.DAY).cards["q.a"];
          }
          const shown = m.schedule.effectiveDue(card, limits, now);
          if (card.due < card.last || shown < card.last) wrong.push([process.env.TZ, card, shown]);
          changes += before !== undefined && card.due !== before;
        }
      }
      return [wrong, changes > 3000];
    """
    assert engine(body) == [[], True]


# == clocks that are wrong ==


def test_a_clock_set_back_never_makes_a_card_due_before_its_last_answer(engine):
    body = """
      process.env.TZ = "Asia/Taipei";
      const draw = m.random(7), steps = [];
      for (let i = 0; i < 300; i++) {
        let card, now = m.NOON;
        for (let k = 0; k < 8; k++) {
          const shown = m.schedule.intervals(card, now);
          const next = m.schedule.review(card, 1 + Math.floor(draw() * 4), now);
          steps.push({ before: card?.last ?? 0, now, next, shown });
          card = next;
          now += Math.floor((draw() - 0.5) * 80 * m.DAY);
        }
      }
      return steps;
    """
    steps = engine(body)
    assert sum(step["now"] < step["before"] for step in steps) > 500
    for step in steps:
        card = step["next"]
        assert card["last"] == max(step["now"], step["before"])
        assert card["due"] > card["last"]
        assert card["stability"] >= 0.001
        assert 1 <= card["difficulty"] <= 10
        assert all(one["days"] >= 1 and one["due"] > card["last"] for one in step["shown"])


def test_with_the_clock_set_back_no_time_has_passed(engine):
    body = """
      process.env.TZ = "UTC";
      let card = m.schedule.review(undefined, 3, m.NOON);
      const back = m.schedule.review(card, 3, m.NOON - 30 * m.DAY);
      return [card, back, m.schedule.recall(card, m.NOON - 30 * m.DAY), m.schedule.recall(card, m.NOON + 2 * m.DAY)];
    """
    card, back, early, later = engine(body)
    assert memory(back) == memory(card)
    assert back["last"] == card["last"]
    assert early == 1
    assert 0.89 < later < 0.92  # 2 days, with a stability of 2.3 days until 0.9


def test_a_clock_set_far_forward_and_back_stays_in_what_we_keep(engine):
    body = """
      process.env.TZ = "UTC";
      const far = m.schedule.review(undefined, 4, 9e15);
      const back = m.schedule.review(far, 1, m.NOON);
      return [far, back, m.days.LATEST];
    """
    far, back, latest = engine(body)
    assert far["last"] == latest == ms(dt.datetime(2200, 1, 1, tzinfo=dt.UTC))
    assert back["last"] == latest
    assert back["due"] > latest


# == the interview ==


def limits(engine, date, now, zone="Asia/Tokyo"):
    body = "process.env.TZ = zone; return m.plan.limits({ date }, now);"
    return engine(body, date=date, now=now, zone=zone)


def test_limits_count_study_days(engine):
    late = ms(dt.datetime(2026, 6, 3, 2, tzinfo=ZoneInfo("Asia/Tokyo")))  # still the 2nd
    assert limits(engine, "2026-06-05", late) == {"date": "2026-06-05", "day": 20609, "left": 3, "lastDay": False}
    assert limits(engine, "2026-06-02", late)["lastDay"] is True
    assert limits(engine, "2026-06-01", late) is None
    assert limits(engine, None, late) is None
    for nonsense in ("2026-02-30", "soon", "", 5):
        assert limits(engine, nonsense, late) is None


def grown(engine, stability_after, date, answered_days_before, looked_days_before):
    """Intervals and the day a card is due, for a well-known card answered so many days before the interview."""
    body = """
      process.env.TZ = "Asia/Tokyo";
      const noon = Date.UTC(2026, 5, 30, 3);
      const at = noon - answered * m.DAY;
      const last = at - Math.ceil(stability) * m.DAY;
      const card = { due: 0, stability, difficulty: 5, reps: 3, lapses: 0, state: 2, last };
      const limits = m.plan.limits({ date }, at);
      const shown = m.schedule.intervals(card, at, limits), plain = m.schedule.intervals(card, at);
      const cards = [1, 2, 3, 4].map(grade => m.schedule.review(card, grade, at));
      const now = noon - looked * m.DAY, then = m.plan.limits({ date }, now);
      const seen = cards.map(one => m.schedule.studyDay(m.schedule.effectiveDue(one, then, now)));
      return { shown, plain, seen, own: cards.map(one => m.schedule.studyDay(one.due)) };
    """
    return engine(body, stability=stability_after, date=date, answered=answered_days_before, looked=looked_days_before)


@pytest.mark.parametrize("before", [1, 2, 3, 5, 9, 20])
def test_intervals_end_at_the_interview(engine, before):
    told = grown(engine, 60, "2026-06-30", before, before)
    days = [one["days"] for one in told["shown"]]
    assert days[0] == 1
    assert all(1 <= one <= max(1, before) for one in days)
    assert max(days) == before
    assert [one["days"] for one in told["plain"]][2] > 60


def test_on_the_day_of_the_interview_a_day_is_the_least(engine):
    told = grown(engine, 60, "2026-06-30", 0, 0)
    assert [one["days"] for one in told["shown"]] == [1, 1, 1, 1]


def test_close_to_the_interview_recall_is_wanted_higher(engine):
    """At 0.95 an interval is S·((0.95^(1/d) − 1)/(0.9^(1/d) − 1)) with d = −0.1542: two fifths of that at 0.9."""
    ratio = (0.95 ** (1 / -0.1542) - 1) / (0.9 ** (1 / -0.1542) - 1)
    assert ratio == pytest.approx(0.403, abs=1e-3)
    body = """
      process.env.TZ = "Asia/Tokyo";
      const due = (stability, left) => {
        const now = Date.UTC(2026, 5, 30, 3) - left * m.DAY, today = m.days.dayNumber(now);
        const own = m.days.startOf(today + Math.round(stability));
        const card = { due: own, stability, difficulty: 5, reps: 1, lapses: 0, state: 2, last: now };
        return m.days.dayNumber(m.schedule.effectiveDue(card, m.plan.limits({ date: "2026-06-30" }, now), now)) - today;
      };
      return [due(4.6, 3), due(5, 10), due(12, 12), due(22, 12), due(30, 12), due(3, 2)];
    """
    # three days before, 4.6 days become 2; ten days before, 5 stay 5: they end before it gets close;
    # 12 days fall on the interview, at 0.95 they would be 5: then the first day it counts, three before; 22 → 9, the
    # same day; 30 → 12, the interview itself; 3 → 1
    assert engine(body) == [2, 5, 9, 9, 12, 1]


@pytest.mark.parametrize("looked", [9, 6, 3, 1, 0])
def test_when_a_card_is_due_does_not_hang_on_when_one_looks(engine, looked):
    at_once = grown(engine, 9, "2026-06-30", 10, 10)
    later = grown(engine, 9, "2026-06-30", 10, looked)
    assert later["seen"] == at_once["seen"]
    start = dt.date(2026, 6, 20)
    days = [(dt.date.fromisoformat(day) - start).days for day in later["seen"]]
    assert days == [one["days"] for one in at_once["shown"]]


def test_after_the_interview_fsrs_has_the_word_again(engine):
    told = grown(engine, 60, "2026-06-30", 10, -1)
    assert told["seen"] == told["own"]


def test_the_interview_touches_no_state(engine):
    """200 random answers with and without a date, and with intervals looked at each time: the same cards."""
    body = """
      process.env.TZ = "Asia/Tokyo";
      const run = date => {
        const draw = m.random(11);
        let doc = m.progress.settle(m.progress.empty(m.NOON), { date }, m.NOON), now = m.NOON;
        for (let i = 0; i < 200; i++) {
          now += Math.floor(draw() * m.DAY / 3);
          const id = `q.one-${Math.floor(draw() * 20)}`;
          m.schedule.intervals(doc.cards[id], now, m.plan.limits(doc.settings, now));
          doc = m.progress.record(doc, { id, grade: 1 + Math.floor(draw() * 4), now });
        }
        return [doc.cards, doc.reviews];
      };
      return [run(null), run("2026-06-20"), run("2026-08-20")];
    """
    without, during, after = engine(body)
    assert without == during == after
    assert len(without[1]) == 200
