"""The model's kept comparison, all of it made anew: a minute."""

import pandas as pd

from handoff.modelled import comparison


def test_the_kept_comparison_is_what_the_model_says_now():
    made = comparison.compare_all()
    pd.testing.assert_frame_equal(made, comparison.load_comparison(), check_dtype=False)
