"""`sample`: let a trained model continue prompts."""

from __future__ import annotations

import argparse
from itertools import product

import torch

from hw11 import record
from hw11.checkpoint import restore
from hw11.errors import HomeworkError
from hw11.folder import RunFolder
from hw11.loop import alone
from hw11.modules import load
from hw11.say import result
from hw11.tokenizer import encode
from hw11.tokenizer import load as load_tokenizer

DEFAULT_TEMPERATURE = 0.8


def sample(arguments: argparse.Namespace) -> int:
    """Print what the model makes of each prompt at each temperature.

    Raises:
        HomeworkError: There is no such run, a prompt cannot be encoded, or a number is out of range.
    """
    code, folder = load(arguments.code), RunFolder(arguments.run)
    found = folder.read_record()
    tokenizer = load_tokenizer(found["tokenizer"]["kind"], folder.tokenizer)
    nothing = torch.zeros(found["training"]["block_size"] + 1, dtype=torch.int64)
    run = alone(code, record.model(found, code), record.train_config(found["training"], code), (nothing, nothing))
    restore(folder.checkpoint, run)
    temperatures = arguments.temperature or [DEFAULT_TEMPERATURE]
    for i, (prompt, temperature) in enumerate(product(arguments.prompt, temperatures)):
        idx = torch.tensor([encode(tokenizer, prompt)], dtype=torch.int64)  # [1, T]
        try:
            [tokens] = code.generation.generate(
                run.model, idx, arguments.max_new_tokens, temperature=temperature, top_k=arguments.top_k,
                top_p=arguments.top_p, generator=torch.Generator().manual_seed(arguments.seed + i),
            )  # fmt: skip
        except ValueError as error:
            raise HomeworkError(str(error), hint="`sample --help` tells what each number is") from error
        result(f"-- temperature {temperature}, seed {arguments.seed + i}")
        result(tokenizer.decode(tokens.tolist()))
    return 0
