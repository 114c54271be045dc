"""`segue rules`: the list of rules, in the order in which they run."""

from __future__ import annotations


def command() -> int:
    """List all rules in their order, with what each does, and what else a report may say."""
    from segue.passes import NORMALIZE, TRANSFORM, rule_name
    from segue.told import TABLES

    for family, modules in (("normalize", NORMALIZE), ("transform", TRANSFORM)):
        print(f"{family}")
        for module in modules:
            sentence = (module.__doc__ or "").partition("\n")[0].rstrip(".")
            print(f"  {rule_name(module):<22} {sentence[:1].lower()}{sentence[1:]}")
    for family, table in TABLES.items():
        print(family)
        for name, sentence in table.items():
            print(f"  {name:<22} {sentence}")
    return 0
