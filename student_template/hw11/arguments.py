"""The command line."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import NoReturn

from hw11.corpus import BUILTIN
from hw11.graded import CORPUS
from hw11.recipe import add_recipe
from hw11.tokenizer import KINDS

DEFAULT_TEMPERATURES = [0.5, 0.8, 1.1]
# What a resumed run may be told anew; all else stands in its run.json.
_ANEW = {"resume", "code", "corpus", "checkpoint_every", "command", "parser", "called"}


class _Help(argparse.ArgumentDefaultsHelpFormatter):
    """Tells the default of each option that has one."""

    def _get_help_string(self, action: argparse.Action) -> str | None:
        has_none = action.default is None or action.default is False
        return action.help if has_none else super()._get_help_string(action)


class _Parser(argparse.ArgumentParser):
    """Says what is wrong, and not all options before it."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"error: {message}\nhint: `{self.prog} --help` tells the options\n")


def at_least_one(text: str) -> int:
    """Return a count.

    Raises:
        ArgumentTypeError: It is less than 1.
    """
    if (number := int(text)) < 1:
        raise argparse.ArgumentTypeError(f"{number} is less than 1")
    return number


def temperature(text: str) -> float:
    """Return a temperature.

    Raises:
        ArgumentTypeError: It is less than 0.
    """
    if not (number := float(text)) >= 0:
        raise argparse.ArgumentTypeError(f"{number} is less than 0")
    return number


def seed(text: str) -> int:
    """Return a seed; those of the samples, which come after it, are ones that torch takes too.

    Raises:
        ArgumentTypeError: It is no whole number, or one of more than 63 bits.
    """
    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number, such as 7") from None
    if not abs(number) < 2**63:
        raise argparse.ArgumentTypeError(f"{number} is too large: a seed is less than 2^63 = {2**63}")
    return number


def parser(called: str, here: Path) -> argparse.ArgumentParser:
    """Return the parser of all commands.

    Args:
        called: What is typed after `python`, with {} where the command stands.
        here: The folder whose modules are taken where --code names no other.
    """
    top = _Parser(
        prog=f"python {called.partition('{')[0].rstrip(' .')}",
        description="Homework 11: train a GPT, let it write, draw its curves.",
    )
    commands = top.add_subparsers(dest="command", required=True)
    for name, add, text in (
        ("train", _train, "Train a model and write RUN/."),
        ("sample", _sample, "Let the model of RUN/ continue a prompt."),
        ("plot", _plot, "Draw RUN/loss.png again, from metrics.csv."),
    ):
        command = commands.add_parser(
            name,
            prog=f"python {called.format(name)}",
            help=text,
            description=text,
            formatter_class=_Help,
        )
        command.set_defaults(parser=command)
        command.add_argument(
            "--code",
            type=Path,
            metavar="DIR",
            default=here,
            help="where layers.py, gpt2.py, training.py and generation.py lie",
        )
        add(command)
    return top


def changed(arguments: argparse.Namespace) -> list[str]:
    """Return the options of `train` that were given and that a resumed run cannot change."""
    default = arguments.parser.get_default
    given = vars(arguments).keys() - _ANEW
    return sorted(f"--{name.replace('_', '-')}" for name in given if getattr(arguments, name) != default(name))


def _train(command: argparse.ArgumentParser) -> None:
    data = command.add_argument_group("data")
    data.add_argument(
        "--corpus",
        metavar="FILE",
        default=BUILTIN,
        help=f"a UTF-8 text, for the homework {CORPUS}; or {BUILTIN}: Python's own documentation, to try things",
    )
    data.add_argument("--tokenizer", choices=sorted(KINDS), default="char", help="bpe needs the package tokenizers")
    data.add_argument("--vocab-size", type=int, metavar="V", help="of bpe")
    model = command.add_argument_group("model")
    model.add_argument(
        "--preset", default="nano", metavar="NAME", help="femto, pico, nano, gpt2, gpt2-medium, gpt2-large or gpt2-xl"
    )
    model.add_argument("--context", type=int, metavar="T", default=128, help="the longest sequence, in tokens")
    model.add_argument("--dropout", type=float, metavar="P", default=0.0, help="in training")
    model.add_argument(
        "--bias", action=argparse.BooleanOptionalAction, default=True, help="linear layers and norms with biases"
    )
    recipe = command.add_argument_group("recipe")
    add_recipe(recipe)
    recipe.add_argument("--seed", type=seed, default=0, help="of the weights, the batches and the samples")
    output = command.add_argument_group("output")
    output.add_argument("--out", type=Path, metavar="RUN", default=Path("run"), help="the folder that is written")
    output.add_argument(
        "--resume",
        type=Path,
        metavar="RUN",
        help="go on with a run from its last checkpoint; it is as if it had never stopped",
    )
    output.add_argument("--checkpoint-every", type=at_least_one, metavar="N", default=100, help="steps")
    output.add_argument(
        "--prompt",
        action="append",
        metavar="TEXT",
        help="what the samples continue; may be given again; else lines of the validation part",
    )
    output.add_argument(
        "--temperature",
        type=temperature,
        action="append",
        metavar="T",
        help=f"may be given again; else {DEFAULT_TEMPERATURES}",
    )
    output.add_argument("--max-new-tokens", type=at_least_one, metavar="N", default=200, help="of each sample")
    speed = command.add_argument_group("speed (not needed for the homework)")
    speed.add_argument("--device", choices=["cpu", "cuda", "mps"], default="cpu", help="where to compute")
    speed.add_argument("--bf16", action="store_true", help="matrix products in bfloat16")
    speed.add_argument("--compile", action="store_true", help="torch.compile")
    speed.add_argument(
        "--flash", action="store_true", help="torch's own kernels: attention without the T x T matrix, LayerNorm, GELU"
    )
    speed.add_argument("--checkpointing", action="store_true", help="compute activations twice instead of keeping them")


def _sample(command: argparse.ArgumentParser) -> None:
    command.add_argument("run", type=Path, metavar="RUN", help="a folder that `train` wrote")
    command.add_argument(
        "--prompt", action="append", required=True, metavar="TEXT", help="what to continue; may be given again"
    )
    command.add_argument(
        "--temperature",
        type=temperature,
        action="append",
        metavar="T",
        help="0 for the likeliest token; may be given again; else 0.8",
    )
    command.add_argument("--top-k", type=int, metavar="K", help="draw from the K likeliest tokens")
    command.add_argument(
        "--top-p", type=float, metavar="P", help="draw from the likeliest tokens that have probability P together"
    )
    command.add_argument("--max-new-tokens", type=at_least_one, metavar="N", default=200, help="of each sample")
    command.add_argument("--seed", type=seed, default=0, help="of the first sample; the next has one more")


def _plot(command: argparse.ArgumentParser) -> None:
    command.add_argument("run", type=Path, metavar="RUN", help="a folder that `train` wrote")
