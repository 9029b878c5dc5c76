from __future__ import annotations

import torch
from hw11.characters import Characters
from hw11.samples import as_markdown, default_prompts


def row(prompt, temperature, seed, text):
    return {"prompt": prompt, "temperature": temperature, "seed": seed, "text": text}


def test_a_page_has_a_heading_for_each_prompt_and_one_for_each_temperature():
    page = as_markdown([row("The", 0.5, 0, "The end"), row("The", 1.0, 1, "The\nend"), row("A\n b", 0.5, 2, "A\n b")])
    assert page.splitlines() == [
        "# Samples", "", "## The", "", "### temperature 0.5, seed 0", "", "```text", "The end", "```", "",
        "### temperature 1.0, seed 1", "", "```text", "The", "end", "```", "",
        "## A b", "", "### temperature 0.5, seed 2", "", "```text", "A", " b", "```",
    ]  # fmt: skip


def test_no_text_ends_its_own_fence():
    text = "```\n## not a heading\n````"
    assert f"`````text\n{text}\n`````\n" in as_markdown([row("x", 1, 0, text)])


def test_prompts_begin_lines_of_the_validation_part_and_end_with_a_word():
    lines = [f"Line number {word} has a word of its own in it." for word in ("one", "two", "three")]
    text = "\n".join(["short", "   indented far too much to begin with", *lines])
    tokenizer = Characters.learn(text, None)
    prompts = default_prompts(tokenizer, torch.tensor(tokenizer.encode(text)))
    assert prompts == ["Line number one", "Line number two", "Line number"]
    assert default_prompts(tokenizer, torch.tensor(tokenizer.encode("short"))) == ["short"]
