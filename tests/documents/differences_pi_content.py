"""Where segue differs from pi's transformMessages as described for v0.66: thinking, media, and what no api takes."""

from __future__ import annotations

from differences import Difference
from neutral_lines import assistant, call, image, opaque, result, text, thinking, tool, user

OPUS = "anthropic/claude-opus-4-8"
GPT = "openai/gpt-5.2"
BROKEN = "cut emoji \ud83d here"

THINKING = (
    Difference(
        title="The own model's unsigned thinking is treated as another's",
        model=OPUS,
        history=(user("hi"), assistant(OPUS, thinking("Is it even?"), "Yes."), user("why?")),
        theirs="keeps it as thinking; the request then shows it as plain text all the same",
        theirs_gives=(user("hi"), assistant(OPUS, thinking("Is it even?"), "Yes."), user("why?")),
        ours="makes it text, or leaves it out with `--thinking drop`, and tells",
        ours_gives=(user("hi"), assistant(OPUS, "Is it even?", "Yes."), user("why?")),
        why="Anthropic takes thinking back with its signature only; what happens has to stand in the report",
        source="pi issue 4464; Anthropic's documents on extended thinking",
    ),
    Difference(
        title="A blank is no signature",
        model=OPUS,
        history=(user("hi"), assistant(OPUS, thinking("", " "), "Yes."), user("why?")),
        theirs="keeps empty thinking with any signature that is not empty, a single blank as well",
        theirs_gives=(user("hi"), assistant(OPUS, thinking("", " "), "Yes."), user("why?")),
        ours="drops it",
        ours_gives=(user("hi"), assistant(OPUS, "Yes."), user("why?")),
        why="the api refuses the block",
        source="pi 0.66.0, run on such a history",
    ),
    Difference(
        title="Redacted thinking without its payload goes",
        model=OPUS,
        history=(user("hi"), assistant(OPUS, thinking("", redacted=True), "Yes."), user("why?")),
        theirs="keeps it for the same model",
        theirs_gives=(user("hi"), assistant(OPUS, thinking("", redacted=True), "Yes."), user("why?")),
        ours="drops it",
        ours_gives=(user("hi"), assistant(OPUS, "Yes."), user("why?")),
        why="nothing is in it, and the api demands `data`",
        source="pi 0.66.0, run on such a history",
    ),
    Difference(
        title="A signature that is no reasoning item does not break the request",
        model=GPT,
        history=(user("hi"), assistant(GPT, thinking("plan", "not json"), "Hi"), user("more")),
        theirs="keeps it; writing the request then fails, before anything is sent",
        theirs_gives=(user("hi"), assistant(GPT, thinking("plan", "not json"), "Hi"), user("more")),
        ours="treats it as unsigned",
        ours_gives=(user("hi"), assistant(GPT, "plan", "Hi"), user("more")),
        why="one damaged block should not cost the conversation",
        source="pi 0.66.0, run on such a history",
    ),
    Difference(
        title="Models that refuse reasoning shown to them as text do not get it",
        model="anthropic/claude-fable-5",
        history=(user("hi"), assistant(GPT, thinking("Is it even?"), "Yes."), user("why?")),
        theirs="makes every other model's readable thinking text",
        theirs_gives=(user("hi"), assistant(GPT, "Is it even?", "Yes."), user("why?")),
        ours="leaves it out for those models by default; `--thinking text` insists",
        ours_gives=(user("hi"), assistant(GPT, "Yes."), user("why?")),
        why="they take it for an attempt to draw out their reasoning; pi drops all of it since 1.3",
        source="pi issue 10995",
    ),
    Difference(
        title="Thinking that nothing follows goes",
        model=GPT,
        history=(
            user("hi"),
            assistant(GPT, thinking("", '{"type":"reasoning","id":"rs_1","encrypted_content":"gAAA"}'), stop="length"),
            user("well?"),
        ),
        theirs="keeps a turn of nothing but the own model's reasoning, unless it stopped with an error",
        theirs_gives=(
            user("hi"),
            assistant(GPT, thinking("", '{"type":"reasoning","id":"rs_1","encrypted_content":"gAAA"}'), stop="length"),
            user("well?"),
        ),
        ours="drops it, and the turn that is empty then",
        ours_gives=(user("hi"), user("well?")),
        why="OpenAI refuses a reasoning item without the item that it led to",
        source="pi issue 838",
    ),
)

