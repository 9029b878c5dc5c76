"""What is handed in and tested: attention in NumPy or in PyTorch, in as many cheap tests as asked for."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product


@dataclass(frozen=True)
class Flavour:
    """A library, and the words in which it says the same.

    Args:
        name: What to call it.
        packages: What a submission may import.
        forbidden: The ready-made answers.
        head: What a file of tests or of a submission begins with.
        inputs: Makes `q`, `k` and `v` with a generator called `rng`.
        close: Compares `got` with `expected`, without anything of the grader's.
        styles: Right answers; each has `{number}` where a constant makes it another's.
    """

    name: str
    packages: tuple[str, ...]
    forbidden: tuple[str, ...]
    head: str
    inputs: str
    close: str
    styles: tuple[str, ...]

    def submission(self, number: int) -> str:
        """Return a right submission: no two numbers give the same text."""
        return self.head + self.styles[number % len(self.styles)].format(number=number)


_NUMPY = (
    """

TOKENS = {number}


def attention(q, k, v):
    scores = q @ k.T / np.sqrt(q.shape[-1])
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ v
""",
    """

# version {number}


def softmax(x):
    e = np.exp(x - np.max(x, axis=1)[:, None])
    return e / e.sum(axis=1)[:, None]


def attention(queries, keys, values):
    d_k = queries.shape[1]
    return np.matmul(softmax(np.matmul(queries, keys.T) / d_k**0.5), values)
""",
    """

NUMBER = {number}


def attention(q, k, v):
    rows = []
    for query in q:
        scores = k @ query / np.sqrt(len(query))
        weights = np.exp(scores - scores.max())
        rows.append(weights @ v / weights.sum())
    return np.stack(rows)
""",
)
_TORCH = (
    """

TOKENS = {number}


def attention(q, k, v):
    scores = q @ k.T / q.shape[-1] ** 0.5
    return torch.softmax(scores, dim=-1) @ v
""",
    """

# version {number}


def attention(queries, keys, values):
    scores = torch.matmul(queries, keys.transpose(0, 1)) / queries.size(1) ** 0.5
    e = torch.exp(scores - scores.max(dim=1, keepdim=True).values)
    return torch.matmul(e / e.sum(dim=1, keepdim=True), values)
""",
)

FLAVOURS = {
    "numpy": Flavour(
        "NumPy",
        ("numpy",),
        (),
        "import numpy as np\n",
        "q, k, v = rng.standard_normal((3, 5, 8))",
        "np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-9)",
        _NUMPY,
    ),
    "torch": Flavour(
        "torch",
        ("numpy", "torch"),
        ("torch.nn.MultiheadAttention", "torch.nn.functional.scaled_dot_product_attention"),
        "import numpy as np\nimport torch\n",
        "q, k, v = torch.from_numpy(rng.standard_normal((3, 5, 8)))",
        "assert torch.allclose(got, expected, rtol=1e-9, atol=1e-9)",
        _TORCH,
    ),
}


def cases(flavours: list[str], sizes: list[int]) -> list[tuple[Flavour, int]]:
    """Return what is to be measured, each a flavour and a number of tests."""
    return [(FLAVOURS[name], size) for name, size in product(flavours, sizes)]
