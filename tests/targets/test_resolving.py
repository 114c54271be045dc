"""From a name to a target: spellings, what wins over what, models that nobody knows."""

from __future__ import annotations

import pytest
from catalogues import BY_FAMILY

from segue.errors import UsageError
from segue.targets import resolve
from segue.targets.apis import API_DEFAULTS
from segue.targets.catalogue import plain_name, row_of
from segue.targets.families import FAMILIES, family_of
from segue.targets.rows import all_rows

SPELLINGS = {
    "anthropic/claude-opus-4-8[1m]": "anthropic/claude-opus-4-8",
    "anthropic/claude-opus-4.8": "anthropic/claude-opus-4-8",
    "anthropic/claude-opus-4-0": "anthropic/claude-opus-4-20250514",
    "anthropic/claude-opus-4": "anthropic/claude-opus-4-20250514",
    "anthropic/claude-3-5-haiku-latest": "anthropic/claude-3-5-haiku-20241022",
    "anthropic/claude-4.5-sonnet": "anthropic/claude-sonnet-4-5",
    "anthropic/claude-haiku-5-5-20261001": "anthropic/claude-haiku-5-5",
    "openai/gpt-4.1-2025-04-14": "openai/gpt-4.1",
    "openai/gpt-5.2-latest": "openai/gpt-5.2",
    "openai/gpt-4o-2024-08-06": "openai/gpt-4o-2024-08-06",
    "amazon-bedrock/apac.anthropic.claude-opus-4-8": "amazon-bedrock/anthropic.claude-opus-4-8",
    "amazon-bedrock/us-gov.anthropic.claude-opus-4-8-v1:0": "amazon-bedrock/anthropic.claude-opus-4-8",
    "amazon-bedrock/anthropic.claude-sonnet-4-5": "amazon-bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0",
    "amazon-bedrock/amazon.nova-pro-v1:0:300k": "amazon-bedrock/amazon.nova-pro-v1:0",
    "amazon-bedrock/arn:aws:bedrock:us-east-1:123456789012:inference-profile/eu.amazon.nova-pro-v1:0": (
        "amazon-bedrock/amazon.nova-pro-v1:0"
    ),
    "bedrock/amazon.nova-pro-v1:0": "amazon-bedrock/amazon.nova-pro-v1:0",
    "google-vertex/claude-opus-5@20260801": "google-vertex/claude-opus-5",
    "vertex/claude-sonnet-4-5@20250929": "google-vertex/claude-sonnet-4-5@20250929",
    "gemini/gemini-2.5-flash": "google/gemini-2.5-flash",
    "openrouter/anthropic/claude-opus-4-8:thinking": "openrouter/anthropic/claude-opus-4.8",
}


@pytest.mark.parametrize("name", [name for names in BY_FAMILY.values() for name in names])
def test_model_of_the_rule_book_is_known_with_its_family(name: str) -> None:
    row = row_of(name)
    assert row is not None
    family = family_of(row.plain_name)

    target = resolve(name)

    assert target.known and target.name == name and target.api == row.apis[0]
    assert target.context_window == row.window and target.max_output == row.output
    assert name in BY_FAMILY[family.name if family is not None else "none"]


@pytest.mark.parametrize("name", SPELLINGS)
def test_other_spelling_is_the_same_model(name: str) -> None:
    row = row_of(name)

    target = resolve(name)

    assert row is not None and row.name == SPELLINGS[name]
    assert target.known and target.name == name


@pytest.mark.parametrize(
    ("model", "plain"),
    [
        ("deepseek-v3", "deepseek-v3"),
        ("deepseek.v3-v1:0", "deepseek.v3"),
        ("in.openai.gpt-5.6-luna", "gpt-5.6-luna"),
        ("global.zai.glm-5.3", "glm-5.3"),
        ("ai21.jamba-1-5-large-v1:0", "jamba-1-5-large"),
        ("qwen3.8-max", "qwen3.8-max"),
        ("claude-3-5-sonnet", "claude-3-5-sonnet"),
        ("anthropic/claude-4-sonnet-20250514", "claude-sonnet-4"),
        ("claude-opus-5.5-fast", "claude-opus-5-5"),
        ("openai.gpt-oss-120b-1:0", "gpt-oss-120b"),
        ("phi-3:14b", "phi-3:14b"),
    ],
)
def test_plain_name_loses_what_hosts_add_and_nothing_else(model: str, plain: str) -> None:
    assert plain_name(model) == plain


def test_every_row_resolves_by_each_of_its_apis() -> None:
    for row in all_rows():
        for api in row.apis:
            assert resolve(row.name, api).known


# ------------------------------------------------------------------------------------- what wins over what


def test_a_model_without_eyes_wins_over_an_api_with_eyes() -> None:
    assert API_DEFAULTS["anthropic-messages"]["images"]

    target = resolve("minimax/MiniMax-M2.7")

    assert (target.images, target.documents) == (False, False)


def test_a_model_with_eyes_wins_over_an_api_without() -> None:
    assert not API_DEFAULTS["bedrock-converse-stream"].get("images")

    assert resolve("amazon-bedrock/moonshotai.kimi-k2.5").images


