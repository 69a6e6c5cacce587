"""plan.js: what comes today, in which order, and that it never is more than today's minutes."""

import itertools

import pytest

ZONE = 'process.env.TZ = "Asia/Tokyo";'


def test_the_first_day_fills_the_minutes_with_new_cards(engine):
    body = """
      const index = m.bank(Array(12).fill("explain")), doc = m.progress.empty(m.NOON);
      return m.plan.today(index, doc, doc.settings, m.NOON);
    """
    assert engine(ZONE + body) == {
        "ids": [f"q.explain-{i}" for i in range(8)],
        "due": 0,
        "fresh": 8,
        "minutes": 40,
        "finished": False,
        "backlog": None,
        "interview": None,
    }


def test_an_empty_bank_is_finished(engine):
    body = "const doc = m.progress.empty(m.NOON); return m.plan.today(m.bank([]), doc, doc.settings, m.NOON);"
    told = engine(body)
    assert (told["ids"], told["minutes"], told["finished"], told["backlog"]) == ([], 0, True, None)


RANDOM_DAYS = """
  const draw = m.random(9), told = [];
  for (let i = 0; i < 400; i++) {
    const kinds = Array.from({ length: 1 + Math.floor(draw() * 60) }, () =>
      m.pick(draw, ["explain", "choice", "number", "expression", "grade", "code", "diagnose"]));
    const index = m.bank(kinds, (n, kind) => kind === "grade" ? { of: `q.explain-${kinds.indexOf("explain")}` } : {});
    let doc = m.progress.empty(m.NOON), now = m.NOON;
    const changes = { minutes: m.pick(draw, [5, 10, 20, 40, 90]), silent: draw() < 0.3, path: m.pick(draw, [null,
      null, "tonight", "week"]),
      date: m.pick(draw, [null, null, "2026-06-20", "2026-07-30"]) };
    doc = m.progress.settle(doc, changes, now, index);
    for (let k = 0; k < 60 * draw(); k++) {
      now += Math.floor(draw() * m.DAY);
      const seconds = Math.floor(draw() * 400);
      doc = m.progress.record(doc, { id: m.pick(draw, index.cards).id, grade: 1 + Math.floor(draw() * 4), now,
        seconds });
    }
    now += Math.floor(draw() * 10 * m.DAY);
    const took = card => [...doc.reviews].filter(row => row[1] === card.id &&
      m.schedule.studyDay(row[0]) === m.schedule.studyDay(now)).reduce((sum, row) => sum + row[3], 0);
    const before = index.cards.reduce((sum, card) => sum + Math.min(card.seconds, took(card)), 0);
    const plan = m.plan.today(index, doc, doc.settings, now);
    const seconds = plan.ids.reduce((sum, id) => sum + index.cards.find(card => card.id === id).seconds, 0);
    told.push({ plan, seconds, spent: before, budget: doc.settings.minutes * 60, silent: doc.settings.silent,
      kinds: plan.ids.map(id => id.split(/[.-]/)[1]) });
  }
  return told;
"""


@pytest.fixture(scope="module")
def days(engine):
    return engine(ZONE + RANDOM_DAYS)


