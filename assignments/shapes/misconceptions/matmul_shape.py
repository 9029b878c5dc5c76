"""What goes wrong in the exercise shapes.matmul_shape."""

from __future__ import annotations

from functools import partial
from itertools import zip_longest

from grader.testing import Explained, misconception, variant
from misconceptions.shared import ASSERTS

about = partial(misconception, name="matmul_shape")


# The parts that the mistakes get right.


def refuse(a, b):
    raise ValueError(f"no product of {a} and {b}")


def widened(a, b):
    """Both with at least two axes."""
    if not a or not b:
        refuse(a, b)
    return (a if len(a) > 1 else (1, *a)), (b if len(b) > 1 else (*b, 1))


def narrowed(a, b, batch, rows, columns):
    """The result without the axes that vectors were lent."""
    return (*batch, *([rows] if len(a) > 1 else []), *([columns] if len(b) > 1 else []))


def stretched(mine, yours):
    """One batch axis."""
    if mine == yours or 1 in (mine, yours):
        return yours if mine == 1 else mine
    raise ValueError(f"batch axes {mine} and {yours}")


def batched(a, b, one=stretched):
    """Batch axes aligned from the right, each pair by a rule."""
    pairs = zip_longest(reversed(a), reversed(b), fillvalue=1)
    return tuple(one(*pair) for pair in pairs)[::-1]


def product(a, b, batch=batched):
    """The right shape, with another rule for batch axes."""
    left, right = widened(a, b)
    if left[-1] != right[-2]:
        refuse(a, b)
    return narrowed(a, b, batch(left[:-2], right[:-2]), left[-2], right[-1])


def step_by_step(a, b, fit=lambda mine, yours: mine == yours or 1 in (mine, yours)):
    """The right shape in another style: axis by axis from the right, on lists."""
    if min(len(a), len(b)) == 0:
        refuse(a, b)
    left, right = list(a), list(b)
    columns = [right.pop()] if len(right) > 1 else []
    if left.pop() != right.pop():
        refuse(a, b)
    result = [left.pop()] if left else []
    result += columns
    while left or right:
        mine, yours = left.pop() if left else 1, right.pop() if right else 1
        if not fit(mine, yours):
            refuse(a, b)
        result.insert(0, mine if yours == 1 else yours)
    return tuple(result)


# Ideas.


@about(
    "shapes.matmul_shape/transposed",
    en=Explained(
        "Rows and columns of your result are exchanged.",
        "The rows of a product are those of the left matrix, its columns those of the right one: [n, k] @ [k, m] is [n, m].",
        hint="Each entry is a row of which matrix times a column of which?",
    ),
    zh_tw=Explained(
        "你的結果橫列和直行對調了。",
        "乘積的橫列是左邊矩陣的，直行是右邊矩陣的：[n, k] @ [k, m] 是 [n, m]。",
        hint="每一格是哪個矩陣的橫列，乘上哪個矩陣的直行？",
    ),
)
def transposed(ref, a, b):
    left, right = widened(a, b)
    if left[-1] != right[-2]:
        refuse(a, b)
    both = (right[-1:] if len(b) > 1 else ()) + (left[-2:-1] if len(a) > 1 else ())
    return batched(left[:-2], right[:-2]) + both


@variant("shapes.matmul_shape/transposed")
def _(ref, a, b):
    *batch, n, m = step_by_step(a if len(a) != 1 else (1, *a), b if len(b) != 1 else (*b, 1))
    return (*batch, *[m][: len(b) - 1], *[n][: len(a) - 1])


