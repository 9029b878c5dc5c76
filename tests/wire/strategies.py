"""What may be sent, and what may be said in its place."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from grader.wire.arrays import DTYPES
from grader.wire.limits import MAX_BITS
from grader.wire.records import Record

dtypes = st.sampled_from(list(DTYPES)).map(np.dtype)
arrays = npst.arrays(dtypes, npst.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4))
texts = st.text(st.characters(exclude_categories=["Cs"]))
plain = st.none() | st.booleans() | st.integers(-(2**MAX_BITS) + 1, 2**MAX_BITS - 1) | st.floats() | texts
scalars = dtypes.flatmap(lambda kind: npst.arrays(kind, ())).map(lambda array: array[()])
hashable = st.integers() | texts
keys = hashable | st.tuples(hashable, st.none() | st.booleans(), hashable)
identifiers = st.text(max_size=9).filter(
    lambda name: name.isidentifier() and not name.startswith("_")
) | st.sampled_from(["name", "fields", "d_model", "self", "層"])


def _records(inner):
    return st.builds(Record, identifiers, st.dictionaries(identifiers, inner, max_size=5))


values = st.recursive(
    plain | scalars | arrays | st.binary() | st.complex_numbers(),
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(keys, inner) | _records(inner),
    max_leaves=12,
)

numbers = st.integers(-3, 70) | st.sampled_from([2**31, 2**62, 2**63 - 1, -(2**63), 2**64, 10**40, True, 1.0])
words = st.sampled_from(
    [*DTYPES, "O", "V8", "U4", "", "nan", "PCG64", "MT19937", "0x1", "ff" * 8, "call", "returned", "failed"]
) | st.text(max_size=4)
tags = st.sampled_from(
    [
        "list",
        "tuple",
        "dict",
        "float",
        "int",
        "complex",
        "bytes",
        "array",
        "scalar",
        "tensor",
        "generator",
        "torch_generator",
        "handle",
        "lent",
        "record",
        "set",
    ]
)
trees = st.recursive(
    st.none() | numbers | st.floats() | words,
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(tags, inner, min_size=1, max_size=1)
        | st.dictionaries(words, inner, max_size=3)
    ),
    max_leaves=25,
)
messages = st.tuples(words, st.lists(trees, max_size=6)).map(lambda parts: {"tuple": [parts[0], *parts[1]]})
listings = st.lists(st.tuples(words, st.lists(numbers, max_size=4)).map(list), max_size=4) | trees
