"""progress.js: recording, undoing, settings, merging two devices, and reading whatever somebody calls a record."""

import json

import pytest

DAY = 86_400_000


def test_a_record_of_nothing(engine):
    doc = engine("return m.progress.empty(m.NOON, 'zh-Hant')")
    assert doc == {
        "version": 1, "scheduler": "ts-fsrs 5 FSRS-6", "created": 1_780_401_600_000,
        "settings": {"path": None, "date": None, "minutes": 40, "language": "zh-Hant", "role": None, "silent": False,
                     "at": 0},
        "cards": {}, "reviews": [], "said": {}, "deferred": {}, "path": None, "plan": None,
    }  # fmt: skip


def test_an_answer_is_a_row_a_state_and_what_was_said(engine):
    body = """
      process.env.TZ = "UTC";
      const before = { ...m.progress.empty(m.NOON), deferred: { "q.one": "2026-06-04", "q.two": "2026-06-05" } };
      const frozen = m.plain(before);
      const doc = m.progress.record(before, { id: "q.one", grade: 3, now: m.NOON, seconds: 92.4, language: "ja",
        aloud: true, verdict: "strong", points: 9 });
      return { doc, untouched: m.plain(before) === frozen, card: m.schedule.review(undefined, 3, m.NOON),
        row: m.rows.readRow([...doc.reviews][0]), at: m.NOON,
        said: [["q.one", "ja"], ["q.one", "en"], ["toString", "ja"]].map(one => m.progress.said(doc, ...one)) };
    """
    told = engine(body)
    doc, at = told["doc"], told["at"]
    assert told["untouched"]
    assert doc["cards"] == {"q.one": told["card"]}
    # flags: 1 for ja, 4 aloud, 8 · 1 strong
    assert doc["reviews"] == [[at, "q.one", 3, 92, 13, 9]]
    assert told["row"] == {"at": at, "id": "q.one", "grade": 3, "seconds": 92, "language": "ja", "aloud": True,
                           "verdict": "strong", "points": 9}  # fmt: skip
    assert doc["said"] == {"q.one": {"ja": at}}
    assert told["said"] == [at, None, None]
    assert doc["deferred"] == {"q.two": "2026-06-05"}


def test_every_language_and_verdict_comes_back_from_a_row(engine):
    body = """
      return m.rows.LANGUAGES.flatMap(language => m.rows.VERDICTS.flatMap(verdict => [true, false].map(aloud => {
        const flags = m.rows.flagsOf({ language, aloud, verdict });
        const read = m.rows.readRow([0, "a", 1, 0, flags, 0]);
        return flags <= m.rows.MOST.flags && read.language === language && read.aloud === aloud &&
          read.verdict === verdict;
      })));
    """
    assert engine(body) == [True] * 56


def test_what_was_said_silently_or_in_no_language_is_not_said_aloud(engine):
    body = """
      const doc = m.answered(m.progress.empty(m.NOON), [["q.a", 3, m.NOON, { language: "ja" }],
        ["q.b", 3, m.NOON, { aloud: true }], ["q.c", 3, m.NOON, { aloud: true, language: "fr" }]]);
      return [doc.said, [...doc.reviews].map(row => row[4])];
    """
    assert engine(body) == [{}, [1, 0, 0]]


def test_said_keeps_languages_apart_and_the_later_time(engine):
    body = """
      const aloud = language => ({ language, aloud: true });
      return m.answered(m.progress.empty(m.NOON), [["q.a", 3, m.NOON, aloud("ja")],
        ["q.a", 3, m.NOON + 5, aloud("zh-Hant")], ["q.a", 3, m.NOON - 9, aloud("ja")]]).said;
    """
    assert engine(body) == {"q.a": {"ja": 1_780_401_600_000, "zh-Hant": 1_780_401_600_005}}


def test_numbers_that_make_no_sense_are_held_inside_what_a_row_may_hold(engine):
    body = """
      const doc = m.progress.empty(m.NOON), now = m.NOON + 0.9;
      const rows = [[-5, NaN], [1e9, Infinity], ["7", -3], [undefined, 2.6]].map(([seconds, points]) =>
        [...m.progress.record(doc, { id: "q.a", grade: 1, now, seconds, points }).reviews][0]);
      return rows.map(row => [row[0] - m.NOON, row[3], row[5]]);
    """
    assert engine(body) == [[0, 0, 0], [0, 86_400, 0], [0, 0, 0], [0, 0, 3]]