@about(
    "shapes.matmul_shape/dot-rule",
    en=Explained(
        "You keep the batch axes of both: that is the rule of dot.",
        "np.dot pairs every matrix of the left with every one of the right. @ walks through both stacks together: equal batch "
        "axes appear once.",
        hint="What is the shape of (4, 5, 2) @ (4, 2, 7): how often is the 4 in it?",
    ),
    zh_tw=Explained(
        "兩邊的批次軸你都留著：那是 dot 的規則。",
        "np.dot 會拿左邊的每個矩陣去配右邊的每一個。@ 則是兩疊一起走：相同的批次軸只出現一次。",
        hint="(4, 5, 2) @ (4, 2, 7) 的形狀是什麼？4 出現幾次？",
    ),
)
def dot_rule(ref, a, b):
    left, right = widened(a, b)
    if left[-1] != right[-2]:
        refuse(a, b)
    return a[:-1] + b[:-2] + b[-1:] * (len(b) > 1)


@variant("shapes.matmul_shape/dot-rule")
def _(ref, a, b):
    if not (a and b) or a[-1] != b[max(len(b) - 2, 0)]:
        refuse(a, b)
    kept = [size for axis, size in enumerate(b) if axis != max(len(b) - 2, 0)]
    return (*a[:-1], *kept)


@about(
    "shapes.matmul_shape/aligned-from-the-left",
    en=Explained(
        "You align batch axes from the left.",
        "NumPy aligns shapes at their end, and what is missing is missing in front: (3, 5, 2) @ (4, 3, 2, 7) is "
        "(4, 3, 5, 7).",
        hint="Write the two shapes below each other. At which end are they flush?",
    ),
    zh_tw=Explained(
        "你從左邊對齊批次軸。",
        "NumPy 從尾端對齊形狀，缺的是前面：(3, 5, 2) @ (4, 3, 2, 7) 是 (4, 3, 5, 7)。",
        hint="把兩個形狀上下寫在一起，是哪一端對齊？",
    ),
)
def from_the_left(ref, a, b):
    return product(a, b, lambda mine, yours: batched(mine[::-1], yours[::-1])[::-1])


@variant("shapes.matmul_shape/aligned-from-the-left")
def _(ref, a, b):
    longest = max(len(a), len(b))

    def filled(shape):
        return shape[:-2] + (1,) * (longest - len(shape)) + shape[-2:] if len(shape) > 1 else shape

    return step_by_step(filled(a), filled(b))


@about(
    "shapes.matmul_shape/ones-do-not-stretch",
    en=Explained(
        "You refuse a batch axis of 1.",
        "An axis of 1 is used again and again for each place of the other side's axis, as everywhere in NumPy.",
        hint="What becomes of (4, 1, 5, 2) @ (4, 3, 2, 7)?",
    ),
    zh_tw=Explained(
        "長度 1 的批次軸你拒絕了。",
        "長度 1 的軸會對另一邊的每個位置重複使用，NumPy 到處都是這樣。",
        hint="(4, 1, 5, 2) @ (4, 3, 2, 7) 會得到什麼？",
    ),
)
def ones_refused(ref, a, b):
    left, right = widened(a, b)
    shared = min(len(left), len(right)) - 2
    if left[len(left) - 2 - shared : -2] != right[len(right) - 2 - shared : -2]:
        refuse(a, b)
    return product(a, b)


@variant("shapes.matmul_shape/ones-do-not-stretch")
def _(ref, a, b):
    left, right = [*a[:-2]], [*b[:-2]]
    while left and right:
        if left.pop() != right.pop():
            refuse(a, b)
    return step_by_step(a, b)


@about(
    "shapes.matmul_shape/as-many-axes",
    en=Explained(
        "You ask for as many batch axes on both sides.",
        "Missing axes in front count as 1: one matrix [k, m] serves a whole batch, and a layer's weights do just that.",
        hint="X is [B, T, d], W_q is [d, d]. Is there no X @ W_q?",
    ),
    zh_tw=Explained(
        "你要求兩邊的批次軸一樣多。",
        "前面缺的軸當作 1：一個矩陣 [k, m] 可以用在整個批次，一層的權重正是這樣用的。",
        hint="X 是 [B, T, d]，W_q 是 [d, d]。難道沒有 X @ W_q 嗎？",
    ),
)
def as_many(ref, a, b):
    if min(len(a), len(b)) > 1 and len(a) != len(b):
        refuse(a, b)
    return product(a, b)


