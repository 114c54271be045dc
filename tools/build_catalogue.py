"""Build the catalogue of models, transforms/segue/targets/models.json, from two public packages.

    npm pack @earendil-works/pi-ai@1.6.0
    pip download --no-deps litellm==1.110.2
    python tools/build_catalogue.py earendil-works-pi-ai-1.6.0.tgz litellm-1.110.2-*.whl --date 2026-11-20

It needs no network itself: its arguments are the two packages as they were fetched, or folders they were unpacked to.
The date is the day that the first package's data were made. Same packages and date: the same bytes. The first package
says which models there are, by which api each is spoken to, and how much each takes; the second knows of documents,
sound, prefilled answers and when a model ends, and older models of the vendors themselves. `extra_models.toml` beside
this script holds by hand what neither has.
"""

from __future__ import annotations

import argparse
import json
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from litellm_rows import add_facts, older_rows

from segue.targets.apis import APIS

HERE = Path(__file__).resolve().parent
OUTPUT = HERE.parent / "transforms" / "segue" / "targets" / "models.json"
PI_DATA = "dist/providers/data/"
LITELLM_DATA = "litellm/model_prices_and_context_window_backup.json"
# The data's names of apis are ours: what another name stands on, nobody here speaks.
PI_SOURCE = {
    "package": "@earendil-works/pi-ai",
    "registry": "npm",
    "licence": "MIT",
    "copyright": "Copyright (c) Mario Zechner",
}
LITELLM_SOURCE = {
    "package": "litellm",
    "registry": "PyPI",
    "licence": "MIT",
    "copyright": "Copyright (c) 2023 Berri AI",
}

# Second doors of whole hosts, which the data do not tell.
SECOND_APIS = {
    "deepseek": "anthropic-messages",
    "minimax": "openai-completions",
    "moonshotai": "anthropic-messages",
    "openrouter": "openai-completions",
    "vercel-ai-gateway": "openai-completions",
    "xai": "openai-completions",
    "zai": "anthropic-messages",
}

# Providers that offer another's models under their own ids.
SAME_MODELS = {"google-vertex": "google", "azure": "openai", "openai-codex": "openai"}

Row = dict[str, Any]
Rows = dict[str, dict[str, Row]]  # by provider and id


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("pi", type=Path, help="the npm package, packed or unpacked")
    parser.add_argument("litellm", type=Path, help="the wheel, packed or unpacked")
    parser.add_argument("--date", required=True, help="the day that the data were made, YYYY-MM-DD")
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT)
    given = parser.parse_args()
    pi, litellm = _files(given.pi), _files(given.litellm)
    rows = pi_rows(pi)
    found = json.loads(next(text for name, text in litellm.items() if name.endswith(LITELLM_DATA)))
    add_facts(rows, found)
    older_rows(rows, found)
    add_extras(rows, tomllib.loads((HERE / "extra_models.toml").read_text(encoding="utf-8")))
    share_facts(rows)
    for provider, api in SECOND_APIS.items():
        for row in rows[provider].values():
            row["apis"] = list(dict.fromkeys((*row["apis"], api)))
    sources = [
        {**PI_SOURCE, "version": json.loads(_named(pi, "package.json"))["version"]},
        {**LITELLM_SOURCE, "version": _wheel_version(litellm)},
    ]
    given.output.write_text(printed(rows, given.date, sources), encoding="utf-8", newline="\n")
    print(f"{given.output}: {sum(map(len, rows.values())):,} models of {len(rows)} providers")


def pi_rows(files: dict[str, str]) -> Rows:
    """Read the first package's rows: a file a provider, by api; what no api of ours speaks is left out."""
    rows: Rows = {}
    for name in sorted(files):
        if PI_DATA not in name or not name.endswith(".json"):
            continue
        provider = Path(name).stem
        for api, models in json.loads(files[name]).items():
            if api not in APIS:
                continue
            for model in models.values():
                if model.get("type", "chat") == "chat":
                    _merge(rows.setdefault(provider, {}), model["id"], _pi_row(api, model))
    return rows


def _merge(of_provider: dict[str, Row], name: str, row: Row) -> None:
    known = of_provider.get(name)
    if known is None:
        of_provider[name] = row
    else:  # one model by a second api: the first is the usual one
        known["apis"] = [*known["apis"], *(api for api in row["apis"] if api not in known["apis"])]