@pytest.mark.parametrize("name", ["__proto__", "constructor", "toString", "", "a b", "é", "x" * 121, None, 5])
def test_no_card_may_have_such_an_id(engine, name):
    body = """
      const doc = m.progress.empty(m.NOON);
      try {
        m.progress.record(doc, { id, grade: 3, now: m.NOON });
      } catch (error) {
        return String(error);
      }
    """
    assert "expected the id of a card" in engine(body, id=name)


def test_rows_are_in_the_order_of_time_and_no_two_are_the_same(engine):
    """Also with a clock set back, and with answers in one millisecond."""
    body = """
      const draw = m.random(3);
      let doc = m.progress.empty(m.NOON);
      for (let i = 0; i < 400; i++) {
        const now = m.NOON + Math.floor(draw() * 40), id = `q.${Math.floor(draw() * 4)}`;
        doc = m.progress.record(doc, { id, grade: 3, now });
      }
      const keys = new Set([...doc.reviews].map(row => `${row[0]} ${row[1]}`));
      const sorted = [...doc.reviews].every((row, i, all) => !i || m.rows.compareRows(all[i - 1], row) < 0);
      return [doc.reviews.length, keys.size, sorted];
    """
    assert engine(body) == [400, 400, True]


def test_earlier_answers_of_a_card(engine):
    body = """
      const doc = m.answered(m.progress.empty(m.NOON), [["q.a", 1, m.NOON], ["q.b", 3, m.NOON + 1], ["q.a", 3,
        m.NOON + 2,
        { verdict: "right" }], ["q.c", 2, m.NOON + 3]]);
      return ["q.a", "q.z", "toString"].map(id => m.progress.answersOf(doc, id).map(({ grade, verdict }) => [grade,
        verdict]));
    """
    assert engine(body) == [[[3, "right"], [1, ""]], [], []]


def test_reviews_in_blocks_are_the_same_as_in_one_list(engine):
    """Rows put in and taken out at random places, against a sorted list."""
    body = """
      const draw = m.random(31), { Log } = m.log;
      let log = Log.of([]), list = [], wrong = 0;
      for (let i = 0; i < 6000; i++) {
        const row = [m.NOON + Math.floor(draw() * 1e9), `q.${i % 5}`, 3, 1, 1, 1];
        if (i > 3000 && draw() < 0.4) {
          const [gone] = list.splice(Math.floor(draw() * list.length), 1);
          log = log.remove(gone).remove(row);
        } else {
          const at = i < 2500 ? [m.NOON + 2e9 + i, ...row.slice(1)] : row;
          [log] = log.insert(at);
          list.push(at);
        }
        if (i % 500 === 499) wrong += m.plain([...log]) !== m.plain([...list].sort(m.rows.compareRows));
      }
      const newest = [...log.newest()].reverse();
      return [wrong, log.length === list.length, m.plain(newest) === m.plain([...log]),
        log.blocks.some(block => !block.count || block.count > 1000)];
    """
    assert engine(body) == [0, True, True, False]


# == undo ==


def test_undo_gives_back_exactly_the_record_before_as_often_as_one_likes(engine):
    body = """
      const draw = m.random(6);
      let doc = m.progress.empty(m.NOON), now = m.NOON;
      const texts = [];
      for (let i = 0; i < 60; i++) {
        now += Math.floor((draw() - 0.2) * m.DAY);
        texts.push(m.plain(doc));
        doc = m.progress.record(doc, { id: `q.${Math.floor(draw() * 6)}`, grade: 1 + Math.floor(draw() * 4), now,
          language: m.pick(draw, ["ja", "zh-Hant"]), aloud: draw() < 0.6 });
      }
      const wrong = [];
      for (let i = 59; i >= 0; i--) {
        doc = m.progress.undo(doc);
        if (m.plain(doc) !== texts[i]) wrong.push(i);
      }
      return [wrong, m.progress.canUndo(doc), m.progress.undo(doc) === doc];
    """
    assert engine(body) == [[], False, True]