MEDIA = (
    Difference(
        title="A model without eyes gets a word in the place of an image",
        model="openai/o3-mini",
        history=(user("look", image(), image()),),
        theirs="leaves images to the writer of the request, which drops them in silence",
        theirs_gives=(user("look", image(), image()),),
        ours="puts one placeholder in the place of each run of images",
        ours_gives=(user("look", "(image omitted: model does not support images)"),),
        why="the model should know that there was one; pi does the same since 0.68, in these words",
        source="pi issue 3429",
    ),
    Difference(
        title="Images move out of results where the api takes only text there",
        model="openai/gpt-4o",
        api="openai-completions",
        history=(
            user("shoot"),
            assistant(GPT, call("c1", "shot"), call("c2", "shot")),
            tool(result("c1", "one", image(), name="shot"), result("c2", "two", name="shot")),
            user("so?"),
        ),
        theirs="leaves that to the writer of the request: nothing of it is told",
        theirs_gives=(
            user("shoot"),
            assistant(GPT, call("c1", "shot"), call("c2", "shot")),
            tool(result("c1", "one", image(), name="shot"), result("c2", "two", name="shot")),
            user("so?"),
        ),
        ours="is a rule as any other: behind all results of the turn, with a line that says whose image it is",
        ours_gives=(
            user("shoot"),
            assistant(GPT, call("c1", "shot"), call("c2", "shot")),
            tool(result("c1", "one", name="shot"), result("c2", "two", name="shot")),
            user("Attached image from the result of call c1 (shot):", image()),
            user("so?"),
        ),
        why="no repair hides in a writer, and nothing may stand between two results",
        source="pi issue 902",
    ),
)

CONTENT = (
    Difference(
        title="Half a surrogate pair is replaced",
        model="openai/gpt-4o",
        history=(user(BROKEN),),
        theirs="leaves it in the list",
        theirs_gives=(user(BROKEN),),
        ours="puts U+FFFD in its place, in arguments and their keys as well, and counts it",
        ours_gives=(user("cut emoji � here"),),
        why="it cannot be written as UTF-8, and its escape makes the api refuse the whole body",
        source="Anthropic's error text `no low surrogate in string`; pi 0.66.0, run on such a history",
    ),
    Difference(
        title="Blocks that nobody knows go",
        model=OPUS,
        history=(user("hi"), assistant(GPT, opaque("hologram", {"x": 1}), "ok"), user("more")),
        theirs="passes them on; what becomes of them differs from api to api",
        theirs_gives=(user("hi"), assistant(GPT, opaque("hologram", {"x": 1}), "ok"), user("more")),
        ours="drops them, and tells; in their own format they stay",
        ours_gives=(user("hi"), assistant(GPT, "ok"), user("more")),
        why="nothing may be lost in silence, and nothing be sent that no api can read",
        source="pi 0.66.0, run on such a history",
    ),
    Difference(
        title="Neighbours of one role are merged for Anthropic",
        model=OPUS,
        history=(user("hi"), user("are you there?"), assistant(GPT, text("Yes."))),
        theirs="leaves them side by side",
        theirs_gives=(user("hi"), user("are you there?"), assistant(GPT, text("Yes."))),
        ours="merges them, block behind block",
        ours_gives=(user("hi", "are you there?"), assistant(GPT, "Yes.")),
        why="Anthropic joins them itself, but many servers that speak its api refuse them",
        source="Anthropic's documents on the Messages api; pi 0.66.0, run on such a history",
    ),
)

PI_CONTENT = THINKING + MEDIA + CONTENT
