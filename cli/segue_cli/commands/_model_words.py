"""A model in words: what it is spoken to by, how much it takes, and what it takes back."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from segue.targets import IdShape, OwnModels, Target
    from segue.targets.rows import Row


def model_words(name: str, own: OwnModels | None) -> str:
    """Tell about the model that PROVIDER/ID names. Raises UsageError for one that nobody knows."""
    from segue.targets import resolve
    from segue.targets.catalogue import plain_name, row_of
    from segue.targets.families import family_of

    target = resolve(name, models=own)
    row = row_of(name, own) if own is not None else row_of(name)
    family = family_of(row.plain_name if row is not None else plain_name(target.model))
    facts = {
        "window": _tokens(target.context_window),
        "answers": f"up to {_tokens(target.max_output)}" if target.max_output else "of unknown length",
        "reads": ", ".join(_inputs(target, row)),
        "family": family.about if family is not None else "none that is known: only what its api asks of any model",
        "thinking": _thinking(target, row),
        "call ids": _shape(target.call_id) if target.call_ids_on_wire else "none: order and name tell what belongs",
        "tool names": _shape(target.tool_name),
        "ends": "may end on the assistant" if target.prefill else "has to end on the user or on results",
    }
    if row is not None and row.ends is not None:
        facts["served"] = f"until {row.ends}"
    if row is not None and len(row.apis) > 1:
        facts["other apis"] = ", ".join(api for api in row.apis if api != target.api)
    facts["known"] = _source(name, row)
    return "\n".join(
        [f"{target.name}, spoken to by {target.api}", "", *(f"  {key:<11} {words}" for key, words in facts.items())]
    )


def _tokens(count: int | None) -> str:
    return f"{count:,} tokens" if count else "unknown"


def _inputs(target: Target, row: Row | None) -> list[str]:
    kinds = ["text"]
    if target.images:
        kinds.append("images")
    if target.documents:
        types = {kind.rpartition("/")[2].rpartition(".")[2] for kind in target.document_types}
        kinds.append(f"documents ({', '.join(sorted(types))})")
    if row is not None and row.audio:
        kinds.append("sound")
    return kinds


def _thinking(target: Target, row: Row | None) -> str:
    if row is not None and row.reasoning is False:
        return "does not reason"
    words = {
        "signed": "its own goes back with its signature",
        "item": "its own goes back as an encrypted item",
        "field": f"its own goes back in {repr(target.thinking_field) if target.thinking_field else 'plain words'}",
        "none": "does not go back",
    }[target.thinking]
    if target.bound_thinking:
        words += ", bound to all that stood before it"
    if target.required_thinking != "none":
        where = "every turn of its own" if target.required_thinking == "all" else "every turn with calls"
        words += f", and has to on {where}"
    if target.refuses_transcribed_thinking:
        words += "; that of others is refused as text, too"
    return words


def _shape(shape: IdShape) -> str:
    class_ = shape.characters.replace("\\x00-\\x20\\x7f", " and control characters")
    told = f"anything but [{class_[1:]}]" if class_.startswith("^") else f"[{class_}]"
    length = f"exactly {shape.length}" if shape.exact else f"at most {shape.length}"
    return f"{told}, {length} characters"


def _source(name: str, row: Row | None) -> str:
    from segue.targets.rows import catalogue_head

    if row is None:
        return "not in the catalogue: the rules of its api and nearest family"
    if row.own:
        return "from your own models" + (f", like {row.named}" if row.named else "")
    date = catalogue_head()["date"]
    return f"from the catalogue of {date}" + (f", as {row.name}" if row.name != name else "")
