"""Tables that models join and no SELECT gives, as a refresh of a database makes them: the calendars of a time zone and of
the store, and the run that looks for signals, of which a lake has none."""

import datetime
import zoneinfo
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

FIRST, LAST = datetime.date(2008, 1, 1), datetime.date(2040, 12, 31)
EPOCH = datetime.date(1970, 1, 1)
DAY = 86_400_000
# The zone in which the store counts the days of its reports.
STORE_ZONE = "America/Los_Angeles"

# Table, and its columns with the type of each in both engines.
COLUMNS = {
    "model_days": {
        "day_number": "BIGINT", "day": "STRING", "week_number": "BIGINT", "week": "STRING", "month_number": "BIGINT",
        "month": "STRING", "begins_ms": "BIGINT", "ends_ms": "BIGINT", "own_day": "BIGINT",
    },
    "model_months": {"month_number": "BIGINT", "month": "STRING", "begins_ms": "BIGINT", "ends_ms": "BIGINT",
                     "last_day": "BIGINT"},
    "model_utc_days": dict.fromkeys(
        ["utc_day", "midnight_ms", "earlier_day", "later_day", "earlier_month", "later_month"], "BIGINT"
    ),
    "model_pacific_days": dict.fromkeys(["utc_day", "midnight_ms", "earlier_day", "later_day"], "BIGINT"),
    "model_fiscal_months": {
        "fiscal_month_number": "BIGINT", "fiscal_month": "STRING", "begins_day": "BIGINT", "ends_day": "BIGINT",
    },
    "model_run": {"run_id": "BIGINT"},
}


def rows(zone_name: str) -> dict[str, list[tuple[Any, ...]]]:
    """The rows of each table, by the time zone in which days are told."""
    dates = [FIRST + datetime.timedelta(place) for place in range((LAST - FIRST).days + 1)]
    begins = midnights(dates, zone_name)
    days: list[tuple[Any, ...]] = []
    months: dict[tuple[int, str], tuple[int, int, int]] = {}
    for date in dates:
        number, month = (date - EPOCH).days, month_number(date)
        week = number - (number + 3) % 7
        ends = begins[date + datetime.timedelta(1)]
        days.append((number, date.isoformat(), week, (EPOCH + datetime.timedelta(week)).isoformat(), month,
                     date.isoformat()[:7], begins[date], ends,
                     31 if (date + datetime.timedelta(1)).day == 1 else date.day))
        first, *_ = months.get((month, date.isoformat()[:7]), (begins[date],))
        months[month, date.isoformat()[:7]] = first, ends, number
    return {
        "model_days": days,
        "model_months": [(*month, *span) for month, span in months.items()],
        "model_utc_days": [
            (utc_day, midnight_ms, (earlier - EPOCH).days, (later - EPOCH).days, month_number(earlier),
             month_number(later))
            for utc_day, midnight_ms, earlier, later in utc_days(dates, begins)
        ],
        "model_pacific_days": [
            (utc_day, midnight_ms, (earlier - EPOCH).days, (later - EPOCH).days)
            for utc_day, midnight_ms, earlier, later in utc_days(dates, midnights(dates, STORE_ZONE))
        ],
        "model_fiscal_months": [month for year in range(FIRST.year, LAST.year + 2) for month in fiscal_months(year)],
        "model_run": [],
    }


def midnights(dates: Iterable[datetime.date], zone_name: str) -> dict[datetime.date, int]:
    """When each local day begins, and the day after the last."""
    zone = zoneinfo.ZoneInfo(zone_name)
    return {date: midnight(date, zone) for date in [*dates, LAST + datetime.timedelta(1)]}


def utc_days(
    dates: Iterable[datetime.date], begins: Mapping[datetime.date, int]
) -> Iterator[tuple[int, int, datetime.date, datetime.date]]:
    """The last local midnight that lies in each day of UTC, and the local days around it."""
    for date in dates:
        start = (date - EPOCH).days * DAY
        later = max(other for other in (date - datetime.timedelta(1), date, date + datetime.timedelta(1))
                    if other in begins and begins[other] < start + DAY)
        yield (date - EPOCH).days, begins[later], later - datetime.timedelta(1), later


def fiscal_year(year: int) -> datetime.date:
    """The first day of the store's fiscal year: the Sunday after September's last Saturday."""
    last = datetime.date(year - 1, 9, 30)
    return last - datetime.timedelta((last.weekday() - 5) % 7 - 1)


def fiscal_months(year: int) -> Iterator[tuple[int, str, int, int]]:
    """The fiscal months of a year, of five, four and four weeks a quarter; the 53rd week goes to December."""
    begins = (fiscal_year(year) - EPOCH).days
    is_long = (fiscal_year(year + 1) - fiscal_year(year)).days > 52 * 7
    for place in range(12):
        weeks = (5 if place % 3 == 0 else 4) + (is_long and place == 2)
        yield 12 * year + place, f"{year}-{place + 1:02}", begins, begins + 7 * weeks - 1
        begins += 7 * weeks


def month_number(date: datetime.date) -> int:
    return 12 * date.year + date.month - 1


def midnight(date: datetime.date, zone: datetime.tzinfo) -> int:
    """When a local day begins, in milliseconds since 1970."""
    moment = datetime.datetime(date.year, date.month, date.day, tzinfo=zone)
    return round(moment.timestamp() * 1000)