@variant("shapes.matmul_shape/as-many-axes")
def _(ref, a, b):
    batch = [shape[:-2] for shape in (a, b) if len(shape) > 1]
    if len(batch) == 2 and len(batch[0]) - len(batch[1]):
        refuse(a, b)
    return step_by_step(a, b)


@about(
    "shapes.matmul_shape/batch-of-the-left",
    en=Explained(
        "You take the batch axes of the left side as they are.",
        "Where the left has a 1, or fewer axes, it is the right side that says how many products there are.",
        hint="What is the shape of (5, 2) @ (4, 2, 7)?",
    ),
    zh_tw=Explained(
        "你直接拿左邊的批次軸。",
        "左邊是 1，或軸比較少的時候，有幾個乘積是由右邊決定的。",
        hint="(5, 2) @ (4, 2, 7) 的形狀是什麼？",
    ),
)
def batch_of_the_left(ref, a, b):
    def batch(mine, yours):
        batched(mine, yours)
        return mine

    return product(a, b, batch)


@variant("shapes.matmul_shape/batch-of-the-left")
def _(ref, a, b):
    right = step_by_step(a, b)
    return a[:-2] + right[len(right) - (len(a) > 1) - (len(b) > 1) :]


@about(
    "shapes.matmul_shape/batch-of-the-longer",
    en=Explained(
        "You take the batch axes of the side that has more of them.",
        "The two sides are compared axis by axis: where one has a 1, the other one's length counts, whichever shape is longer. "
        "And lengths that differ otherwise are an error.",
        hint="What is the shape of (4, 1, 5, 2) @ (3, 2, 7)?",
    ),
    zh_tw=Explained(
        "你拿的是軸比較多的那一邊的批次軸。",
        "兩邊要一軸一軸比：一邊是 1，就由另一邊的長度決定，不管哪個形狀比較長。除此之外，長度不同就是錯誤。",
        hint="(4, 1, 5, 2) @ (3, 2, 7) 的形狀是什麼？",
    ),
)
def batch_of_the_longer(ref, a, b):
    return product(a, b, lambda mine, yours: mine if len(mine) >= len(yours) else yours)


@variant("shapes.matmul_shape/batch-of-the-longer")
def _(ref, a, b):
    if not (a and b) or a[-1] != b[max(len(b) - 2, 0)]:
        refuse(a, b)
    return max((a[:-2], b[:-2]), key=len) + a[-2:-1] + b[1:][-1:]


@about(
    "shapes.matmul_shape/two-axes-only",
    en=Explained(
        "Your rule is for two matrices only.",
        "A vector takes part as a row or a column, and axes in front are a batch of matrices: every product in attention has "
        "such axes.",
        hint="What do you say to (4, 5, 2) @ (2, 7), and what to (2,) @ (2, 7)?",
    ),
    zh_tw=Explained(
        "你的規則只適用於兩個矩陣。",
        "向量會當成橫列或直行來乘；前面的軸則是一批矩陣，注意力裡的每個乘積都有這樣的軸。",
        hint="(4, 5, 2) @ (2, 7) 你怎麼說？(2,) @ (2, 7) 呢？",
    ),
)
def two_axes_only(ref, a, b):
    if len(a) != 2 or len(b) != 2:
        refuse(a, b)
    return product(a, b)


@variant("shapes.matmul_shape/two-axes-only")
def _(ref, a, b):
    (n, k), (rows, m) = a, b
    return (n, m) if k == rows else refuse(a, b)


