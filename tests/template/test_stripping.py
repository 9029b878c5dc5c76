"""Every solution goes, every other byte stays, and what cannot be stripped safely is refused."""

from __future__ import annotations

from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.model.errors import CourseError
from grader.template import strip

NAMES = {"f": "module.f"}


def stripped(source, names=NAMES):
    return strip(dedent(source), names, where="reference/module.py")


def refusal(source, names=NAMES):
    with pytest.raises(CourseError) as caught:
        stripped(source, names)
    assert caught.value.where == "reference/module.py"
    assert caught.value.hint
    return caught.value


def test_a_solution_becomes_the_error_that_names_its_exercise():
    assert stripped('''\
        def f(x, *, y=1):
            """Add.

            # BEGIN SOLUTION is a word here
            """
            x = x or 0
            # BEGIN SOLUTION
            z = x + y  # why

            return z
            # END SOLUTION
        ''') == dedent('''\
        def f(x, *, y=1):
            """Add.

            # BEGIN SOLUTION is a word here
            """
            x = x or 0
            raise NotImplementedError("module.f")
        ''')


def test_the_form_of_nbgrader_is_accepted():
    assert (
        stripped("""\
        def f():
            ### BEGIN SOLUTION
            return 1
            ### END SOLUTION
        """)
        == 'def f():\n    raise NotImplementedError("module.f")\n'
    )


def test_every_region_of_a_function_is_replaced_wherever_it_stands():
    assert stripped("""\
        def f(xs):
            for x in xs:
                # BEGIN SOLUTION
                print(x)
                # END SOLUTION
            def inner():
                # BEGIN SOLUTION
                return 2
                # END SOLUTION
            return inner
        """) == dedent("""\
        def f(xs):
            for x in xs:
                raise NotImplementedError("module.f")
            def inner():
                raise NotImplementedError("module.f")
            return inner
        """)


def test_a_class_is_named_by_the_regions_in_its_methods():
    assert stripped(
        '''\
        class Norm:
            """The contract."""

            @property
            def eps(self):
                # BEGIN SOLUTION
                return 1
                # END SOLUTION

            # BEGIN SOLUTION
            def helper(self):
                return 2
            # END SOLUTION

            async def forward(self, x):
                # BEGIN SOLUTION
                return x
                # END SOLUTION
        ''',
        {"Norm": "layers.norm"},
    ) == dedent('''\
        class Norm:
            """The contract."""

            @property
            def eps(self):
                raise NotImplementedError("layers.norm")

            async def forward(self, x):
                raise NotImplementedError("layers.norm")
        ''')


def test_a_region_outside_every_function_goes_with_the_blank_lines_before_it():
    assert stripped("""\
        import math


        # BEGIN SOLUTION
        HALF = 0.5

        def helper(x):
            return HALF * x
        # END SOLUTION


        def f(x):
            # BEGIN SOLUTION
            return helper(x)
            # END SOLUTION


        # BEGIN SOLUTION
        def last():
            return 1
        # END SOLUTION
        """) == dedent("""\
        import math


        def f(x):
            raise NotImplementedError("module.f")
        """)


def test_each_function_raises_its_own_exercise():
    source = """\
        def f():
            # BEGIN SOLUTION
            return 1
            # END SOLUTION

        def g():
            # BEGIN SOLUTION
            return 2
            # END SOLUTION
        """
    namespace = {}
    exec(stripped(source, {"f": "a.one", "g": "a.two"}), namespace)  # noqa: S102 - the template as a student runs it
    for name, exercise in [("f", "a.one"), ("g", "a.two")]:
        with pytest.raises(NotImplementedError) as caught:
            namespace[name]()
        assert caught.value.args == (exercise,)


def test_a_source_without_regions_or_names_is_left_alone():
    source = "x = 1  \r\ny = '# BEGIN SOLUTION'\r# a comment\n\tz"[:-2]
    assert strip(source, {}, where="m.py") == source


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("indent", ["    ", "\t", " "])
@pytest.mark.parametrize("final", [True, False])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_line_ends_tabs_byte_order_mark_and_a_missing_final_newline_survive(end, indent, final, bom):
    lines = [
        "s = 'é\u2028\f漢' ",
        "def f():",
        f"{indent}# BEGIN SOLUTION",
        f"{indent}return 1",
        f"{indent}# END SOLUTION",
    ]
    after = [*lines[:2], f'{indent}raise NotImplementedError("module.f")']
    last = end if final else ""
    assert strip(bom + end.join(lines) + last, NAMES, where="m.py") == bom + end.join(after) + last


def test_mixed_line_ends_stay_mixed():
    source = "x = 1\r\ndef f():\n\t# BEGIN SOLUTION\r\n\tpass\n\t# END SOLUTION\r\ny = 2\r"
    assert strip(source, NAMES, where="m.py") == 'x = 1\r\ndef f():\n\traise NotImplementedError("module.f")\r\ny = 2\r'


# Anything a course author may write, built from pieces whose fate is known

