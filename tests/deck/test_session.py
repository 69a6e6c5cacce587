"""A sitting: its order, cards that come back, undo, and what it says at the end."""

import json

RUN = """(() => {
  let s = m.begin(ids, 1000);
  for (const grade of grades) s = m.answer(s, { id: m.turn(s).id, grade });
  return s;
})()"""


def run(call, ids, grades, read="s"):
    return call("session", f"(s => ({read}))({RUN})", ids=ids, grades=grades)


def test_cards_come_in_order_and_end(call):
    assert run(call, ["a", "b", "c"], [3, 2, 4], "[m.turn(s) === undefined, s.done.map(one => one.id), s.at]") == [
        True, ["a", "b", "c"], 3,
    ]  # fmt: skip


def test_again_brings_a_card_back_after_three_others(call):
    read = "s.queue.map(one => one.id + (one.again ? '*' : '')).join(' ')"
    assert run(call, list("abcdef"), [1], read) == "a b c d a* e f"
    assert run(call, list("ab"), [1], read) == "a b a*"
    assert run(call, ["a"], [1], read) == "a a*"


def test_a_card_comes_back_twice_at_most(call):
    read = "[s.queue.length, s.done.map(one => one.returns), m.turn(s) === undefined]"
    assert run(call, ["a"], [1, 1, 1], read) == [3, [True, True, False], True]


def test_back_undoes_answers_one_by_one(call):
    states = call(
        "session",
        """(() => {
          const s = [m.begin(ids, 1000)];
          for (const grade of [1, 3, 2]) s.push(m.answer(s.at(-1), { id: m.turn(s.at(-1)).id, grade }));
          const back = [s.at(-1)];
          while (back.at(-1).before) back.push(m.back(back.at(-1)));
          const shown = one => [one.queue, one.at, one.done];
          return [s.map(shown), back.map(shown).reverse(), m.back(s[0]) === s[0]];
        })()""",
        ids=list("abc"),
    )
    assert states[0] == states[1]
    assert states[2] is True
    assert len(json.dumps(states[0][3])) > len(json.dumps(states[0][0]))


def test_a_card_left_out_is_gone_and_costs_no_answer(call):
    read = "(t => [t.queue.map(one => one.id), t.at, m.turn(t).id, t.done.length])(m.skip(s))"
    assert run(call, list("abc"), [3], read) == [["a", "c"], 1, "c", 1]


def test_a_card_put_off_does_not_come_back_with_undo(call):
    body = """(() => {
      const left = m.skip(m.answer(m.begin(ids, 1000), { id: "a", grade: 3 }, { phase: "result" }));
      const back = m.back(left);
      return [back.queue.map(one => one.id), m.turn(back).id, back.resume, back.done.length,
        m.answer(back, { id: "a", grade: 2 }).resume, m.skip(m.begin(["a"], 1)).queue.length];
    })()"""
    assert call("session", body, ids=list("abc")) == [["a", "c"], "a", {"phase": "result"}, 0, None, 0]


def test_back_takes_back_a_putting_off_before_the_answer_before_it(call):
    body = """(() => {
      const first = m.answer(m.begin(ids, 1000), { id: "a", grade: 1 }, { phase: "result" });
      const put = m.postpone(first), next = m.answer(put, { id: "c", grade: 3 });
      const seen = one => [one.queue.map(turn => turn.id).join(""), m.turn(one)?.id, one.left, one.later, one.resume];
      return [put, m.back(next), m.back(put), m.back(m.back(put)), m.back(m.postpone(m.begin(["a"], 1)))].map(seen);
    })()"""
    assert call("session", body, ids=list("abcd")) == [
        ["acda", "c", ["b"], "b", None],
        ["acda", "c", ["b"], "b", None],
        ["abcda", "b", [], None, None],
        ["abcd", "a", [], None, {"phase": "result"}],
        ["a", "a", [], None, None],
    ]


def test_a_card_that_did_not_load_stays_out_when_a_putting_off_is_taken_back(call):
    body = """(() => {
      const left = m.skip(m.postpone(m.begin(ids, 1000))), back = m.back(left);
      return [left.queue.map(one => one.id), back.queue.map(one => one.id), back.left, m.turn(back).id];
    })()"""
    assert call("session", body, ids=list("abc")) == [["c"], ["a", "c"], ["b"], "a"]


def test_a_card_says_whether_it_may_come_back(call):
    body = """[1, 1, 1].reduce((all, grade) => [...all, m.answer(all.at(-1), { id: "a", grade })], [m.begin(["a"], 1)])
      .slice(0, 3).map(m.mayReturn)"""
    assert call("session", body) == [True, True, False]


def test_seconds_left_are_those_of_the_cards_to_come(call):
    read = "m.secondsLeft(s, new Map([['a', { seconds: 300 }], ['b', { seconds: 20 }], ['c', { seconds: 75 }]]))"
    assert run(call, list("abc"), [3], read) == 95
    assert run(call, list("abc"), [1], read) == 395


def test_the_outcome_of_a_card_is_its_last_grade(call):
    read = "m.outcome(s).map(one => [one.id, one.grade, one.times])"
    assert run(call, list("ab"), [1, 3, 2], read) == [["a", 2, 2], ["b", 3, 1]]
