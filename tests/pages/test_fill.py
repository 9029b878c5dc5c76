from __future__ import annotations

import pytest
from jinja2 import UndefinedError
from markupsafe import Markup

from grader.pages.fill import fill, templates_of

TEMPLATES = templates_of("grader.pages")


def test_what_a_template_prints_is_text():
    template = TEMPLATES.from_string("{{ x }}|{{ x|upper }}|{% for y in [x] %}{{ y }}{% endfor %}")
    assert template.render(x="<b>\u202e") == "&lt;b&gt;\\u202e|&lt;B&gt;\\u202e|&lt;b&gt;\\u202e"


def test_a_tag_of_ours_stays_one():
    assert TEMPLATES.from_string("{{ x }}").render(x=Markup("<b>")) == "<b>"


def test_what_is_not_given_to_a_template_is_an_error_and_not_silence():
    with pytest.raises(UndefinedError):
        fill(TEMPLATES.get_template("plain.html.j2"), "")


def test_a_page_without_a_script_may_run_none_and_another_may_run_its_own():
    template = TEMPLATES.from_string("{{ policy }}")
    assert "script-src &#x27;none&#x27;;" in fill(template, "p {}")
    assert "script-src &#x27;sha256-" in fill(template, "p {}", script="let a")