def _pi_row(api: str, model: Row) -> Row:
    compat = model.get("compat") or {}
    limits = model.get("inputLimits") or {}
    row: Row = {
        "apis": [api],
        "window": model.get("contextWindow"),
        "output": model.get("maxTokens"),
        "image": "image" in model["input"],
        "reasoning": bool(model.get("reasoning")),
        "late_system": compat.get("supportsMidConvoSystemMessages"),
        "required_thinking": compat.get("requiresReasoningContentOnAssistantMessages"),
        "image_count": (limits.get("images") or {}).get("maxPerRequest"),
        "body": limits.get("maxRequestBytes"),
        "price": _price([model["cost"].get(key) for key in ("input", "output", "cacheRead", "cacheWrite")]),
    }
    return row


def _price(dollars: list[float | None]) -> list[float] | None:
    """Give dollars per million tokens: input, output, cache read, cache write; None where nothing is known."""
    return [_short(value or 0) for value in dollars] if any(dollars) else None


def _short(value: float) -> float:
    rounded = round(value, 6)
    return int(rounded) if rounded == int(rounded) else rounded


def share_facts(rows: Rows) -> None:
    """Let a vendor's second door know what the first one is known to read: it is the same model behind both."""
    for second, first in SAME_MODELS.items():
        for name, row in rows[second].items():
            for fact in ("pdf", "audio"):
                if fact not in row and fact in rows[first].get(name, {}):
                    row[fact] = rows[first][name][fact]


def add_extras(rows: Rows, extras: dict[str, dict[str, Row]]) -> None:
    """Lay the hand-written rows over: `like` names the model that a new one is like in all else."""
    for name, facts in extras["models"].items():
        provider, _, model = name.partition("/")
        facts = dict(facts)
        like = facts.pop("like", None)
        known = rows.setdefault(provider, {}).get(model)
        if like is not None and known is None:
            like_provider, _, like_model = like.partition("/")
            known = rows[like_provider][like_model]
        rows[provider][model] = {**(known or {}), **facts}


def printed(rows: Rows, date: str, sources: list[Row]) -> str:
    """Print the catalogue, a line a model: what changed between two dates can be read."""
    head = {"date": date, "licences": "models.NOTICE.txt", "sources": sources}
    lines = [json.dumps(head, ensure_ascii=False, separators=(",", ":"), sort_keys=True)[:-1] + ',"models":{']
    for provider in sorted(rows):
        lines.append(f"{json.dumps(provider)}:{{")
        models = sorted(rows[provider].items())
        for index, (name, row) in enumerate(models):
            comma = "," if index < len(models) - 1 else ""
            lines.append(f"{json.dumps(name, ensure_ascii=False)}:{_printed_row(row)}{comma}")
        lines.append("}," if provider != max(rows) else "}")
    return "\n".join([*lines, "}}"]) + "\n"


def _printed_row(row: Row) -> str:
    """Print what is known; a flag that says no stands where yes could be thought only."""
    unsaid = {"audio", "late_system", "required_thinking"}
    known = {key: value for key, value in row.items() if value is not None and not (key in unsaid and not value)}
    return json.dumps(known, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def _files(package: Path) -> dict[str, str]:
    """Read the texts of a package that matter, by their names in it."""
    return {name: data.decode("utf-8") for name, data in _texts(package)}


def _texts(package: Path) -> Iterator[tuple[str, bytes]]:
    if package.is_dir():
        for file in sorted(package.rglob("*")):
            name = file.relative_to(package).as_posix()
            if file.is_file() and _matters(name):
                yield name, file.read_bytes()
    elif package.name.endswith((".tgz", ".tar.gz")):
        with tarfile.open(package) as archive:
            for member in archive:
                if member.isfile() and _matters(member.name):
                    stream = archive.extractfile(member)
                    assert stream is not None
                    yield member.name, stream.read()
    else:
        with zipfile.ZipFile(package) as wheel:
            for name in sorted(wheel.namelist()):
                if _matters(name):
                    yield name, wheel.read(name)


def _matters(name: str) -> bool:
    return (
        (PI_DATA in name and name.endswith(".json"))
        or name.endswith((LITELLM_DATA, ".dist-info/METADATA"))
        or name in ("package.json", "package/package.json")
    )


def _named(files: dict[str, str], ending: str) -> str:
    return next(text for name, text in files.items() if name.endswith(ending))


def _wheel_version(files: dict[str, str]) -> str:
    metadata = _named(files, ".dist-info/METADATA")
    return next(line.partition(": ")[2] for line in metadata.splitlines() if line.startswith("Version: "))


if __name__ == "__main__":
    main()