def test_undo_gives_a_moved_day_back(engine):
    body = """
      const start = { ...m.progress.empty(m.NOON), deferred: { "q.a": "2026-07-01" } };
      const doc = m.answered(start, [["q.a", 3, m.NOON], ["q.b", 1, m.NOON]]);
      return [doc.deferred, m.progress.undo(m.progress.undo(doc)).deferred];
    """
    assert engine(body) == [{}, {"q.a": "2026-07-01"}]


def test_undo_takes_back_a_putting_off_and_no_grade(engine):
    body = """
      const one = m.answered(m.progress.empty(m.NOON), [["q.a", 3, m.NOON]]);
      const start = { ...one, deferred: { "q.b": "2026-06-01" } };
      const texts = [start], put = id => texts.push(m.plan.putOff(texts.at(-1), id, m.NOON));
      texts.push(m.answered(start, [["q.c", 3, m.NOON]]));
      put("q.b");
      put("q.d");
      texts.push(m.answered(texts.at(-1), [["q.d", 1, m.NOON]])); // in free practice
      put("q.d");
      const all = texts.map(m.plain);
      let doc = texts.at(-1);
      const days = doc.deferred, back = [];
      while (back.length < 5) back.unshift(m.plain(doc = m.progress.undo(doc)));
      return [days, back.map((one, i) => one === all[i])];
    """
    assert engine(body) == [{"q.b": "2026-06-03", "q.d": "2026-06-03"}, [True] * 5]


def test_undo_leaves_alone_what_another_tab_did_with_a_card_that_was_put_off(engine):
    body = """
      const tabs = new m.Tabs(), a = tabs.open(m.store, "a"), b = tabs.open(m.store, "b");
      a.save(m.progress.record(a.doc, { id: "q.a", grade: 3, now: m.NOON }));
      a.save(m.plan.putOff(a.doc, "q.b", m.NOON));
      b.hear();
      b.save(m.progress.record(b.doc, { id: "q.b", grade: 3, now: m.NOON + 5 }));
      a.hear();
      a.save(m.progress.undo(a.doc));
      const after = [a.doc.deferred, [...a.doc.reviews].map(row => row[1])];
      a.save(m.progress.undo(a.doc));
      return [...after, [...a.doc.reviews].map(row => row[1])];
    """
    assert engine(body) == [{}, ["q.a", "q.b"], ["q.b"]]


def test_after_undo_one_can_answer_and_undo_again(engine):
    body = """
      const one = m.answered(m.progress.empty(m.NOON), [["q.a", 3, m.NOON]]);
      const other = m.progress.record(m.progress.undo(m.answered(one, [["q.b", 1, m.NOON]])), { id: "q.c",
        grade: 4, now: m.NOON });
      return [Object.keys(other.cards), m.plain(m.progress.undo(other)) === m.plain(one),
        Object.keys(m.progress.undo(m.progress.undo(other)).cards)];
    """
    assert engine(body) == [["q.a", "q.c"], True, []]


def test_undo_leaves_settings_and_other_cards_alone(engine):
    body = """
      let doc = m.answered(m.progress.empty(m.NOON), [["q.a", 3, m.NOON], ["q.b", 1, m.NOON]]);
      doc = m.progress.settle(doc, { minutes: 25 }, m.NOON);
      const undone = m.progress.undo(doc);
      return [undone.settings.minutes, Object.keys(undone.cards)];
    """
    assert engine(body) == [25, ["q.a"]]


# == settings ==


def settled(engine, changes):
    return engine("return m.progress.settle(m.progress.empty(m.NOON), changes, m.NOON).settings", changes=changes)


def test_settings_are_taken_with_the_time_of_the_change(engine):
    changes = {"date": "2026-07-01", "minutes": 30, "language": "en", "role": "ml-engineer", "silent": True}
    assert settled(engine, changes) == {"path": None, **changes, "at": 1_780_401_600_000}


@pytest.mark.parametrize(
    ("changes", "kept"),
    [
        ({"date": "2026-02-30"}, {"date": None}),
        ({"date": "tomorrow"}, {"date": None}),
        ({"minutes": 10_000}, {"minutes": 240}),
        ({"minutes": -4}, {"minutes": 5}),
        ({"minutes": "many"}, {"minutes": 40}),
        ({"language": "fr"}, {"language": "ja"}),
        ({"role": "<b>"}, {"role": None}),
        ({"silent": "yes"}, {"silent": False}),
        ({"path": "year"}, {"path": None}),
        ({"cards": {}, "__proto__": {"x": 1}}, {"path": None}),
    ],
)
def test_settings_that_make_no_sense_leave_the_old_ones(engine, changes, kept):
    told = settled(engine, changes)
    assert {name: told[name] for name in kept} == kept
    assert set(told) == {"path", "date", "minutes", "language", "role", "silent", "at"}