@about(
    "shapes.matmul_shape/vector-axis-stays",
    en=Explained(
        "The axis that a vector was lent stays in your result.",
        "The 1 is there for the product only. A row times a matrix is a vector again, [m] and not [1, m], and two vectors make "
        "a plain number: ().",
        hint="What is the shape of (3,) @ (3,)?",
    ),
    zh_tw=Explained(
        "借給向量的那一軸留在你的結果裡。",
        "那個 1 只在相乘時存在。橫列乘矩陣又是向量，是 [m] 不是 [1, m]；兩個向量相乘就是一個數：()。",
        hint="(3,) @ (3,) 的形狀是什麼？",
    ),
)
def axis_stays(ref, a, b):
    return product(*widened(a, b))


@variant("shapes.matmul_shape/vector-axis-stays")
def _(ref, a, b):
    if len(a) == 1:
        a = (1, *a)
    if len(b) == 1:
        b = (b[0], 1)
    return step_by_step(a, b)


@about(
    "shapes.matmul_shape/outer-product",
    en=Explained(
        "Two vectors make an outer product in your rule.",
        "A column times a row is [n, m]. The @ of two vectors is a row times a column: their lengths meet, and a number "
        "is left.",
        hint="Where does the extra axis of the left vector go, and where that of the right one?",
    ),
    zh_tw=Explained(
        "依你的規則，兩個向量得到的是外積。",
        "直行乘橫列是 [n, m]。兩個向量的 @ 是橫列乘直行：兩個長度相遇，剩下一個數。",
        hint="左邊向量多出來的軸加在哪裡？右邊的呢？",
    ),
)
def outer(ref, a, b):
    return (*a, *b) if len(a) == len(b) == 1 else product(a, b)


@variant("shapes.matmul_shape/outer-product")
def _(ref, a, b):
    if [len(a), len(b)] == [1, 1]:
        return step_by_step((*a, 1), (1, *b))
    return step_by_step(a, b)


@about(
    "shapes.matmul_shape/vector-always-a-column",
    en=Explained(
        "You make every vector a column.",
        "On the left a vector is a row: its numbers meet the rows of the matrix. As a column it would meet only matrices "
        "with one row.",
        hint="(2,) @ (2, 7): on which side of the 2 must the new axis stand, so that the 2s meet?",
    ),
    zh_tw=Explained(
        "你把每個向量都當成直行。",
        "在左邊的向量是橫列：它的數和矩陣的橫列相遇。當成直行，就只能遇上只有一個橫列的矩陣。",
        hint="(2,) @ (2, 7)：新的軸要放在 2 的哪一邊，兩個 2 才會相遇？",
    ),
)
def always_a_column(ref, a, b):
    left, right = (shape if len(shape) != 1 else (*shape, 1) for shape in (a, b))
    return product(left, right) if len(b) != 1 else product(left, right)[:-1]


@variant("shapes.matmul_shape/vector-always-a-column")
def _(ref, a, b):
    return step_by_step((a[0], 1) if len(a) == 1 else a, b)


@about(
    "shapes.matmul_shape/vectors-refused",
    en=Explained(
        "You refuse vectors.",
        "A vector is a row on the left and a column on the right, and loses that axis again.",
        hint="What are (2,) @ (2, 7) and (5, 2) @ (2,)?",
    ),
    zh_tw=Explained(
        "向量你拒絕了。",
        "向量在左邊是橫列、在右邊是直行，乘完又失去那一軸。",
        hint="(2,) @ (2, 7) 和 (5, 2) @ (2,) 是什麼？",
    ),
)
def no_vectors(ref, a, b):
    if len(a) < 2 or len(b) < 2:
        refuse(a, b)
    return product(a, b)


@variant("shapes.matmul_shape/vectors-refused")
def _(ref, a, b):
    try:
        a[-2], b[-2]
    except IndexError:
        refuse(a, b)
    return step_by_step(a, b)