def test_what_a_family_says_of_documents_stays() -> None:
    llama = next(row for row in all_rows("amazon-bedrock") if "llama3" in row.id.replace("-", "") and not row.image)

    target = resolve(llama.name)

    assert (target.images, target.documents) == (False, True)


def test_quirk_of_a_host_stays_under_a_row() -> None:
    target = resolve("groq/openai/gpt-oss-120b")

    assert (target.thinking, target.thinking_field) == ("field", "reasoning")


def test_model_that_does_not_reason_has_no_thinking_to_give_back() -> None:
    assert resolve("deepseek/deepseek-chat").required_thinking == "none"
    assert resolve("openai/gpt-4o").thinking == "none"
    assert resolve("mistral/devstral-medium-latest").thinking == "none"
    assert resolve("mistral/mistral-large-4").thinking == "field"


def test_late_system_messages_are_taken_where_the_row_says_so_and_the_api_can() -> None:
    assert resolve("anthropic/claude-opus-4-8").late_system
    assert not resolve("anthropic/claude-opus-4-7").late_system
    assert resolve("moonshotai/kimi-k3").late_system
    assert not resolve("google-vertex/claude-opus-4-8", "bedrock-converse-stream").late_system


def test_prefill_is_the_rows_on_anthropics_api() -> None:
    assert resolve("anthropic/claude-sonnet-4-5").prefill
    assert not resolve("anthropic/claude-opus-4-6").prefill


def test_images_in_one_request_are_counted_as_the_row_has_them() -> None:
    assert resolve("anthropic/claude-sonnet-4-5").image_limits.count == 100
    assert resolve("anthropic/claude-opus-5-5").image_limits.count == 600


def test_required_thinking_of_a_row_is_that_of_every_turn() -> None:
    target = resolve("xiaomi/mimo-v2.6-pro")

    assert (target.thinking, target.required_thinking) == ("field", "all")


# --------------------------------------------------------------------------------- models that nobody knows


@pytest.mark.parametrize(
    ("name", "api", "family"),
    [
        ("anthropic/claude-opus-9", "anthropic-messages", "claude-bound"),
        ("anthropic/claude-fable-9", "anthropic-messages", "claude-bound-sealed"),
        ("openai/gpt-9", "openai-responses", "gpt-responses-only"),
        ("google/gemini-9-flash", "google-generative-ai", "gemini-3"),
        ("google-vertex/claude-opus-9@20270101", "anthropic-messages", "claude-bound"),
        ("google-vertex/gemini-9", "google-vertex", "gemini-3"),
        ("amazon-bedrock/us.anthropic.claude-opus-9-v1:0", "bedrock-converse-stream", "claude-bound"),
        ("github-copilot/claude-opus-9", "anthropic-messages", "claude-bound"),
        ("github-copilot/gpt-9", "openai-responses", "gpt-responses-only"),
        ("openrouter/google/gemini-9-pro", "openai-completions", "gemini-3"),
        ("vllm/mistralai-Mistral-7B-Instruct-v0.3", "openai-completions", "mistral"),
        ("gateway-of-mine/claude-opus-9", "openai-completions", "claude-bound"),
    ],
)
def test_unknown_model_of_a_plain_family_has_its_newest_rules(name: str, api: str, family: str) -> None:
    known = next(one for one in FAMILIES if one.name == family)

    target = resolve(name)

    assert (target.known, target.api, target.name) == (False, api, name)
    assert family_of(plain_name(target.model)) is known
    for field, value in known.values(api).items():
        assert getattr(target, field) == value


def test_unknown_model_without_a_family_is_told_with_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"unknown model 'openai/gtp-5.2' .*did you mean openai/gpt-5.2"):
        resolve("openai/gtp-5.2")


def test_mistyped_provider_is_told_and_not_taken_for_a_stranger() -> None:
    with pytest.raises(UsageError, match="did you mean anthropic/claude-opus-4-8"):
        resolve("antropic/claude-opus-4-8")


def test_model_without_a_provider_is_told_with_the_vendors_own_first() -> None:
    with pytest.raises(UsageError, match="is not PROVIDER/ID; did you mean anthropic/claude-opus-4-8"):
        resolve("claude-opus-4-8")


def test_api_makes_a_stranger_usable() -> None:
    target = resolve("mine/strange", "anthropic-messages")

    assert (target.known, target.api) == (False, "anthropic-messages")


def test_lenient_takes_the_usual_api_of_a_provider() -> None:
    assert resolve("xai/strange", lenient=True).api == "openai-responses"
    assert resolve("vercel-ai-gateway/strange", lenient=True).api == "anthropic-messages"
    assert resolve("radius/cheap", lenient=True).api == "openai-completions"


def test_kimi_wants_its_field_back_from_hosts_that_have_it_only() -> None:
    asked = {
        name: resolve(name, "openai-completions").required_thinking
        for name in ("moonshotai/kimi-k2.6", "moonshotai/kimi-k5", "moonshotai/moonshot-v1-32k", "vllm/kimi-k3")
    }

    assert list(asked.values()) == ["calls", "all", "none", "none"]