def test_the_same_settings_change_nothing(engine):
    body = (
        "const doc = m.progress.empty(m.NOON); return m.progress.settle(doc, { ...doc.settings }, m.NOON + 5) === doc;"
    )
    assert engine(body) is True


def test_a_path_starts_when_it_is_chosen_with_its_questions(engine):
    body = """
      const index = m.bank(["explain", "choice", "explain"]);
      const chosen = m.progress.settle(m.progress.empty(m.NOON), { path: "tonight" }, m.NOON, index);
      const same = m.progress.settle(chosen, { minutes: 20 }, m.NOON + m.DAY, index);
      const none = m.progress.settle(same, { path: null }, m.NOON + m.DAY, index);
      return [chosen.path, same.path, none.path, m.progress.settle(m.progress.empty(m.NOON), { path: "week" },
        m.NOON).path];
    """
    path = {"id": "tonight", "started": 1_780_401_600_000, "ids": ["q.explain-0", "q.explain-2", "q.choice-1"]}
    assert engine(body) == [path, path, None, {"id": "week", "started": 1_780_401_600_000, "ids": []}]


# == a clock far ahead, and back ==


def test_cards_answered_under_a_clock_far_ahead_can_be_brought_back(engine):
    body = """
      process.env.TZ = "Asia/Tokyo";
      let doc = m.answered(m.progress.empty(m.NOON), [["q.a", 3, m.NOON], ["q.b", 3, m.NOON + 3650 * m.DAY],
        ["q.c", 1, m.NOON + m.DAY]]);
      const mended = m.progress.mendClock(doc, m.NOON);
      return [m.progress.aheadOfClock(doc, m.NOON), m.progress.aheadOfClock(mended, m.NOON), doc.cards["q.b"],
        mended.cards["q.b"],
        m.plain([mended.cards["q.a"], mended.cards["q.c"], mended.reviews]) === m.plain([doc.cards["q.a"],
          doc.cards["q.c"], doc.reviews]),
        m.schedule.studyDay(mended.cards["q.b"].due)];
    """
    before, after, wrong, right, others, day = engine(body)
    assert (before, after, others, day) == (1, 0, True, "2026-06-05")  # three days, as after any first «Good»
    assert right["last"] == 1_780_401_600_000
    assert {k: right[k] for k in ("stability", "difficulty", "reps")} == {
        k: wrong[k] for k in ("stability", "difficulty", "reps")
    }


# == merging ==

MERGES = """
  const wrong = { commutes: [], idempotent: [], associates: [], reads: [] };
  for (let i = 0; i < 200; i++) {
    const trunk = m.someRecord(i, { answers: i % 7 });
    const grown = seed => {
      const draw = m.random(1000 * i + seed);
      let doc = trunk, now = m.NOON + 40 * m.DAY;
      for (let k = 0; k < 1 + Math.floor(draw() * 12); k++) {
        now += Math.floor((draw() - 0.3) * 3 * m.DAY);
        doc = m.progress.record(doc, { id: `q.one-${Math.floor(draw() * 8)}`, grade: 1 + Math.floor(draw() * 4), now,
          language: "ja", aloud: draw() < 0.5, points: Math.floor(draw() * 3) });
        if (draw() < 0.2) doc = m.progress.settle(doc, { minutes: 5 + Math.floor(draw() * 40), path: m.pick(draw,
          ["week", null]) }, now);
        if (draw() < 0.2) doc = { ...doc, deferred: { ...doc.deferred,
          "q.one-1": `2026-08-1${Math.floor(draw() * 9)}` } };
      }
      return doc;
    };
    const [a, b, c] = [grown(1), grown(2), i % 3 ? grown(3) : m.someRecord(i + 500)];
    const { merge } = m.progress, ab = merge(a, b);
    if (m.plain(ab) !== m.plain(merge(b, a))) wrong.commutes.push(i);
    if (m.plain(merge(a, a)) !== m.plain(a) || m.plain(merge(ab, b)) !== m.plain(ab)) wrong.idempotent.push(i);
    if (m.plain(merge(ab, c)) !== m.plain(merge(a, merge(b, c)))) wrong.associates.push(i);
    if (m.progress.check(m.progress.exportText(ab)).problem) wrong.reads.push(i);
  }
  return wrong;
"""


