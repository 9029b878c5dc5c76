"""A pair of columns is a complex number, and a turn is a multiplication."""

import numpy as np


def _floats(x):
    return x.astype(np.float32 if x.dtype == np.float32 else np.float64)


def _check(width, base):
    if width <= 0 or width & 1:
        raise ValueError(f"width {width} does not split into pairs")
    if not base > 0:
        raise ValueError(f"base {base} is not positive")


def _to_complex(x):
    return x[..., 0::2] + 1j * x[..., 1::2]


def _to_real(z, dtype):
    return np.stack([z.real, z.imag], axis=-1).reshape(*z.shape[:-1], 2 * z.shape[-1]).astype(dtype)


def sinusoidal_encoding(T, d_model, base=10000.0):
    _check(d_model, base)
    if T < 0:
        raise ValueError("T < 0")
    turns = np.exp(1j * np.outer(np.arange(T), rope_frequencies(d_model, base)))
    # exp(i a) = cos a + i sin a, so the sine is the imaginary part.
    return np.stack([turns.imag, turns.real], axis=-1).reshape(T, d_model)


def rotate_2d(x, angle):
    if x.shape[-1:] != (2,):
        raise ValueError("no vectors of the plane")
    x = _floats(x)
    return _to_real(_to_complex(x) * np.exp(1j * angle), x.dtype)


def rope_frequencies(d_head, base=10000.0):
    _check(d_head, base)
    return base ** (-2 * np.arange(d_head // 2) / d_head)


def apply_rope(x, positions, base=10000.0):
    if x.ndim < 2:
        raise ValueError("x has no axis of tokens")
    if positions.shape not in ((x.shape[-2],), x.shape[:-1]):
        raise ValueError("positions do not fit x")
    x = _floats(x)
    angles = np.multiply.outer(positions, rope_frequencies(x.shape[-1], base))
    return _to_real(_to_complex(x) * np.exp(1j * angles), x.dtype)


def relative_scores(q, k, n, base=10000.0):
    if q.ndim != 1 or k.ndim != 1 or len(q) != len(k):
        raise ValueError("query and key differ")
    if n < 0:
        raise ValueError("n < 0")
    dtype = np.result_type(_floats(q), _floats(k))
    products = _to_complex(_floats(q)) * _to_complex(_floats(k)).conj()
    distances = np.arange(n)[:, None] - np.arange(n)
    turns = np.exp(1j * distances[..., None] * rope_frequencies(len(q), base))
    return (turns @ products).real.astype(dtype)


def order_sensitivity(encode, X, perm):
    if X.ndim != 2 or perm.ndim != 1 or len(perm) != len(X) or set(perm.tolist()) != set(range(len(X))):
        raise ValueError("no permutation of the tokens")
    before = encode(X[perm]).astype(np.float64)
    after = encode(X)[perm].astype(np.float64)
    return float(abs(before - after).max(initial=0))
