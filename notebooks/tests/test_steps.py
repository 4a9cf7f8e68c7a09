"""Step-throughs: their text has every step, and cannot break out of the frame."""

import html
import re

from handoff.draw.steps import Row, Steps


def test_every_step_is_also_text():
    steps = Steps("A title")
    for i in (0, 1):
        steps.add(f"Word {i}.", Row("row", ["a", "b"], [i]))
    page, text = steps._repr_html_(), repr(steps)
    assert len(re.findall("<li>", page)) == len(steps.states)
    assert 'sandbox="allow-scripts"' in page
    assert f'title="{html.escape(steps.title)}"' in page
    assert text == "A title\n1. Word 0. [row: (a), b]\n2. Word 1. [row: a, (b)]"
    assert 'aria-live="polite"' in steps.page
    assert "ArrowRight" in steps.page


def test_text_cannot_end_the_script_or_leave_the_frame():
    steps = Steps("</script><b>")
    steps.add("</script><script>alert(1)", Row("<i>", ["<u>"]))
    page = steps.page
    assert page.count("</script>") == 1
    assert "<i>" not in page
    (words,) = re.findall(r'data-words="(.*?)"', page)
    assert html.unescape(words) == "Step 1 of 1: </script><script>alert(1)"
