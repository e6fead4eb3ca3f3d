"""Amounts, which statements count in whole thousandths of a currency, as decimal text."""


def text(amount: str, currency: str) -> str:
    """An amount of a row of `counted` with the digits of its currency, and with more only where it has them, as SQL."""
    thousandths = f"substr(1000 + abs({amount}) % 1000, 2)"
    digits = (f"max(length(rtrim({thousandths}, '0')), coalesce((SELECT digits FROM internal_currency_digits AS known "
              f"WHERE known.currency = counted.{currency}), 2))")
    return (f"CASE WHEN {amount} < 0 THEN '-' ELSE '' END || (abs({amount}) / 1000) || "
            f"CASE WHEN {digits} > 0 THEN '.' ELSE '' END || substr({thousandths} || '0', 1, {digits})")