def test_merging_does_not_hang_on_order_or_on_how_often(engine):
    assert engine(MERGES) == {"commutes": [], "idempotent": [], "associates": [], "reads": []}


def test_a_merge_holds_every_review_of_both_and_the_later_state_of_each_card(engine):
    body = """
      const trunk = m.answered(m.progress.empty(m.NOON), [["q.a", 3, m.NOON], ["q.b", 3, m.NOON]]);
      const phone = m.answered(trunk, [["q.a", 1, m.NOON + 3 * m.DAY, { language: "ja", aloud: true }], ["q.c", 4,
        m.NOON + 4 * m.DAY]]);
      const desk = m.answered(m.progress.settle(trunk, { minutes: 15 }, m.NOON + m.DAY), [["q.a", 3,
        m.NOON + 5 * m.DAY, { language: "en", aloud: true }]]);
      const both = m.progress.merge(phone, desk);
      return { rows: [...both.reviews].map(row => row.slice(0, 3)),
        a: m.plain(both.cards["q.a"]) === m.plain(desk.cards["q.a"]),
        ids: Object.keys(both.cards).sort(), said: both.said, minutes: both.settings.minutes, day: m.DAY,
          at: m.NOON };
    """
    told = engine(body)
    at, day = told["at"], told["day"]
    assert told["rows"] == [[at, "q.a", 3], [at, "q.b", 3], [at + 3 * day, "q.a", 1], [at + 4 * day, "q.c", 4],
                            [at + 5 * day, "q.a", 3]]  # fmt: skip
    assert told["a"]
    assert told["ids"] == ["q.a", "q.b", "q.c"]
    assert told["said"] == {"q.a": {"ja": at + 3 * day, "en": at + 5 * day}}
    assert told["minutes"] == 15


def test_two_devices_that_answered_one_card_in_one_millisecond(engine):
    body = """
      const [a, b] = [1, 4].map(grade => m.answered(m.progress.empty(m.NOON), [["q.a", grade, m.NOON]]));
      const one = m.progress.merge(a, b), other = m.progress.merge(b, a);
      return [m.plain(one) === m.plain(other), [...one.reviews].map(row => row[2])];
    """
    assert engine(body) == [True, [4]]


def test_settings_and_paths_changed_at_the_same_moment_merge_in_any_order(engine):
    body = """
      const [a, b] = ["tonight", "week"].map((path, i) => m.progress.settle(m.progress.empty(m.NOON), { path,
        minutes: 20 + i }, m.NOON));
      return m.plain(m.progress.merge(a, b)) === m.plain(m.progress.merge(b, a));
    """
    assert engine(body) is True


def test_a_card_answered_elsewhere_is_not_hidden_by_an_old_moved_day(engine):
    body = """
      const trunk = m.answered(m.progress.empty(m.NOON), [["q.a", 3, m.NOON], ["q.b", 3, m.NOON]]);
      const old = { ...trunk, deferred: { "q.a": "2026-07-01", "q.b": "2026-07-02" } };
      const fresh = m.progress.record(trunk, { id: "q.a", grade: 1, now: m.NOON + 9 * m.DAY });
      return m.progress.merge(old, fresh).deferred;
    """
    assert engine(body) == {"q.b": "2026-07-02"}


# == texts ==


def test_an_exported_record_comes_back_exactly(engine):
    body = """
      const wrong = [];
      for (let i = 0; i < 60; i++) {
        const doc = m.someRecord(i, { answers: i * 5 }), text = m.progress.exportText(doc);
        if (m.plain(m.progress.check(text)) !== m.plain(doc)) wrong.push(i);
        if (m.plain(m.progress.check(JSON.parse(text))) !== m.plain(doc)) wrong.push(i);
        if (m.plain(m.progress.check(JSON.stringify(doc))) !== m.plain(doc)) wrong.push(i);
        if (/[^\\x20-\\x7e\\n]/.test(text)) wrong.push(i);
      }
      return wrong;
    """
    assert engine(body) == []


