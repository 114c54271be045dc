"""The branches of a session, so that a person can choose one: the id in full, then what tells it from the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from segue.formats._types import Branch
from segue_cli.view.layout import ACCENT, DIM, INDENT, counted, cut, flowing, page_width, print_lines, wrapped
from segue_cli.view.plain import plain
from segue_cli.view.show import spelled_time

_BODY = INDENT * 2  # an id of 36 characters just fits a page of 40
_UNITS = ((86_400, "day", "days"), (3_600, "h", "h"), (60, "min", "min"), (1, "s", "s"))
_WIDEST_WORDS = 100


def print_tree(format_name: str, branches: Sequence[Branch] | None, console: Console) -> None:
    """Print the branches of a session; None is a format that has none."""
    width = page_width(console)
    if branches is None:
        article = "an" if format_name[:1] in "aeiou" else "a"
        text = f"{article} {plain(format_name)} file is a list, not a tree: --leaf has nothing to choose from"
        print_lines([Text(part) for part in wrapped(text, width)], console)
        return
    mains = [branch for branch in branches if not branch.is_subagent]
    runs = [branch for branch in branches if branch.is_subagent]
    numbers = {branch.leaf: number for number, branch in enumerate(branches, 1)}
    lines = _opening(format_name, mains, runs, width)
    for number, branch in enumerate(mains, 1):
        lines += [Text(""), *_branch_lines(number, branch, numbers, width)]
    if runs:
        lines += [Text(""), Text(INDENT).append("subagents", "bold")]
    for number, branch in enumerate(runs, len(mains) + 1):
        lines += [Text(""), *_branch_lines(number, branch, numbers, width)]
    if any(branch.leaf is not None for branch in branches) and len(branches) > 1:
        hint = "--leaf ID makes convert and show take one of them"
        lines += [Text(""), *(Text(INDENT + part, DIM) for part in wrapped(hint, width - len(INDENT)))]
    print_lines(lines, console)


def _opening(format_name: str, mains: Sequence[Branch], runs: Sequence[Branch], width: int) -> list[Text]:
    facts = [Text(plain(format_name), "bold"), Text(counted(len(mains), "branch", "branches"))]
    if len(mains) == 1:
        facts.append(Text("nothing was rewound"))
    if runs:
        facts.append(Text(counted(len(runs), "run of a subagent", "runs of subagents")))
    return flowing(facts, Text(" · "), width)


def _branch_lines(number: int, branch: Branch, numbers: dict[str | None, int], width: int) -> Iterator[Text]:
    room = width - len(_BODY)
    states = [Text("active", "bold green")] if branch.is_active else []
    if branch.age is not None:
        states.append(Text(_age(branch.age)))
    if not branch.answered:
        states.append(
            Text("never answered: a draft" if branch.prompt and not branch.is_subagent else "never answered", "yellow")
        )
    if branch.is_compacted:
        states.append(Text("before the compaction", "yellow"))
    first, *rest = flowing(states, Text(" · "), width - 2) or [Text(INDENT)]
    yield Text(f"{number:>3} ", f"bold {ACCENT}") + first[len(INDENT) :]
    yield from (Text(INDENT) + line for line in rest)
    if branch.leaf is not None:
        yield Text(_BODY).append(plain(branch.leaf), ACCENT)
    yield Text(_BODY).append(_quoted(branch.prompt, room) if branch.prompt else "(no prompt of its own)")
    if branch.fork_line is not None:
        yield from _fork_lines(branch, numbers, room)
    elif not branch.is_active and not branch.is_subagent:
        yield Text(_BODY).append("begins on its own", DIM)
    yield from (Text(INDENT) + line for line in flowing(_facts(branch, room), Text(" · "), width - len(INDENT)))


def _fork_lines(branch: Branch, numbers: dict[str | None, int], room: int) -> Iterator[Text]:
    number = numbers.get(branch.leaves)
    other = f"leaves {'the active branch' if number == 1 else f'branch {number}'}"
    place = f"after line {branch.fork_line:,}"
    parts = [f"{other} {place}"] if len(other) + len(place) + 2 <= room else [other, place]
    if branch.fork_prompt:
        left = room - len(parts[-1]) - 2
        words = cut(_one_line(branch.fork_prompt), _WIDEST_WORDS)
        if left >= min(cell_len(words), 16) + 2:
            parts[-1] += f", {_quoted(branch.fork_prompt, left)}"
        else:
            parts[-1] += ","
            parts.append(_quoted(branch.fork_prompt, room))
    yield from (Text(_BODY).append(part, DIM) for part in parts)


def _facts(branch: Branch, room: int) -> list[Text]:
    if branch.own_messages == branch.messages:
        facts = [counted(branch.messages, "message")]
    else:
        facts = [f"{counted(branch.own_messages, 'message')} of its own", f"{branch.messages:,} in all"]
    facts += [_size(branch.own_bytes), f"about {counted(branch.tokens, 'token')}"]
    if branch.begins is not None and branch.ends is not None:
        begins, ends = spelled_time(branch.begins), spelled_time(branch.ends)
        until = ends[11:] if begins[:11] == ends[:11] else ends
        whole = begins if begins == ends else f"{begins} to {until}"
        facts += [whole] if len(whole) <= room else [begins, f"to {until}"]
    return [Text(fact, DIM) for fact in facts]


def _quoted(words: str, room: int) -> str:
    return f'"{cut(_one_line(words), min(room, _WIDEST_WORDS) - 2)}"'


def _one_line(words: str) -> str:
    return " ".join(words[: 8 * _WIDEST_WORDS].split())


def _age(seconds: float) -> str:
    """Say how long before the end of the file something was, in the largest unit that fits."""
    for size, one, many in _UNITS:
        count = int(seconds // size)
        if count:
            return f"{count:,} {one if count == 1 else many} before the end"
    return "at the end of the file"


def _size(count: int) -> str:
    if count < 1_000:
        return counted(count, "byte")
    return f"{count / 1_000:,.1f} kB" if count < 1_000_000 else f"{count / 1_000_000:,.1f} MB"