@about(
    "shapes.matmul_shape/inner-unchecked",
    en=Explained(
        "You do not look at the axes that meet.",
        "A row of 2 numbers and a column of 7 have no product. Most mistakes with attention are exactly this, and the check is "
        "what finds them.",
        hint="What does your function say to (5, 2) @ (7, 2)?",
    ),
    zh_tw=Explained(
        "相遇的兩軸你沒有檢查。",
        "2 個數的橫列和 7 個數的直行沒有乘積。注意力裡大多數的錯誤正是這一種，要靠這個檢查找出來。",
        hint="你的函式對 (5, 2) @ (7, 2) 怎麼說？",
    ),
)
def inner_unchecked(ref, a, b):
    left, right = widened(a, b)
    return narrowed(a, b, batched(left[:-2], right[:-2]), left[-2], right[-1])


@variant("shapes.matmul_shape/inner-unchecked")
def _(ref, a, b):
    if not a or not b:
        refuse(a, b)
    return step_by_step((*a[:-1], 1), (1,) if len(b) == 1 else (*b[:-2], 1, b[-1]))


@about(
    "shapes.matmul_shape/inner-one-stretches",
    en=Explained(
        "You let an inner axis of 1 stretch.",
        "Only batch axes stretch. The two axes that meet are summed over together and must be equal, a 1 as well.",
        hint="Can a row of 2 numbers be multiplied with a column of 1?",
    ),
    zh_tw=Explained(
        "內側長度 1 的軸，你也讓它延展。",
        "會延展的只有批次軸。相遇的兩軸要一起加總，必須相等，1 也不例外。",
        hint="2 個數的橫列，能和 1 個數的直行相乘嗎？",
    ),
)
def inner_stretches(ref, a, b):
    left, right = widened(a, b)
    stretched(left[-1], right[-2])
    return narrowed(a, b, batched(left[:-2], right[:-2]), left[-2], right[-1])


@variant("shapes.matmul_shape/inner-one-stretches")
def _(ref, a, b):
    if a and b:
        k = {a[-1], b[-2] if len(b) > 1 else b[0]}
        if len(k - {1}) < 2:
            size = max(k)
            return step_by_step((*a[:-1], size), (size,) if len(b) == 1 else (*b[:-2], size, b[-1]))
    return step_by_step(a, b)


# Edges.


@about(
    "shapes.matmul_shape/batch-unchecked",
    en=Explained(
        "Batch axes that differ do not trouble you.",
        "Of 4 matrices and 3 matrices nobody knows which belong together. Only a 1 stretches.",
        hint="What does your function say to (4, 5, 2) @ (3, 2, 7)?",
    ),
    zh_tw=Explained(
        "批次軸不同你也不在意。",
        "4 個矩陣配 3 個矩陣，沒有人知道誰配誰。會延展的只有 1。",
        hint="你的函式對 (4, 5, 2) @ (3, 2, 7) 怎麼說？",
    ),
)
def batch_unchecked(ref, a, b):
    return product(
        a, b, lambda mine, yours: batched(mine, yours, lambda m, n: n if m == 1 else m if n == 1 else min(m, n))
    )


@variant("shapes.matmul_shape/batch-unchecked")
def _(ref, a, b):
    left, right = a[:-2][::-1], b[:-2][::-1]
    inner = step_by_step(a[-2:], b[-2:])
    batch = []
    for axis in range(max(len(left), len(right))):
        both = [shape[axis] for shape in (left, right) if axis < len(shape) and shape[axis] != 1]
        batch.insert(0, min(both, default=1))
    return (*batch, *inner)


@about(
    "shapes.matmul_shape/scalar-accepted",
    en=Explained(
        "You let a number take part.",
        "A plain number has no axis that could meet another. * takes it, @ does not.",
        hint="What does your function do with the shape ()?",
    ),
    zh_tw=Explained(
        "你讓單一個數也參加。",
        "一個數沒有軸可以和別的相遇。* 可以，@ 不行。",
        hint="形狀是 () 時，你的函式會怎麼做？",
    ),
)
def scalar_accepted(ref, a, b):
    return product(a, b) if a and b else a or b