def test_a_day_is_never_longer_than_its_minutes(days):
    alone = 0
    for day in days:
        plan = day["plan"]
        if day["seconds"] + day["spent"] > day["budget"]:
            # only one card, longer than any day, where no shorter one was waiting
            assert len(plan["ids"]) <= 1
            assert not plan["ids"] or (day["spent"] == 0 and day["seconds"] > day["budget"])
            alone += len(plan["ids"])
        assert plan["minutes"] == -(-day["seconds"] // 60)
    assert alone >= 3
    assert sum(bool(day["plan"]["backlog"]) for day in days) > 30


def test_a_plan_counts_what_it_holds(days):
    for day in days:
        plan = day["plan"]
        assert len(set(plan["ids"])) == len(plan["ids"]) == plan["due"] + plan["fresh"]
        assert plan["finished"] == (not plan["ids"])


def test_in_silence_nothing_is_to_be_spoken_or_programmed(days):
    seen = {kind for day in days if day["silent"] for kind in day["kinds"]}
    assert seen == {"explain", "choice", "number", "expression", "grade"}
    assert {"code", "diagnose"} <= {kind for day in days if not day["silent"] for kind in day["kinds"]}


def test_reviews_come_before_new_cards_the_least_certain_first(engine):
    body = """
      const index = m.bank(["choice", "choice", "choice", "choice"]);
      // All answered on one day; the one that was forgotten is the least certain, then Hard, then Good.
      const doc = m.answered(m.progress.empty(m.NOON), [["q.choice-0", 3, m.NOON], ["q.choice-1", 2, m.NOON],
        ["q.choice-3", 1, m.NOON]]);
      const now = m.NOON + 9 * m.DAY, plan = m.plan.today(index, doc, doc.settings, now);
      return [plan.ids, plan.due, plan.fresh,
        index.cards.map(card => doc.cards[card.id] && m.schedule.recall(doc.cards[card.id], now))];
    """
    ids, due, fresh, certain = engine(ZONE + body)
    assert ids == ["q.choice-3", "q.choice-1", "q.choice-0", "q.choice-2"]
    assert (due, fresh) == (3, 1)
    assert certain[3] < certain[1] < certain[0]


def test_new_cards_come_by_role_frequency_level_and_kind(engine):
    body = """
      const cards = [
        ["choice", { frequency: "rare", level: "core" }], ["explain", { frequency: "common", level: "research" }],
        ["number", { frequency: "common", level: "core" }], ["explain", { frequency: "common", level: "core" }],
        ["explain", { frequency: "common", level: "core", roles: ["inference"] }], ["choice", { frequency: "new",
          level: "core" }],
      ];
      const index = m.bank(cards.map(([kind]) => kind), i => cards[i][1]), doc = m.progress.empty(m.NOON);
      const order = settings => m.plan.today(index, doc, { ...doc.settings, ...settings },
        m.NOON).ids.map(id => Number(id.at(-1)));
      return [order({}), order({ role: "inference" }), order({ role: "research" })];
    """
    anyone, inference, research = engine(ZONE + body)
    assert anyone == [3, 4, 2, 1, 0, 5]
    assert inference == [4, 3, 2, 1, 0, 5]
    assert research == [3, 2, 1, 0, 5, 4]


def test_the_end_does_not_move_while_one_works(engine):
    """Known answers take cards off the list of the morning, one after the other, and add none."""
    body = """
      const kinds = Array.from({ length: 50 }, (_, i) => ["explain", "choice", "number", "code",
        "expression"][i % 5]);
      const index = m.bank(kinds);
      let doc = m.answered(m.progress.empty(m.NOON), kinds.slice(0, 15).map((kind, i) => [`q.${kind}-${i}`, 2,
        m.NOON]));
      let now = m.NOON + 5 * m.DAY;
      const morning = m.plan.today(index, doc, doc.settings, now), left = [];
      for (const id of morning.ids) {
        doc = m.progress.record(doc, { id, grade: 3, now: (now += 60000), seconds: 900 });
        left.push(m.plan.today(index, doc, doc.settings, now).ids);
      }
      return [morning.ids, left, m.plan.today(index, doc, doc.settings, now).finished];
    """
    morning, left, finished = engine(ZONE + body)
    assert len(morning) > 8
    assert left == [morning[i + 1 :] for i in range(len(morning))]
    assert finished


def test_what_was_forgotten_is_due_on_the_next_day_in_every_list(engine):
    body = """
      const index = m.bank(["choice", "choice", "choice"]);
      const doc = m.answered(m.progress.empty(m.NOON), [["q.choice-0", 1, m.NOON]]);
      const known = m.answered(doc, [["q.choice-0", 3, m.NOON + 9]]);
      return [doc, known].map(one => {
        const { ids, due, fresh } = m.plan.today(index, one, one.settings, m.NOON + 10);
        return [ids, due, fresh, m.progress.forecast(one, index, m.NOON + 10, 2).map(({ count }) => count),
          m.plan.today(index, one, one.settings, m.NOON + m.DAY).due];
      });
    """
    assert engine(ZONE + body) == [[["q.choice-1", "q.choice-2"], 0, 2, [0, 1], 1]] * 2


# == a plan that was begun ==

BEGUN = """
  const kinds = Array.from({ length: 60 }, (_, i) => ["explain", "choice", "number", "diagnose", "expression"][i % 5]);
  const index = m.bank(kinds), draw = m.random(3);
  const old = kinds.slice(0, 20).map((kind, i) => [`q.${kind}-${i}`, 1 + (i % 3), m.NOON]);
  let doc = m.answered(m.progress.empty(m.NOON), old), now = m.NOON + 5 * m.DAY;
  const rest = () => m.plan.today(index, doc, doc.settings, now).ids;
  const answer = (id, more) => {
    doc = m.progress.record(m.plan.keepPlan(doc, index, now),
      { id, grade: m.pick(draw, [1, 3]), now: (now += 60000), ...more });
  };
"""


def test_answers_only_take_cards_off_a_day_that_was_begun(engine):
    """Whatever is answered, planned or freely, quickly or slowly, and after a reload too."""
    body = """
      const morning = rest(), steps = [];
      for (let i = 0; i < 30; i++) {
        const before = rest(), free = i % 2 === 1, id = free ? m.pick(draw, index.cards).id : before[0];
        if (!id) break;
        answer(id, { seconds: Math.floor(draw() * 900) });
        doc = m.documents.check(m.documents.exportText(doc));
        steps.push([before.filter(one => one !== id), rest()]);
      }
      return [morning, steps];
    """
    morning, steps = engine(ZONE + BEGUN + body)
    assert len(morning) > 8
    assert len(steps) > 8
    assert [after for _, after in steps] == [expected for expected, _ in steps]


def test_other_conditions_make_another_plan_from_the_seconds_really_spent(engine):
    body = """
      const index = m.bank(Array(30).fill("explain"));
      let doc = m.plan.keepPlan(m.progress.empty(m.NOON), index, m.NOON);
      const ids = index.cards.map(card => card.id);
      const rest = minutes => m.plan.today(index, doc, { ...doc.settings, minutes }, m.NOON + 9).ids.length;
      for (const [i, seconds] of [60, 900, 0].entries())
        doc = m.progress.record(doc, { id: ids[i], grade: 3, now: m.NOON + i, seconds });
      return [rest(40), rest(20), rest(60)];
    """
    # 8 were planned; of 20 and 60 minutes 1 + 5 + 0 are gone
    assert engine(ZONE + body) == [5, 2, 10]


def test_the_next_day_has_a_plan_of_its_own(engine):
    body = """
      for (const id of rest()) answer(id, { seconds: 30 });
      const evening = rest();
      now += m.DAY;
      const next = rest(), kept = m.plan.keepPlan(doc, index, now);
      return [evening, next, kept.plan.ids, kept.plan.day, m.plan.keepPlan(kept, index, now) === kept];
    """
    evening, tomorrow, kept, day, same = engine(ZONE + BEGUN + body)
    assert evening == []
    assert tomorrow == kept and len(tomorrow) > 3
    assert (day, same) == ("2026-06-08", True)


def test_the_plan_of_the_later_day_survives_a_merge(engine):
    body = """
      const plan = (day, ...ids) => ({ ...m.progress.empty(0), plan: day && { day, of: "40", ids } });
      const all = [plan(null), plan("2026-06-02", "q.a"), plan("2026-06-02", "q.b"), plan("2026-06-03", "q.c")];
      return all.map(a => all.map(b => m.progress.merge(a, b).plan?.ids[0] ?? null));
    """
    assert engine(body) == [
        [None, "q.a", "q.b", "q.c"],
        ["q.a", "q.a", "q.b", "q.c"],
        ["q.b", "q.b", "q.b", "q.c"],
        ["q.c"] * 4,
    ]


def test_a_plan_that_makes_no_sense_is_damaged_and_none_is_none(engine):
    body = """
      const text = plan => JSON.stringify({ ...JSON.parse(m.documents.exportText(m.progress.empty(0))), plan });
      const good = { day: "2026-06-02", of: "40", ids: ["q.a"] };
      return [good, null, undefined, 5, { ...good, day: "x" }, { ...good, of: 5 }, { ...good, ids: ["__proto__"] }]
        .map(plan => (one => one.problem ?? one.plan)(m.documents.check(text(plan))));
    """
    good = {"day": "2026-06-02", "of": "40", "ids": ["q.a"]}
    assert engine(body) == [good, None, None, "damaged", "damaged", "damaged", "damaged"]


# == code, which wants a notebook ==


def test_code_comes_last_and_on_the_very_first_day_only_where_minutes_are_left(engine):
    body = """
      const more = (i, kind) => ({ frequency: kind === "code" ? "common" : "rare" });
      const index = m.bank(["code", ...Array(8).fill("explain")], more), empty = m.progress.empty(m.NOON);
      const ids = (doc, minutes) => m.plan.today(index, doc, { ...doc.settings, minutes }, m.NOON).ids;
      const known = m.answered(empty, [["q.other", 4, m.NOON - m.DAY]]);
      return [ids(empty, 40), ids(empty, 60), ids(known, 40)];
    """
    explains = [f"q.explain-{i}" for i in range(1, 9)]
    assert engine(ZONE + body) == [explains, [*explains, "q.code-0"], [*explains[:4], "q.code-0"]]


def test_what_is_put_off_comes_on_the_next_day_and_only_then(engine):
    body = """
      const more = (i, kind) => ({ frequency: kind === "code" ? "rare" : "common" });
      const index = m.bank([...Array(20).fill("explain"), "code", "code"], more);
      let doc = m.answered(m.progress.empty(m.NOON), [["q.code-21", 3, m.NOON - 90 * m.DAY]]);
      const ids = now => m.plan.today(index, doc, doc.settings, now).ids.filter(id => id.includes("code"));
      const before = ids(m.NOON), cards = m.plain(doc.cards);
      doc = m.plan.keepPlan(doc, index, m.NOON);
      for (const id of ["q.code-20", "q.code-21"]) doc = m.plan.putOff(doc, id, m.NOON);
      return [before, ids(m.NOON + 5),
        m.plan.today(index, doc, { ...doc.settings, minutes: 90 }, m.NOON + 5).ids.length,
        ids(m.NOON + m.DAY), m.plain(doc.cards) === cards, [...doc.reviews].length];
    """
    assert engine(ZONE + body) == [["q.code-21"], [], 18, ["q.code-21", "q.code-20"], True, 1]


def test_a_card_longer_than_the_day_comes_alone(engine):
    body = """
      const index = m.bank(["code", "choice", "choice"]), doc = m.progress.settle(m.progress.empty(m.NOON),
        { minutes: 10 }, m.NOON);
      const first = { ...index, cards: index.cards.map(card => ({ ...card,
        frequency: card.kind === "code" ? "common" : "rare" })) };
      const plan = m.plan.today({ ...first, cards: first.cards.slice(0, 1) }, doc, doc.settings, m.NOON);
      const after = m.answered(doc, [["q.code-0", 3, m.NOON, { seconds: 1200 }]]);
      // Where shorter ones are worth more, it waits for its turn.
      const later = { ...index, cards: index.cards.map(card => ({ ...card,
        frequency: card.kind === "code" ? "rare" : "common" })) };
      return [plan.ids, plan.minutes, m.plan.today(first, after, after.settings, m.NOON + 1).ids,
        m.plan.today(later, doc, doc.settings, m.NOON).ids];
    """
    assert engine(ZONE + body) == [["q.code-0"], 20, [], ["q.choice-1", "q.choice-2"]]


def test_a_card_longer_than_the_day_waits_while_there_are_shorter_reviews(engine):
    """After an absence the least certain one may be a function to program: four times what a day should be."""
    body = """
      const index = m.bank(["code", "code", "choice", "number"]);
      const ago = m.NOON - 60 * m.DAY, settle = doc => m.progress.settle(doc, { minutes: 5 }, m.NOON);
      const plan = ids => {
        const answers = ids.map(id => [id, id.includes("code") ? 1 : 3, ago]);
        const doc = settle(m.answered(m.progress.empty(ago), answers));
        const day = m.plan.today(index, doc, doc.settings, m.NOON);
        return [day.ids, day.minutes, day.backlog?.count ?? 0];
      };
      const all = index.cards.map(card => card.id);
      return [all, ["q.code-0", "q.number-3"], ["q.code-0", "q.code-1"], ["q.code-0"]].map(plan);
    """
    assert engine(ZONE + body) == [
        [["q.choice-2", "q.number-3"], 2, 2],
        [["q.number-3", "q.choice-2"], 2, 1],  # and a new one
        [["q.code-0"], 20, 1],  # though there are new ones that are shorter: a review comes before them
        [["q.code-0"], 20, 0],
    ]


def test_a_new_card_longer_than_the_day_waits_while_there_are_shorter_new_ones(engine):
    body = """
      const more = (i, kind) => ({ frequency: kind === "code" ? "common" : "rare" });
      const index = m.bank(["code", "choice", "choice"], more);
      let doc = m.answered(m.progress.empty(m.NOON), [["q.other", 4, m.NOON - m.DAY]]);
      doc = m.progress.settle(doc, { minutes: 5 }, m.NOON);
      const ids = now => m.plan.today(index, doc, doc.settings, now).ids, first = ids(m.NOON);
      doc = m.answered(doc, [["q.choice-1", 4, m.NOON], ["q.choice-2", 4, m.NOON]]);
      return [first, ids(m.NOON + m.DAY)];
    """
    assert engine(ZONE + body) == [["q.choice-1", "q.choice-2"], ["q.code-0"]]


# == grading exercises ==


def test_a_grading_exercise_comes_on_a_day_after_its_explain(engine):
    body = """
      const index = m.bank(["grade", "explain"], i => (i ? {} : { of: "q.explain-1" })),
        empty = m.progress.empty(m.NOON);
      const doc = m.answered(empty, [["q.explain-1", 4, m.NOON]]);
      const ids = (one, now) => m.plan.today(index, one, one.settings, now).ids;
      return [ids(empty, m.NOON), ids(doc, m.NOON + 5), ids(doc, m.NOON + m.DAY)];
    """
    assert engine(ZONE + body) == [["q.explain-1"], [], ["q.grade-0"]]


def test_in_silence_it_comes_before_its_explain(engine):
    body = """
      const index = m.bank(["explain", "grade", "grade"], i => (i ? { of: "q.explain-0" } : {}));
      const doc = m.progress.settle(m.progress.empty(m.NOON), { silent: true }, m.NOON);
      return m.plan.today(index, doc, doc.settings, m.NOON).ids;
    """
    assert engine(ZONE + body) == ["q.grade-1", "q.grade-2", "q.explain-0"]


# == paths ==

BANK = """
  const kinds = [...Array(10).fill("explain"), ...Array(10).fill("choice"), ...Array(4).fill("code"),
    ...Array(30).fill("number"),
    ...Array(6).fill("grade")];
  const index = m.bank(kinds, (i, kind) => (kind === "grade" ? { of: "q.explain-0" } : {}));
"""


def test_paths_are_as_long_as_the_bank_allows(engine):
    body = """
      const doc = m.progress.empty(m.NOON), small = { ...index, cards: index.cards.slice(4, 14) };
      return [index, small, m.bank([])].map(one => m.plan.paths(one, doc.settings, doc));
    """
    full, small, none = engine(ZONE + BANK + body)
    assert [(one["id"], one["size"], one["days"]) for one in full] == [
        ("tonight", 8, 1),
        ("three-days", 20, 3),
        ("week", 45, 7),
    ]
    # 8 explains of 5 minutes; with 2 more and 10 choices of 20 s; with 25 numbers of 75 s and the rest
    assert [one["minutesADay"] for one in full] == [40, 18, 13]
    assert [one["size"] for one in small] == [8, 10, 10]
    assert [(one["size"], one["minutesADay"], one["done"], one["finished"]) for one in none] == [(0, 0, 0, False)] * 3


def test_tonight_is_for_answers_said_aloud_and_longer_paths_go_on_from_it(engine):
    body = (
        BANK + "return ['tonight', 'three-days', 'week'].map(id => m.priority.questionsOf(index, { role: null }, id));"
    )
    tonight, three, week = engine(body)
    assert all(one.startswith("q.explain") for one in tonight)
    assert three[:8] == tonight
    assert week[:20] == three
    assert not [one for one in week if "grade" in one]
    assert len(set(week)) == 45


def test_a_path_is_spread_over_its_days_and_has_an_end(engine):
    body = """
      let doc = m.progress.settle(m.progress.empty(m.NOON), { path: "three-days", minutes: 90 }, m.NOON, index);
      const told = [];
      for (let day = 0; day < 5; day++) {
        const now = m.NOON + day * m.DAY, plan = m.plan.today(index, doc, doc.settings, now);
        const fresh = plan.ids.filter(id => !doc.cards[id]);
        for (const id of plan.ids) doc = m.progress.record(doc, { id, grade: 4, now });
        told.push([fresh.length, m.plan.paths(index, doc.settings, doc)[1].done, m.plan.today(index, doc,
          doc.settings, now + 9).finished]);
      }
      return [told, m.plan.paths(index, doc.settings, doc)];
    """
    told, paths = engine(ZONE + BANK + body)
    assert told == [[7, 7, True], [7, 14, True], [6, 20, True], [0, 20, True], [0, 20, True]]
    assert [(one["done"], one["finished"]) for one in paths] == [(8, True), (20, True), (20, False)]


def test_a_path_left_for_a_day_catches_up(engine):
    body = """
      const doc = m.progress.settle(m.progress.empty(m.NOON), { path: "three-days", minutes: 90 }, m.NOON, index);
      return [0, 1, 2, 9].map(day => m.plan.today(index, doc, doc.settings, m.NOON + day * m.DAY).fresh);
    """
    assert engine(ZONE + BANK + body) == [7, 10, 20, 20]


def test_a_finished_path_stays_finished_when_a_card_is_forgotten_or_the_bank_grows(engine):
    body = """
      const index = m.bank(Array(8).fill("explain"));
      let doc = m.progress.settle(m.progress.empty(m.NOON), { path: "tonight" }, m.NOON, index);
      for (const { id } of index.cards) doc = m.progress.record(doc, { id, grade: 3, now: m.NOON });
      doc = m.progress.record(doc, { id: "q.explain-3", grade: 1, now: m.NOON + 9 * m.DAY });
      const grown = m.bank(Array(20).fill("explain"), i => (i < 8 ? { frequency: "rare" } : {}));
      return [index, grown].map(one => m.plan.paths(one, doc.settings, doc)[0]).map(({ size, done,
        finished }) => [size, done, finished]);
    """
    assert engine(ZONE + body) == [[8, 8, True], [8, 8, True]]


def test_a_path_drops_questions_the_bank_lost(engine):
    body = """
      const index = m.bank(Array(8).fill("explain"));
      const doc = m.progress.settle(m.progress.empty(m.NOON), { path: "tonight" }, m.NOON, index);
      const less = { ...index, cards: index.cards.slice(2) }, [path] = m.plan.paths(less, doc.settings, doc);
      return [path.size, m.plan.today(less, doc, doc.settings, m.NOON).ids];
    """
    assert engine(ZONE + body) == [6, [f"q.explain-{i}" for i in range(2, 8)]]


def test_a_path_says_whether_todays_minutes_are_enough(engine):
    body = """
      const doc = m.progress.empty(m.NOON);
      return [40, 39].map(minutes => m.plan.paths(index, { ...doc.settings, minutes }, doc)[0].fits);
    """
    assert engine(BANK + body) == [True, False]


def test_on_a_path_reviews_come_too(engine):
    body = """
      const index = m.bank([...Array(8).fill("explain"), "choice", "choice"], (i,
        kind) => ({ frequency: kind === "choice" ? "rare" : "common" }));
      let doc = m.answered(m.progress.empty(m.NOON), [["q.choice-8", 2, m.NOON - 9 * m.DAY]]);
      doc = m.progress.settle(doc, { path: "tonight", minutes: 60 }, m.NOON, index);
      const { ids, due, fresh } = m.plan.today(index, doc, doc.settings, m.NOON);
      return [ids, due, fresh];
    """
    assert engine(ZONE + body) == [["q.choice-8", *(f"q.explain-{i}" for i in range(8))], 1, 8]


# == a backlog ==

MANY = """
  const index = m.bank(Array(30).fill("explain"));
  const doc = m.answered(m.progress.empty(m.NOON), index.cards.map(({ id }, i) => [id, 1 + (i % 3), m.NOON + i]));
"""


def test_too_much_is_told_not_shown_and_the_reader_is_welcomed_back(engine):
    body = MANY + "return [4, 10].map(days => m.plan.today(index, doc, doc.settings, m.NOON + days * m.DAY));"
    for plan in engine(ZONE + body):
        assert (len(plan["ids"]), plan["minutes"], plan["fresh"]) == (8, 40, 0)
        assert plan["backlog"] == {"count": 22, "minutes": 110, "returning": True}
    body = """
      const next = m.answered(doc, [["x", 4, m.NOON + 8 * m.DAY]]);
      return m.plan.today(index, next, next.settings, m.NOON + 10 * m.DAY);
    """
    assert engine(ZONE + MANY + body)["backlog"]["returning"] is False


def test_spreading_moves_it_to_the_coming_days_none_too_long(engine):
    body = """
      const now = m.NOON + 10 * m.DAY, frozen = m.plain(doc), next = m.plan.spread(doc, index, doc.settings, now);
      const plan = m.plan.today(index, next, next.settings, now);
      return { same: m.plain(m.plan.today(index, doc, doc.settings, now).ids) === m.plain(plan.ids),
        backlog: plan.backlog,
        untouched: m.plain(doc) === frozen, cards: m.plain(next.cards) === m.plain(doc.cards),
          deferred: next.deferred,
        ahead: m.progress.forecast(next, index, now, 6), again: m.plan.spread(next, index, next.settings,
          now) === next };
    """
    told = engine(ZONE + MANY + body)
    assert (told["same"], told["backlog"], told["untouched"], told["cards"], told["again"]) == (
        True,
        None,
        True,
        True,
        True,
    )
    assert sorted(told["deferred"].values()) == ["2026-06-13"] * 8 + ["2026-06-14"] * 8 + ["2026-06-15"] * 6
    assert [(one["count"], one["minutes"]) for one in told["ahead"]] == [
        (8, 40),
        (8, 40),
        (8, 40),
        (6, 30),
        (0, 0),
        (0, 0),
    ]


def test_a_spread_backlog_comes_on_its_days(engine):
    body = """
      let now = m.NOON + 10 * m.DAY, one = m.plan.spread(doc, index, doc.settings, now), told = [];
      for (let day = 0; day < 5; day++, now += m.DAY) {
        const plan = m.plan.today(index, one, one.settings, now);
        told.push([plan.due, plan.backlog?.count ?? 0]);
        for (const id of plan.ids) one = m.progress.record(one, { id, grade: 4, now });
      }
      return [told, one.deferred];
    """
    told, deferred = engine(ZONE + MANY + body)
    assert told[:4] == [[8, 0], [8, 0], [8, 0], [6, 0]]
    assert deferred == {}


def test_the_most_urgent_of_a_backlog_come_first(engine):
    body = """
      const now = m.NOON + 10 * m.DAY, next = m.plan.spread(doc, index, doc.settings, now);
      const certain = Object.entries(next.deferred).map(([id, day]) => [day, m.schedule.recall(doc.cards[id], now)]);
      const shown = m.plan.today(index, doc, doc.settings, now).ids.map(id => ["2026-06-12",
        m.schedule.recall(doc.cards[id], now)]);
      return [...shown, ...certain];
    """
    told = engine(ZONE + MANY + body)
    days = sorted({day for day, _ in told})
    bounds = [(min(c for d, c in told if d == day), max(c for d, c in told if d == day)) for day in days]
    assert all(before[1] <= after[0] for before, after in itertools.pairwise(bounds))


def test_a_backlog_is_spread_before_the_interview(engine):
    body = """
      const now = m.NOON + 10 * m.DAY;
      return ["2026-06-14", "2026-06-13", "2026-07-30"].map(date => {
        const settings = { ...doc.settings, date };
        return Object.values(m.plan.spread({ ...doc, settings }, index, settings, now).deferred).sort();
      });
    """
    two, one, far = engine(ZONE + MANY + body)
    assert set(two) == {"2026-06-13"}  # the day in between; the interview's own day only re-reads
    assert set(one) == {"2026-06-13"}
    assert len(two) == len(one) == len(far) == 22
    assert far == ["2026-06-13"] * 8 + ["2026-06-14"] * 8 + ["2026-06-15"] * 6


def test_days_that_are_full_already_are_passed_over(engine):
    body = """
      const index = m.bank(Array(24).fill("explain"));
      // 16 due long ago, 8 due tomorrow
      const old = index.cards.slice(0, 16).map(({ id }) => [id, 2, m.NOON - 20 * m.DAY]);
      const soon = index.cards.slice(16).map(({ id }) => [id, 1, m.NOON - 1, { seconds: 300 }]);
      const doc = m.answered(m.progress.empty(m.NOON), [...old, ...soon]);
      const settings = { ...doc.settings, minutes: 60 }; // the 8 of today are 40 minutes
      return [m.plan.spread(doc, index, settings, m.NOON).deferred, m.progress.forecast(doc, index, m.NOON, 3)];
    """
    deferred, ahead = engine(ZONE + body)
    assert [one["count"] for one in ahead] == [16, 8, 0]
    # 60 minutes: 40 are gone, 4 fit today, 12 are left; tomorrow has room for 4, the day after for 8
    assert sorted(deferred.values()) == ["2026-06-03"] * 4 + ["2026-06-04"] * 8


def test_an_interview_set_later_brings_moved_cards_back_before_it(engine):
    body = """
      const now = m.NOON + 10 * m.DAY, next = m.plan.spread(doc, index, doc.settings, now);
      const dated = m.progress.settle(next, { date: "2026-06-14" }, now);
      return [next, dated].map(one => m.progress.forecast(one, index, now, 5).map(({ count }) => count));
    """
    plain, dated = engine(ZONE + MANY + body)
    assert plain == [8, 8, 8, 6, 0]
    assert dated == [8, 8, 14, 0, 0]


def test_an_answer_ends_a_deferral(engine):
    body = """
      const now = m.NOON + 10 * m.DAY, next = m.plan.spread(doc, index, doc.settings, now),
        [id] = Object.keys(next.deferred);
      return [Object.keys(next.deferred).length, Object.keys(m.progress.record(next, { id, grade: 3,
        now }).deferred).length];
    """
    assert engine(ZONE + MANY + body) == [22, 21]


def test_undo_still_works_after_spreading(engine):
    body = """
      const now = m.NOON + 10 * m.DAY, next = m.plan.spread(doc, index, doc.settings, now),
        back = m.progress.undo(next);
      return [back.reviews.length, Object.keys(back.deferred).length];
    """
    assert engine(ZONE + MANY + body) == [29, 21]  # one of them was the card whose only answer is taken back


# == the interview ==


def test_on_its_day_only_started_explains_are_read_again(engine):
    body = """
      const index = m.bank(["explain", "choice", "explain", "explain", "code"]);
      let doc = m.answered(m.progress.empty(m.NOON), [["q.explain-0", 4, m.NOON - 5 * m.DAY], ["q.choice-1", 1,
        m.NOON - 5 * m.DAY],
        ["q.explain-2", 2, m.NOON - 5 * m.DAY]]);
      doc = m.progress.settle(doc, { date: "2026-06-02" }, m.NOON);
      const plan = m.plan.today(index, doc, doc.settings, m.NOON);
      const after = m.progress.record(doc, { id: "q.explain-2", grade: 3, now: m.NOON });
      const nothing = m.progress.settle(m.progress.empty(m.NOON), { date: "2026-06-02" }, m.NOON);
      return [plan, m.plan.today(index, after, after.settings, m.NOON + 1).ids, m.plan.today(index, nothing,
        nothing.settings, m.NOON).ids];
    """
    plan, after, nothing = engine(ZONE + body)
    assert plan["ids"] == ["q.explain-2", "q.explain-0"]
    assert (plan["fresh"], plan["backlog"]) == (0, None)
    assert plan["interview"] == {"date": "2026-06-02", "left": 0, "lastDay": True, "past": False}
    assert after == ["q.explain-0"]
    assert nothing == ["q.explain-0", "q.explain-2", "q.explain-3"]  # who begins on the day itself still gets something


def test_a_past_interview_is_ignored_and_told(engine):
    body = """
      const index = m.bank(["explain", "choice"]), doc = m.answered(m.progress.empty(m.NOON), [["q.choice-1", 3,
        m.NOON - m.DAY]]);
      const with_ = date => m.plan.today(index, doc, { ...doc.settings, date }, m.NOON);
      return [with_("2026-06-01"), with_(null), with_("2026-06-03")];
    """
    past, none, soon = engine(ZONE + body)
    assert past["interview"] == {"date": "2026-06-01", "left": -1, "lastDay": False, "past": True}
    assert {**past, "interview": None} == none
    assert soon["interview"]["left"] == 1
    assert soon["ids"] == ["q.choice-1", "q.explain-0"]  # at the higher recall it is due


# == free practice ==


def test_free_practice_filters_and_orders(engine):
    body = """
      const kinds = ["explain", "choice", "number", "explain", "code"];
      const index = m.bank(kinds, i => ({ topic: i < 3 ? "a" : "b", level: i % 2 ? "advanced" : "core",
        frequency: i === 4 ? "rare" : "common" }));
      const doc = m.answered(m.progress.empty(m.NOON), [["q.explain-3", 4, m.NOON - m.DAY], ["q.choice-1", 1,
        m.NOON - m.DAY], ["q.explain-0", 3, m.NOON - m.DAY]]);
      const ids = (filters, more) => m.plan.queue(index, doc, { ...doc.settings, ...more }, filters, m.NOON);
      return [ids({}), ids(null), ids({ topic: "b" }), ids({ kind: ["explain", "code"] }), ids({ level: "core",
        frequency: "common" }),
        ids({ chapter: "two" }), ids({ topic: "", kind: [] }), ids({}, { silent: true }), ids({ topic: "b",
          level: "advanced" })];
    """
    every = ["q.choice-1", "q.number-2", "q.code-4", "q.explain-0", "q.explain-3"]  # due, new, then by when they come
    assert engine(ZONE + body) == [
        every,
        every,
        ["q.code-4", "q.explain-3"],
        ["q.code-4", "q.explain-0", "q.explain-3"],
        ["q.number-2", "q.explain-0"],
        [],
        every,
        ["q.choice-1", "q.number-2", "q.explain-0", "q.explain-3"],
        ["q.explain-3"],
    ]


def test_free_practice_is_not_bound_to_minutes(engine):
    body = """
      const index = m.bank(Array(100).fill("explain")), doc = m.progress.settle(m.progress.empty(m.NOON),
        { minutes: 5 }, m.NOON);
      return m.plan.queue(index, doc, doc.settings, {}, m.NOON).length;
    """
    assert engine(body) == 100


# == clocks ==


def test_a_clock_set_back_hides_nothing_new_and_breaks_nothing(engine):
    body = """
      const index = m.bank(Array(6).fill("choice"));
      const doc = m.answered(m.progress.empty(m.NOON), [["q.choice-0", 1, m.NOON], ["q.choice-1", 3,
        m.NOON + 400 * m.DAY]]);
      return [m.NOON - 300 * m.DAY, m.NOON + 5 * m.DAY].map(now => m.plan.today(index, doc, doc.settings,
        now)).map(({ ids, backlog }) => [ids, backlog]);
    """
    back, now = engine(ZONE + body)
    assert back == [[f"q.choice-{i}" for i in range(2, 6)], None]
    assert now == [["q.choice-0", *(f"q.choice-{i}" for i in range(2, 6))], None]


def test_who_travels_gets_a_card_on_the_day_it_was_due(engine):
    """Due at 4 a.m. in New York, which is 5 p.m. of that day in Tokyo: there it is due from the morning on."""
    body = """
      const index = m.bank(["choice"]), empty = m.progress.empty(m.NOON);
      process.env.TZ = "America/New_York";
      const doc = m.answered(empty, [["q.choice-0", 2, m.NOON]]), { due } = doc.cards["q.choice-0"];
      process.env.TZ = "Asia/Tokyo";
      const at = hour => Date.UTC(2026, 5, 4, hour - 9);
      const told = [3, 5, 12, 23].map(hour => m.plan.today(index, doc, doc.settings, at(hour)).due);
      return [new Date(due).toISOString(), told];
    """
    assert engine(body) == ["2026-06-04T08:00:00.000Z", [0, 1, 1, 1]]


def test_at_three_in_the_morning_it_is_still_yesterday(engine):
    body = """
      const index = m.bank(Array(10).fill("explain")), at = hour => Date.UTC(2026, 5, 2, hour - 9);
      const doc = m.answered(m.progress.empty(at(20)), index.cards.slice(0, 8).map(({ id }, i) => [id, 3,
        at(20) + i, { seconds: 300 }]));
      return [at(27), at(29)].map(now => m.plan.today(index, doc, doc.settings, now).ids.length);
    """
    assert engine(ZONE + body) == [0, 2]
