"""The small pure functions: keys, names, places, the model without a kernel."""

import json

import pytest

KEY = {"key": "/", "ctrlKey": False, "metaKey": False, "altKey": False, "shiftKey": False}


@pytest.mark.parametrize(
    ("change", "typing", "opens"),
    [
        ({}, False, True),
        ({}, True, False),  # a slash in an answer is a slash
        ({"ctrlKey": True}, False, False),
        ({"key": "k", "ctrlKey": True}, True, True),
        ({"key": "K", "metaKey": True}, False, True),
        ({"key": "k", "ctrlKey": True, "shiftKey": True}, False, False),
        ({"key": "k"}, False, False),
    ],
)
def test_keys_that_open_the_search(call, change, typing, opens):
    assert call("dialog", "m.opens(key, typing)", key={**KEY, **change}, typing=typing) is opens


@pytest.mark.parametrize(
    ("event", "composing"),
    [
        ({"isComposing": True, "keyCode": 13}, True),
        ({"isComposing": False, "keyCode": 229}, True),  # Safari's confirming Enter
        ({"isComposing": False, "keyCode": 13}, False),
    ],
)
def test_keys_of_an_input_method(call, event, composing):
    assert call("dialog", "m.composing(event)", event=event) is composing


@pytest.mark.parametrize(
    ("line", "found"), [(0, None), (10, "a"), (59, "b"), (1000, "c")]
)  # fmt: skip
def test_the_last_place_that_began(call, line, found):
    places = [{"id": "a", "top": 10}, {"id": "b", "top": 50}, {"id": "c", "top": 60}]
    assert call("place", "m.pick(places, line)?.id ?? null", places=places, line=line) == found


@pytest.mark.parametrize(
    ("page", "name"),
    [
        ("http://h/r/ja/chapters/two-scores.html", "chapters/two-scores"),
        ("http://h/r/ja/chapters/two-scores.html?a=1#p-x", "chapters/two-scores"),
        ("http://h/r/ja/chapters/two-scores", "chapters/two-scores"),  # a server that hides .html
        ("http://h/r/ja/", "index"),
        ("http://h/r/ja/chapters/", "chapters/index"),
        ("http://h/r/ja/%E7%AB%A0.html", "章"),
    ],
)
def test_name_of_a_page(call, page, name):
    assert call("load", "m.docname(page, 'http://h/r/ja/')", page=page) == name


@pytest.mark.parametrize(("lang", "edition"), [("ja", "ja"), ("zh-TW", "zh-Hant"), ("zh-Hant", "zh-Hant"), ("", "ja")])
def test_edition_of_a_page(call, lang, edition):
    assert call("words", "m.edition(lang)", lang=lang) == edition


def test_both_languages_have_the_same_words_and_fields(call):
    from interview_book.book import bundle

    words = json.loads(bundle._CLIENT.joinpath("words.json").read_text(encoding="utf-8"))
    fields = {tag: {key: sorted(part.split("}")[0] for part in text.split("{")[1:]) for key, text in table.items()}
              for tag, table in words.items()}  # fmt: skip
    assert fields["ja"] == fields["zh-Hant"]
    assert all(text.strip() for table in words.values() for text in table.values())


@pytest.mark.parametrize(
    ("mode", "theme", "text"),
    [
        ("light", "light", "外觀：淺色"),
        ("dark", "dark", "外觀：深色"),
        ("auto", "dark", "外觀：跟隨裝置（目前是深色）"),
        (None, "light", "外觀：跟隨裝置（目前是淺色）"),
    ],
)
def test_the_theme_button_says_its_state(call, mode, theme, text):
    from interview_book.book import bundle

    say = json.loads(bundle._CLIENT.joinpath("words.json").read_text(encoding="utf-8"))["zh-Hant"]
    assert call("theme", "m.describe(say, mode, theme)", say=say, mode=mode, theme=theme) == text


def test_model_tells_of_changes_once(call):
    log = call(
        "mount",
        """(() => {
          const log = [], model = m.makeModel({ d: 2, c: 3 });
          model.on("change:d change:c", (_, value) => log.push(value));
          const all = () => log.push("any");
          model.on("change", all);
          model.set("d", 5); model.set("d", 5); model.set({ c: 7, d: 11 }); model.save_changes();
          model.off("change", all); model.set("d", 13); model.off(); model.set("d", 17);
          return [log, model.get("d"), model.get("none") ?? null];
        })()""",
    )
    assert log == [[5, "any", 7, 11, "any", 13], 17, None]