words = st.text(st.characters(blacklist_categories=["Cs", "Cc"], blacklist_characters="\"'\\"), max_size=12)
indents = st.sampled_from(["    ", "\t", "  "])
given_code = st.one_of(
    words.map(lambda w: [f"# given {w}"]),
    words.map(lambda w: [f'text = "# BEGIN SOLUTION {w}"']),
    words.map(lambda w: ['doc = """', "    # BEGIN SOLUTION", w, "# END SOLUTION", '"""']),
    words.map(lambda w: ["class Given:", f'    name = "{w}"', "", "    def method(self):", "        return 1"]),
    words.map(lambda w: ["values = [", f"    1,  # after {w}: # END SOLUTION", "]"]),
    st.just(["x = 1; y = 2", "if x:", "    y = 3", "else:", "    y = 4"]),
)
solutions = st.one_of(
    words.map(lambda w: [f"# {w}", "return 1"]),
    words.map(lambda w: [f'text = """{w}', "# END SOLUTION", '"""', "", "return text"]),
    st.just(["for i in [", "# odd", "1]:", "\tprint(i)", "else:", "\tpass"]),
    st.just(["@staticmethod", "def inner():", "\treturn 2", "", "return inner()"]),
)


@st.composite
def modules(draw):
    """A source, its names and what should be left of it."""
    source, kept, names = [], [], {}
    for n in range(draw(st.integers(0, 4))):
        chunk = draw(given_code)
        gap = [""] * draw(st.integers(0, 2))
        source += [*chunk, *gap]
        kept += [*chunk, *gap]
        if draw(st.booleans()):
            indent, hashes = draw(indents), draw(st.sampled_from(["#", "###"]))
            head = [f"def f{n}(x):", f'{indent}"""{draw(words)}."""', f"{indent}x = 1"]
            body = [_indented(indent, line) for line in draw(solutions)]
            source += [*head, f"{indent}{hashes} BEGIN SOLUTION", *body, f"{indent}{hashes} END SOLUTION"]
            kept += [*head, f'{indent}raise NotImplementedError("m.f{n}")']
            names[f"f{n}"] = f"m.f{n}"
    end = draw(st.sampled_from(["\n", "\r\n"]))
    last = draw(st.sampled_from([end, ""])) if source and source[-1] else end
    return end.join(source) + last, names, end.join(kept) + last


def _indented(indent, line):
    """Indent a line of code; what goes on inside a string or brackets may stand anywhere."""
    return line if line.startswith(("#", '"""', "1]")) else indent + line.replace("\t", indent)


@given(modules())
def test_whatever_stands_outside_the_regions_is_kept_byte_for_byte(module):
    source, names, kept = module
    assert strip(source, names, where="m.py") == kept


@given(modules())
def test_a_template_has_nothing_left_to_strip(module):
    source, names, _ = module
    template = strip(source, names, where="m.py")
    assert strip(template, {}, where="m.py") == template


# What is refused


def test_a_named_function_without_a_region_is_refused_where_it_stands():
    error = refusal("x = 1\n\n\ndef f():\n    return 1\n")
    assert error.line == 4
    assert "`f`, which module.f names, holds no solution region" in error.message


def test_a_named_function_inside_a_region_is_refused_for_its_contract_would_be_gone():
    error = refusal("# BEGIN SOLUTION\ndef f():\n    return 1\n# END SOLUTION\n")
    assert "holds no solution region" in error.message


def test_a_name_the_reference_does_not_define_is_refused():
    assert "no function or class `f`, which module.f names" in refusal("x = 1\n").message


def test_a_region_in_a_function_that_no_exercise_names_is_refused():
    error = refusal("def g():\n    # BEGIN SOLUTION\n    return 1\n    # END SOLUTION\n", {})
    assert error.line == 2
    assert "`g`, which no exercise names" in error.message
    assert "whole helper between markers" in error.hint


def test_a_class_whose_only_region_is_outside_its_methods_is_refused():
    error = refusal("class f:\n    x = 1\n    # BEGIN SOLUTION\n    y = 2\n    # END SOLUTION\n")
    assert "holds no solution region" in error.message


def test_a_template_that_would_not_compile_is_refused():
    error = refusal("class G:\n    # BEGIN SOLUTION\n    y = 2\n    # END SOLUTION\nx = 1\n", {})
    assert "without its solutions it is not valid Python" in error.message
    assert "in line 2 of the template" in error.message


def test_a_reference_that_is_not_python_is_refused_with_its_line():
    error = refusal("x = 1\ndef f(:\n    pass\n")
    assert error.line == 2
    assert "not valid Python" in error.message


def test_a_null_byte_is_refused():
    assert "null bytes" in refusal("x = 1\0\n", {}).message


def test_a_lone_surrogate_is_refused():
    assert "surrogates not allowed" in refusal("x = '\ud800'\n", {}).message


BOX = """\
    class Box:
        def shut(self):
            # BEGIN SOLUTION
            return 1
            # END SOLUTION

        def open(self):
            # BEGIN SOLUTION
            return 2
            # END SOLUTION
    """


def test_a_method_that_an_exercise_names_raises_that_exercise_and_the_others_their_class_s():
    found = stripped(BOX, {"Box": "m.box", "Box.open": "m.open"})
    assert found == dedent("""\
        class Box:
            def shut(self):
                raise NotImplementedError("m.box")

            def open(self):
                raise NotImplementedError("m.open")
        """)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ({"Box": "m.box", "Box.lid": "m.lid"}, "no function or class `Box.lid`"),
        ({"Box.open": "m.open"}, "a solution region in `Box`, which no exercise names"),
    ],
)
def test_a_method_is_looked_for_in_its_class(names, said):
    assert said in refusal(BOX, names).message


def test_a_method_without_a_region_is_told_with_its_line():
    error = refusal(
        "class Box:\n    def a(self):\n        # BEGIN SOLUTION\n        x = 1\n        # END SOLUTION\n    def b(self): ...\n",
        {"Box": "m.box", "Box.b": "m.b"},
    )
    assert "`Box.b`, which m.b names, holds no solution region" in error.message
    assert error.line == 6