def test_the_text_says_what_it_is(engine):
    told = json.loads(engine("return m.progress.exportText(m.someRecord(1))"))
    assert told["format"] == "interview-book-progress"
    assert (told["version"], told["scheduler"]) == (1, "ts-fsrs 5 FSRS-6")


def checked(engine, text):
    body = "const { problem, expected, got } = m.progress.check(json); return { problem, expected, got };"
    return engine(body, json=text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "not-json"),
        ("ERROR", "not-json"),
        ("{", "not-json"),
        ("undefined", "not-json"),
        ("[]", "foreign"),
        ("null", "foreign"),
        ("5", "foreign"),
        ('"interview-book-progress"', "foreign"),
        ("{}", "foreign"),
        ('{"version": 1}', "foreign"),
        ('{"version": 2, "decks": []}', "foreign"),
        ('{"version": "1", "scheduler": "ts-fsrs 5 FSRS-6"}', "foreign"),
        ('{"version": 0, "scheduler": "ts-fsrs 5 FSRS-6"}', "foreign"),
        ('{"version": 1.5, "scheduler": "ts-fsrs 5 FSRS-6"}', "foreign"),
        ('{"cards": {}, "reviews": [], "app": "some other flashcards"}', "foreign"),
        ('{"version": 2, "scheduler": "ts-fsrs 5 FSRS-6"}', "future"),
        ('{"version": 1, "scheduler": "ts-fsrs 6 FSRS-7"}', "future"),
        ('{"version": 1, "scheduler": "ts-fsrs 5 FSRS-6"}', "damaged"),
        (None, "foreign"),
        (["a"], "foreign"),
    ],
)
def test_what_is_no_record_is_refused_with_a_reason(engine, text, problem):
    told = checked(engine, text)
    assert told["problem"] == problem
    assert told["expected"] and told["got"]


def test_every_cut_of_a_text_is_refused(engine):
    body = """
      const text = m.progress.exportText(m.someRecord(2)).trimEnd();
      return Array.from({ length: 200 }, (_, i) => m.progress.check(text.slice(0,
        Math.floor(text.length * i / 200))).problem);
    """
    assert set(engine(body)) == {"not-json"}


def test_a_text_of_ten_million_characters_is_not_even_parsed(engine):
    body = """
      const long = m.progress.exportText(m.someRecord(2)).trimEnd() + " ".repeat(10_000_000);
      const from = performance.now(), found = m.progress.check(long);
      return [found.problem, performance.now() - from];
    """
    problem, spent = engine(body)
    assert problem == "too-large"
    assert spent < 50


DAMAGES = [
    "doc.created = -1", "doc.created = 1e300", "doc.created = '2026'", "delete doc.created",
    "doc.settings.minutes = 1e999", "doc.settings.minutes = -5", "doc.settings.minutes = 7.5", "delete doc.settings",
    "doc.settings.date = '2026-13-01'", "doc.settings.silent = 1", "doc.settings = []", "doc.settings.at = null",
    "card.due = 1e999", "card.due = -1", "card.due = 1.5", "card.due = null",
    "card.stability = 0", "card.stability = -3", "card.stability = 1e6", "card.stability = '3'",
    "card.difficulty = 0.5", "card.difficulty = 11", "card.reps = -1", "card.reps = 1e9", "card.lapses = 0.5",
    "card.state = 4", "card.last = null", "card.last = 1e300", "delete card.state", "doc.cards = []",
    "doc.cards['q.one-0'] = null", "doc.cards['q.one-0'] = 7", "doc.cards['constructor'] = { ...card }",
    "doc.cards['a b'] = { ...card }", "doc.said = null", "doc.said['q.x'] = { fr: 5 }",
    "doc.said['q.x'] = { ja: -5 }", "doc.said['q.x'] = 5", "doc.deferred['q.x'] = 5",
    "doc.deferred['q.x'] = '2026-02-30'", "doc.deferred = 'none'", "doc.path = {}",
    "doc.path = { id: 'week', started: -1, ids: [] }", "doc.path = { id: 'week', started: 1, ids: [5] }",
    "doc.path = { id: 'year', started: 1, ids: [] }", "delete doc.path", "delete doc.reviews", "doc.reviews = {}",
    "doc.reviews = [5]", "doc.reviews = [[]]", "doc.reviews[0] = [[], [1, 0, 2, 3]]", "numbers[0] = -1",
    "numbers[0] = 1e999", "numbers[0] = 1e14", "numbers[0] = '1'", "numbers[1] = 999", "numbers[1] = -1",
    "numbers[2] = -4", "numbers[2] = 0.5", "numbers[2] = 1e9", "numbers[3] = -1", "numbers[3] = 1e6",
    "numbers[3] = null", "numbers.pop()", "numbers.push(1, 2)", "numbers[4] = -5", "doc.reviews[0][0][0] = 5",
    "doc.reviews[0][0][0] = '0a b'", "doc.reviews[0][0][0] = '0constructor'", "doc.reviews.push(doc.reviews[0])",
    "doc.reviews[0].push(1)", "doc.reviews = [[['0q.a'], ['1', 0, 2, 3]]]",
    "doc.reviews = [[['0q.a'], [0.5, 0, 2, 3]]]",
]  # fmt: skip


