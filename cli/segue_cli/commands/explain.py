"""`segue explain`: a rule, a format, an api or a model, in words."""

from __future__ import annotations

import inspect
from typing import Annotated

import typer


def command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A rule, a format, an api, or PROVIDER/ID.")],
) -> int:
    """Tell what a rule, a format, an api or a model is."""
    from segue.passes import ORDER, rule_name

    for module in ORDER:
        if rule_name(module) == name:
            print(f"{name}\n\n{inspect.cleandoc(module.__doc__ or '')}")
            return 0
    words = _told(name) or _format(name) or _api(name) or (_model(name) if "/" in name else None)
    if words is None:
        from difflib import get_close_matches

        from segue.errors import UsageError
        from segue.formats import FORMATS
        from segue.targets.catalogue import APIS, model_names

        known = [*map(rule_name, ORDER), *(f.name for f in FORMATS), *APIS, *model_names()]
        close = get_close_matches(name, known, n=3, cutoff=0.4)
        hint = f"; did you mean {' or '.join(close)}?" if close else ""
        raise UsageError(f"nothing is called {name!r}{hint}")
    print(words)
    return 0


def _told(name: str) -> str | None:
    """Explain what a report says beside the rules: findings of readers and writers, and of the apis' judges."""
    from segue.apis import RULES
    from segue.told import TABLES

    lines = [f"{name}\n\n{table[name]}" for table in TABLES.values() if name in table]
    for api, rules in RULES.items():
        for rule in rules:
            if rule.name == name:
                lines += [
                    "",
                    f"{api} ({rule.id}, {rule.severity}): {rule.words}",
                    f"source: {rule.source}, {rule.date}",
                ]
    return "\n".join(lines).strip() or None


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
    """Say what the api refuses, a line a rule."""
    from segue.apis import RULES, api_name

    lines = [f"what {api} refuses (E) or treats in a way to know (W):"]
    for rule in RULES[api_name(api)]:
        lines.append(f"  {'E' if rule.severity == 'error' else 'W'}  {rule.id:<6} {rule.name:<28} {rule.words}")
    return lines


def _model(name: str) -> str | None:
    from segue.targets import resolve

    target = resolve(name)
    window = f"{target.context_window:,}" if target.context_window else "unknown"
    output = f"{target.max_output:,}" if target.max_output else "unknown"
    thinking = {
        "signed": "with its own signature",
        "item": "as an encrypted reasoning item",
        "field": "in a field",
        "none": "not at all",
    }[target.thinking]
    if target.bound_thinking:
        thinking += ", bound to all that stood before it"
    return "\n".join(
        [
            f"{target.name}, spoken to by {target.api}",
            "",
            f"  window      {window} tokens, answers up to {output}",
            f"  thinking    taken back {thinking}",
            f"  images      {'yes' if target.images else 'no'}",
            f"  documents   {', '.join(sorted(target.document_types)) if target.documents else 'no'}",
            f"  call ids    [{target.call_id.characters}], at most {target.call_id.length} characters",
            f"  tool names  [{target.tool_name.characters}], at most {target.tool_name.length} characters",
            f"  may end on the assistant: {'yes' if target.prefill else 'no'}",
        ]
    )
