"""Numbers of figures start at 1 on every page, and Sphinx still sees which pages changed."""

from types import SimpleNamespace

from interview_book.book import labels


def test_each_page_counts_for_itself():
    env = SimpleNamespace(
        toc_fignumbers={
            "a": {"figure": {"fig-x": (1,), "fig-y": (2,)}, "table": {"t": (1,)}},
            "b": {"figure": {"fig-z": (3,)}},
        }
    )
    labels._numbers_per_page(None, env)
    assert env.toc_fignumbers == {
        "a": {"figure": {"fig-x": (1,), "fig-y": (2,)}, "table": {"t": (1,)}},
        "b": {"figure": {"fig-z": (1,)}},
    }


def test_sphinx_compares_with_its_own_numbers():
    own = {"a": {"figure": {"fig-x": (1,)}}, "b": {"figure": {"fig-z": (2,)}}}
    env = SimpleNamespace(toc_fignumbers=own)
    labels._global_numbers_back(None, env)  # nothing built before
    assert env.toc_fignumbers is own
    labels._numbers_per_page(None, env)
    assert env.toc_fignumbers["b"] == {"figure": {"fig-z": (1,)}}
    labels._global_numbers_back(None, env)
    assert env.toc_fignumbers == own