def test_any_damage_is_found(engine):
    body = """
      const told = {};
      for (const damage of damages) {
        const doc = JSON.parse(m.progress.exportText(m.someRecord(4))), card = doc.cards["q.one-0"],
          numbers = doc.reviews[0][1];
        new Function("doc", "card", "numbers", damage)(doc, card, numbers);
        const found = m.progress.check(JSON.stringify(doc).replaceAll("null",
          damage.includes("1e999") ? "1e999" : "null"));
        told[damage] = found.problem ? [found.problem, Boolean(found.expected && found.got && found.at)] : null;
      }
      return told;
    """
    told = engine(body, damages=DAMAGES)
    assert {damage: found for damage, found in told.items() if found != ["damaged", True]} == {}
    assert len(told) == len(DAMAGES)


def test_a_prototype_in_a_text_pollutes_nothing(engine):
    body = """
      const told = ["cards", "said", "deferred", "settings"].map(name => {
        const text = m.progress.exportText(m.someRecord(4)).replace(`"${name}":{`,
          `"${name}":{"__proto__":{"polluted":1,"ja":5},`).replaceAll(",}", "}");
        const found = m.progress.check(text);
        return [found.problem ?? "read", ({}).polluted ?? null, found[name]?.polluted ?? null];
      });
      const outer = m.progress.exportText(m.someRecord(4)).replace("{", '{"__proto__":{"polluted":1},');
      return [...told, [m.progress.check(outer).problem ?? "read", ({}).polluted ?? null,
        m.progress.check(outer).polluted ?? null]];
    """
    damaged, read = ["damaged", None, None], ["read", None, None]
    assert engine(body) == [damaged, damaged, damaged, read, read]


def test_fields_nobody_knows_are_left_behind(engine):
    body = """
      const doc = m.someRecord(4), text = m.progress.exportText(doc, { note: "x",
        onerror: "alert(1)" }).replace('"reps"', '"evil":1,"reps"');
      return m.plain(m.progress.check(text)) === m.plain(doc);
    """
    assert engine(body) is True


def test_older_versions_are_lifted_step_by_step(engine):
    body = """
      const steps = { 1: doc => ({ ...doc, two: true }), 2: doc => ({ ...doc, three: doc.two }) };
      return [m.documents.migrate({ version: 1 }, steps, 3), m.documents.migrate({ version: 3 }, steps, 3),
        m.documents.migrate({ version: 1 }, {}, 2).problem, m.documents.MIGRATIONS, m.documents.VERSION];
    """
    lifted, same, missing, table, version = engine(body)
    assert lifted == {"version": 3, "two": True, "three": True}
    assert same == {"version": 3}
    assert missing == "foreign"
    # a version without its migration would lose every older record
    assert sorted(map(int, table)) == list(range(1, version))


# == pictures ==


