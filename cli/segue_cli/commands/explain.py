"""`segue explain`: a rule, a format, an api or a model, in words."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from segue_cli.commands import _options as given

if TYPE_CHECKING:
    from segue.apis import Rule


def command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A rule or its id, a format, an api, or PROVIDER/ID.")],
    models: given.ModelsOption = None,
) -> int:
    """Tell what a rule, a format, an api or a model is."""
    words = _rule(name) or _rule_id(name) or _format(name) or _api(name)
    if words is None and "/" in name:
        words = _model(name, models)
    if words is None:
        from difflib import get_close_matches

        from segue.errors import UsageError
        from segue.formats import FORMATS
        from segue.passes import ORDER, rule_name
        from segue.targets.catalogue import APIS, model_names

        known = [*map(rule_name, ORDER), *_api_rule_names(), *(f.name for f in FORMATS), *APIS, *model_names()]
        close = get_close_matches(name, known, n=3, cutoff=0.4)
        hint = f"; did you mean {' or '.join(close)}?" if close else ""
        raise UsageError(f"nothing is called {name!r}{hint}")
    print(words)
    return 0


# ------------------------------------------------------------------------------------------------ rules


def _rule(name: str) -> str | None:
    """Explain whatever a report calls by this name: a rule, a finding of a reader, a writer or a judge."""
    from segue.passes import ORDER, rule_name
    from segue.told import TABLES

    parts = [inspect.cleandoc(module.__doc__ or "") for module in ORDER if rule_name(module) == name]
    parts += [table[name] for table in TABLES.values() if name in table]
    found = ["\n".join(_told(api, rule)) for api, rule in _all_rules() if rule.name == name]
    return "\n\n".join([name, *parts, *found]) if parts or found else None


def _rule_id(name: str) -> str | None:
    """Explain a row of the rule books by its id, such as `A-T5`, in either case."""
    from segue.apis import LEGAL, UNSEEN

    wanted = name.upper()
    found = [[rule.name, *_told(api, rule)] for api, rule in _all_rules() if rule.id.upper() == wanted]
    for rows in (LEGAL, UNSEEN):
        for api, silences in rows.items():
            for row in silences:
                if row.id.upper() == wanted:
                    source = f"source: {row.source}, read {row.date}"
                    found.append([f"{api} ({row.id}): {row.words}: {row.why}", source])
    return "\n\n".join([wanted, *map("\n".join, found)]) if found else None


def _told(api: str, rule: Rule) -> list[str]:
    return [f"{api} ({rule.id}, {rule.severity}): {rule.words}", f"source: {rule.source}, read {rule.date}"]


def _all_rules() -> Iterator[tuple[str, Rule]]:
    """Give every row of the apis' tables; what all apis share comes once."""
    from segue.apis import BODY, RULES
    from segue.apis._rule import COMMON

    for rule in (*BODY, *COMMON):
        yield "any api", rule
    for api, rules in RULES.items():
        for rule in rules:
            if rule not in COMMON:
                yield api, rule


def _api_rule_names() -> dict[str, None]:
    return dict.fromkeys(rule.name for _, rule in _all_rules())


# ------------------------------------------------------------------------------------- formats and apis


def _format(name: str) -> str | None:
    from segue.formats import ALIASES, FORMATS

    for known in FORMATS:
        if known.name == ALIASES.get(name, name):
            doc = inspect.cleandoc(inspect.getmodule(known.read).__doc__ or "")
            lines = [f"{known.name}: {known.about}", "", doc]
            if known.api:
                lines += ["", *_api_rules(known.api)]
            return "\n".join(lines)
    return None


def _api(name: str) -> str | None:
    from segue.apinames import ALIASES
    from segue.targets.catalogue import APIS

    api = ALIASES.get(name, name)
    if api not in APIS:
        return None
    return "\n".join([f"{api}: {APIS[api]}", "", *_api_rules(api)])


def _api_rules(api: str) -> list[str]:
    """Say what an api refuses, a line a rule, theme by theme; then what is legal, and what nobody can see."""
    from segue.apis import LEGAL, RULES, UNSEEN, api_name
    from segue.apis._rule import BODY, THEMES, theme_of

    judged = api_name(api)
    lines = [f"what {api} refuses (E), or what some refuse and all should know (W):"]
    rules = (*BODY, *RULES.get(judged, ()))
    width = max(len(rule.name) for rule in rules)
    for theme, words in THEMES.items():
        rows = [rule for rule in rules if theme_of(rule.id) == theme]
        if rows:
            lines += ["", words]
            lines += [f"  {_LETTERS[rule.severity]}  {rule.id:<6} {rule.name:<{width}}  {rule.words}" for rule in rows]
    for title, table in (
        ("legal, although it is often said not to be", LEGAL),
        ("what a body alone does not tell", UNSEEN),
    ):
        if silences := table.get(judged, ()):
            lines += ["", title, *(f"     {row.id:<6} {row.words}: {row.why}" for row in silences)]
    return lines


_LETTERS = {"error": "E", "warning": "W", "note": "N"}


def _model(name: str, models: str | None) -> str:
    from segue_cli.commands._model_words import model_words
    from segue_cli.own_models import own_models

    return model_words(name, own_models(models))
