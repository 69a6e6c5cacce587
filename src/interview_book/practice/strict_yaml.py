"""YAML without its traps: plain data only, no key twice, no aliases."""

from __future__ import annotations

import contextlib

import yaml

# PyYAML lets what its constructors meet in a bad !!int, !!bool or !!timestamp through as it is.
_FAULTS = (yaml.YAMLError, ValueError, RecursionError, AttributeError, LookupError, TypeError)


class _PlainMappings:
    """Part of a loader: refuses the mappings that a reader of the file would misread."""

    def construct_mapping(self, node, deep=False):
        seen: dict[object, yaml.Mark] = {}
        for key_node, _ in node.value:
            if key_node.tag == "tag:yaml.org,2002:merge":
                raise yaml.constructor.ConstructorError(
                    None, None, "merge key <<: write the keys out", key_node.start_mark
                )
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, (str, int, float, bool, type(None))):
                raise yaml.constructor.ConstructorError(
                    None, None, "a key that is not a plain word: quote it", key_node.start_mark
                )
            if key in seen:
                first = seen[key].line + 1
                raise yaml.constructor.ConstructorError(
                    None, None, f"key {key!r} twice (first on line {first}): remove one", key_node.start_mark
                )
            seen[key] = key_node.start_mark
        return super().construct_mapping(node, deep)


class _Strict(_PlainMappings, yaml.SafeLoader):
    """``SafeLoader`` that refuses what a reader of the file would not see."""

    def compose_node(self, parent, index):
        # One alias of an alias of … grows without bound, and a shared record would be changed in one place for both.
        if self.check_event(yaml.events.AliasEvent):
            event = self.peek_event()
            raise yaml.composer.ComposerError(
                None, None, f"alias *{event.anchor}: write the value out", event.start_mark
            )
        return super().compose_node(parent, index)


class _Quick(_PlainMappings, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """The same in C, seven times as fast, where PyYAML has it; its messages are others, and it lets aliases through."""

    def get_single_node(self):
        root = super().get_single_node()
        seen: set[int] = set()
        waiting = [root] if root else []
        while waiting:
            node = waiting.pop()
            if id(node) in seen:
                raise yaml.composer.ComposerError(None, None, "alias", node.start_mark)
            seen.add(id(node))
            if isinstance(node, yaml.MappingNode):
                waiting += [one for pair in node.value for one in pair]
            elif isinstance(node, yaml.SequenceNode):
                waiting += node.value
        return root


class YamlFault(ValueError):
    """The text is not the YAML we take. ``line`` counts from 1 (0 when unknown), ``reason`` says what is wrong."""

    def __init__(self, reason: str, line: int) -> None:
        self.reason, self.line = reason, line
        super().__init__(f"line {line}: {reason}" if line else reason)


def parse(text: str) -> object:
    """Return the plain data of ``text``; raise `YamlFault` with the line for anything else.

    Only mappings, lists, strings, numbers, booleans and null come out. A key given twice is a fault (PyYAML by itself
    silently keeps the last), and so are tags of Python objects, aliases and merge keys.
    """
    with contextlib.suppress(*_FAULTS):
        return yaml.load(text, Loader=_Quick)
    try:
        return yaml.load(text, Loader=_Strict)  # again, for what to say
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise YamlFault(error.problem or "cannot be read", mark.line + 1 if mark else 0) from None
    except _FAULTS as error:
        raise YamlFault(" ".join(str(error).split()) or type(error).__name__, 0) from None