def test_mastery_by_topic(engine):
    body = """
      process.env.TZ = "UTC";
      const index = m.bank(["explain", "grade", "choice", "number", "choice"], i => ({ topic: ["a", "a", "b", "b",
        "z"][i] }));
      index.topics = { b: "B", empty: "-", a: "A", z: "Z" };
      const easy = [["q.explain-0", 4, m.NOON], ["q.grade-1", 4, m.NOON], ["q.choice-2", 3, m.NOON], ["q.number-3",
        4, m.NOON], ["gone.card", 4, m.NOON]];
      const doc = m.answered(m.progress.empty(m.NOON), easy);
      const known = doc.cards["q.number-3"], lost = { ...doc, cards: { ...doc.cards, "q.number-3": { ...known,
        state: 3 } } };
      return [m.progress.mastery(doc, index), m.progress.mastery(lost, index)[0],
        m.progress.mastery(m.answered(doc, [["q.number-3", 1, m.NOON + 1]]),
        index)[0]];
    """
    told, forgotten, failed = engine(body)
    assert told == [
        {"topic": "b", "total": 2, "learnt": 1, "started": 2},
        {"topic": "a", "total": 1, "learnt": 1, "started": 1},
        {"topic": "z", "total": 1, "learnt": 0, "started": 0},
    ]
    assert failed["learnt"] == forgotten["learnt"] == 0  # however stable it was


def test_forecast_counts_by_study_day_with_what_is_overdue_today(engine):
    body = """
      process.env.TZ = "Asia/Tokyo";
      const index = m.bank(["explain", "choice", "number", "explain", "choice"]);
      const doc = m.answered(m.progress.empty(m.NOON), [["q.explain-0", 1, m.NOON - 9 * m.DAY], ["q.choice-1", 1,
        m.NOON],
        ["q.number-2", 3, m.NOON], ["q.explain-3", 4, m.NOON], ["gone.card", 3, m.NOON]]);
      const at = more => m.progress.forecast({ ...doc, ...more }, index, m.NOON, 10);
      return [at({}), at({ deferred: { "q.explain-0": "2026-06-04" } }), at({ settings: { ...doc.settings,
        date: "2026-06-04" } })];
    """
    plain, moved, dated = engine(body)
    assert [one["day"] for one in plain] == [f"2026-06-{day:02}" for day in range(2, 12)]
    # today the explain; tomorrow what was forgotten; after 3 days Good; after 8 Easy
    assert [(i, one["count"], one["minutes"]) for i, one in enumerate(plain) if one["count"]] == [
        (0, 1, 5), (1, 1, 1), (3, 1, 2), (8, 1, 5)]  # fmt: skip
    assert [(i, one["count"]) for i, one in enumerate(moved) if one["count"]] == [(1, 1), (2, 1), (3, 1), (8, 1)]
    # the interview is in two days: nothing comes after it, what is well known comes at the higher recall
    assert [(i, one["count"]) for i, one in enumerate(dated) if one["count"]] == [(0, 1), (1, 2), (2, 1)]


def test_history_counts_answers_of_each_study_day(engine):
    body = """
      process.env.TZ = "Asia/Tokyo";
      const at = (day, hour) => Date.UTC(2026, 5, day, hour - 9);
      const doc = m.answered(m.progress.empty(at(1, 5)), [["q.a", 1, at(1, 23), { seconds: 60 }], ["q.b", 3, at(1,
        27), { seconds: 90 }],
        ["q.c", 2, at(2, 4), { seconds: 33 }], ["q.d", 4, at(4, 12)], ["q.e", 4, at(40, 12)]]);
      return m.progress.history(doc, null, 4, at(4, 13));
    """
    assert engine(body) == [
        {"day": "2026-06-01", "count": 2, "minutes": 2.5, "right": 1},
        {"day": "2026-06-02", "count": 1, "minutes": 0.6, "right": 1},
        {"day": "2026-06-03", "count": 0, "minutes": 0, "right": 0},
        {"day": "2026-06-04", "count": 1, "minutes": 0, "right": 1},
    ]


def test_history_adds_up_over_a_change_of_the_clocks(engine):
    body = """
      process.env.TZ = "America/New_York";
      const start = Date.UTC(2026, 2, 1, 12), times = Array.from({ length: 400 }, (_, i) => start + i * 37 * 60000);
      const doc = m.answered(m.progress.empty(start), times.map((at, i) => ["q.a", 3, at]));
      const days = m.progress.history(doc, null, 20, times.at(-1)), counts = new Map();
      for (const at of times) counts.set(m.schedule.studyDay(at), (counts.get(m.schedule.studyDay(at)) ?? 0) + 1);
      const wrong = days.filter(one => one.count !== (counts.get(one.day) ?? 0));
      return [wrong, days.reduce((sum, one) => sum + one.count, 0)];
    """
    assert engine(body) == [[], 400]