@variant("shapes.matmul_shape/scalar-accepted")
def _(ref, a, b):
    if 0 in (len(a), len(b)):
        return (*a, *b)
    return step_by_step(a, b)


@about(
    "shapes.matmul_shape/scalar-index-error",
    en=Explained(
        "A shape without axes raises IndexError.",
        "You reach for an axis that is not there. What does not fit is told with ValueError, and with both shapes.",
        hint="What is the last item of ()? Look before you reach.",
    ),
    zh_tw=Explained(
        "沒有軸的形狀引發的是 IndexError。",
        "你去拿了不存在的軸。不合的形狀要用 ValueError 說，並寫出兩個形狀。",
        hint="() 的最後一項是什麼？先看再拿。",
    ),
)
def index_error(ref, a, b):
    if not a or not b:
        raise IndexError("tuple index out of range")
    return product(a, b)


@variant("shapes.matmul_shape/scalar-index-error")
def _(ref, a, b):
    a[0], b[0]
    return step_by_step(a, b)


@about("shapes.matmul_shape/asserts", **ASSERTS)
def asserts(ref, a, b):
    try:
        return product(a, b)
    except ValueError as error:
        raise AssertionError(str(error)) from error


@variant("shapes.matmul_shape/asserts")
def _(ref, a, b):
    assert a
    assert b
    assert a[-1] == (b if len(b) == 1 else b[-2:])[0]
    for mine, yours in zip(a[-3::-1], b[-3::-1], strict=False):
        assert mine == yours or 1 in (mine, yours)
    return step_by_step(a, b)


@about(
    "shapes.matmul_shape/empty-axis-stretches",
    en=Explained(
        "An empty axis grows to 1 in your rule.",
        "You take the larger of two batch axes. A stack of no matrices and one matrix make no products: the other axis wins "
        "over a 1, also where it is 0.",
        hint="max(0, 1) is 1. What should stand there?",
    ),
    zh_tw=Explained(
        "依你的規則，空的軸會變成 1。",
        "兩個批次軸你取了較大的。一疊零個矩陣配一個矩陣，沒有任何乘積：遇到 1 時由另一軸決定，是 0 也一樣。",
        hint="max(0, 1) 是 1。那裡應該是多少？",
    ),
)
def larger_wins(ref, a, b):
    return product(a, b, lambda mine, yours: batched(mine, yours, lambda m, n: max(m, n, stretched(m, n))))


@variant("shapes.matmul_shape/empty-axis-stretches")
def _(ref, a, b):
    shape = step_by_step(a, b)
    own = (len(a) > 1) + (len(b) > 1)
    batch, rest = shape[: len(shape) - own], shape[len(shape) - own :]
    longer = [(1,) * (len(batch) + 2 - len(each)) + each[:-2] for each in (a, b)]
    return tuple(map(max, *longer)) + rest if batch else rest


@about(
    "shapes.matmul_shape/empty-axis-refused",
    en=Explained(
        "You refuse an empty axis.",
        "0 is a length like any other here: no rows times a matrix make no rows, and a sum over no numbers is 0.",
        hint="What is the shape of (0, 2) @ (2, 7)?",
    ),
    zh_tw=Explained(
        "空的軸你拒絕了。",
        "在這裡 0 和別的長度沒兩樣：零個橫列乘矩陣得到零個橫列，零個數的總和是 0。",
        hint="(0, 2) @ (2, 7) 的形狀是什麼？",
    ),
)
def empty_refused(ref, a, b):
    if not (all(a) and all(b)):
        refuse(a, b)
    return product(a, b)


@variant("shapes.matmul_shape/empty-axis-refused")
def _(ref, a, b):
    if min((1, *a, *b)) < 1:
        refuse(a, b)
    return step_by_step(a, b)
