"""The one gradient that crosses between judge and worker, worked out on either side in the same way.

No graph of torch crosses, so it is made, used and forgotten within one call. Nothing here imports torch: see `tensors`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Any

from grader.wire.tensors import is_tensor, torch_of


def vjp(  # noqa: PLR0913, PLR0917  (a call, and what is asked of it)
    function: Callable[..., Any],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    owner: object,
    wrt: Sequence[int | str],
    cotangents: Sequence[Any],
) -> list[Any]:
    """Make a call, and return its value and the products of the cotangents with its Jacobians.

    Args:
        function: What is called.
        args: Its positional arguments; those to differentiate by are copied, and the copies passed.
        kwargs: Its other arguments.
        owner: The object whose tensors are named in `wrt`.
        wrt: Positions of arguments, or dotted names of tensors of the owner.
        cotangents: A tensor for each floating one in the value, in order, of its shape.

    Returns:
        The list [value, gradients], with a gradient for each of `wrt`: None where the value does not depend on it.

    Raises:
        ValueError: There are as many floating tensors in the value as cotangents, or an argument is none.
        RuntimeError: The value depends on no tensor that has a gradient, or shapes do not fit.
        BaseException: Whatever the call itself raises.
    """
    torch = torch_of()
    passed = list(args)
    for place in wrt:
        if isinstance(place, int):
            passed[place] = _leaf(passed, place)
    # Gradients may have been switched off by what was called before.
    with torch.enable_grad():
        value = function(*passed, **kwargs)
    by = [passed[place] if isinstance(place, int) else reduce(getattr, place.split("."), owner) for place in wrt]
    outputs = [part for part in _tensors(value) if part.is_floating_point()]
    if len(outputs) != len(cotangents):
        raise ValueError(f"the value holds {len(outputs)} floating tensors, where {len(cotangents)} are differentiated")
    found = torch.autograd.grad(outputs, by, list(cotangents), allow_unused=True)
    return [value, list(found)]


def _leaf(args: Sequence[Any], place: int) -> Any:  # noqa: ANN401  (a tensor)
    if not is_tensor(type(args[place])):
        raise ValueError(f"argument {place} is no tensor, so there is no gradient by it")
    return args[place].detach().clone().requires_grad_()


def _tensors(value: object) -> Iterator[Any]:
    if is_tensor(type(value)):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _tensors(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _tensors(part)
