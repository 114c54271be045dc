"""`segue rules`: the list of rules, in the order in which they run."""

from __future__ import annotations


def command() -> int:
    """List all rules in their order, with what each does."""
    from segue.passes import NORMALIZE, TRANSFORM, rule_name

    for family, modules in (("normalize", NORMALIZE), ("transform", TRANSFORM)):
        print(f"{family}")
        for module in modules:
            sentence = (module.__doc__ or "").partition("\n")[0].rstrip(".")
            print(f"  {rule_name(module):<22} {sentence[:1].lower()}{sentence[1:]}")
    return 0
