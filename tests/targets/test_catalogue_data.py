"""The catalogue's data: whole, small, and of the date that the command tells."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from dataclasses import fields

from catalogues import DATA, ROOT

from segue.__about__ import CATALOGUE_DATE
from segue.targets.apis import APIS
from segue.targets.hosts import HOSTS, PROVIDER_ALIASES
from segue.targets.rows import Row, all_rows, catalogue_head, find_row, providers

UNREAD = "from segue.targets.rows import _catalogue; print(_catalogue.cache_info().currsize)"


def test_it_is_small() -> None:
    data = DATA.read_bytes()

    assert len(gzip.compress(data, 9, mtime=0)) < 100_000
    assert len(data) < 500_000  # what is parsed whenever a model is named


def test_its_date_is_the_one_that_the_command_tells() -> None:
    assert catalogue_head()["date"] == CATALOGUE_DATE


def test_sources_are_named_with_version_and_licence() -> None:
    head = catalogue_head()
    notice = DATA.with_name(head["licences"]).read_text(encoding="utf-8")

    assert head["sources"]
    for source in head["sources"]:
        assert source["licence"] == "MIT" and re.fullmatch(r"\d+\.\d+\.\d+", source["version"])
        assert source["package"] in notice and source["copyright"] in notice
    assert "Permission is hereby granted" in notice


def test_every_row_is_well_formed() -> None:
    known = {field.name for field in fields(Row)}
    rows = json.loads(DATA.read_bytes())["models"]

    for provider, models in rows.items():
        assert models, provider
        for name, row in models.items():
            assert row.keys() <= known, name
            assert row["apis"] and set(row["apis"]) <= APIS.keys() and len(set(row["apis"])) == len(row["apis"]), name
            assert all(row.get(key) is None or row[key] > 0 for key in ("window", "output", "image_count", "body")), (
                name
            )
            assert isinstance(row["image"], bool) and isinstance(row["reasoning"], bool), name
            assert re.fullmatch(r"20\d\d-\d\d-\d\d", row.get("ends", "2026-01-01")), name
            price = row.get("price", [0, 0, 0, 0])
            assert len(price) == 4 and all(value >= 0 for value in price), name


def test_rows_stand_in_order_a_line_each() -> None:
    rows = json.loads(DATA.read_bytes())["models"]
    lines = DATA.read_text(encoding="utf-8").splitlines()

    assert list(rows) == sorted(rows)
    assert all(list(models) == sorted(models) for models in rows.values())
    assert len(lines) == 2 + sum(2 + len(models) for models in rows.values())


def test_every_row_is_found_by_its_own_name() -> None:
    for row in all_rows():
        assert find_row(row.provider, row.id) == row


def test_every_alias_of_a_provider_leads_to_one() -> None:
    known = providers()

    assert set(PROVIDER_ALIASES.values()) <= set(known)
    assert not PROVIDER_ALIASES.keys() & {*HOSTS, *known}


def test_data_are_read_only_when_a_model_is_named() -> None:
    for words in (["--version"], ["rules"], ["formats"]):
        code = "import sys; from segue_cli.main import run; code = run(sys.argv[1:])\n" + UNREAD
        ended = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)

        assert ended.stdout.splitlines()[-1] == "0", words


def test_builder_prints_what_it_was_given_in_one_way() -> None:
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        from build_catalogue import printed
    finally:
        sys.path.pop(0)
    rows = {
        "b": {"two": {"window": 1, "apis": ["openai-completions"], "pdf": None, "late_system": False}},
        "a": {"one": {}},
    }
    turned = {"a": rows["a"], "b": rows["b"]}

    text = printed(rows, "2026-11-20", [])

    assert text == printed(turned, "2026-11-20", [])
    assert json.loads(text)["models"] == {"a": {"one": {}}, "b": {"two": {"apis": ["openai-completions"], "window": 1}}}
