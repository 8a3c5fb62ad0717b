"""A session in which all is well."""

from tests.unit.audit.planted import clean, found


def test_nothing_is_found_where_all_is_well() -> None:
    """Every check is silent on the clean session."""

    assert [] == found(clean())
