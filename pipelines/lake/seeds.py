"""Tables that models join and no SELECT gives, as a refresh of a database makes them: the calendar of a time zone, and
the run that looks for signals, of which a lake has none."""

import datetime
import zoneinfo

FIRST, LAST = datetime.date(2008, 1, 1), datetime.date(2040, 12, 31)
EPOCH = datetime.date(1970, 1, 1)
DAY = 86_400_000

# Table, and its columns with the type of each in both engines.
COLUMNS = {
    "model_days": {
        "day_number": "BIGINT", "day": "STRING", "week_number": "BIGINT", "week": "STRING", "month_number": "BIGINT",
        "month": "STRING", "begins_ms": "BIGINT", "ends_ms": "BIGINT",
    },
    "model_months": {"month_number": "BIGINT", "month": "STRING", "begins_ms": "BIGINT", "ends_ms": "BIGINT"},
    "model_utc_days": dict.fromkeys(
        ["utc_day", "midnight_ms", "earlier_day", "later_day", "earlier_month", "later_month"], "BIGINT"
    ),
    "model_run": {"run_id": "BIGINT"},
}


def rows(zone):
    """The rows of each table, by the time zone in which days are told."""
    zone = zoneinfo.ZoneInfo(zone)
    dates = [FIRST + datetime.timedelta(place) for place in range((LAST - FIRST).days + 1)]
    begins = {date: midnight(date, zone) for date in [*dates, LAST + datetime.timedelta(1)]}
    days, months, utc_days = [], {}, []
    for date in dates:
        number, month = (date - EPOCH).days, month_number(date)
        week = number - (number + 3) % 7
        ends = begins[date + datetime.timedelta(1)]
        days.append((number, date.isoformat(), week, (EPOCH + datetime.timedelta(week)).isoformat(), month,
                     date.isoformat()[:7], begins[date], ends))
        first, _ = months.get((month, date.isoformat()[:7]), (begins[date], 0))
        months[month, date.isoformat()[:7]] = first, ends
    for date in dates:
        start = (date - EPOCH).days * DAY
        # The last local midnight that lies in this day of UTC, and the local days around it.
        later = max(other for other in (date - datetime.timedelta(1), date, date + datetime.timedelta(1))
                    if other in begins and begins[other] < start + DAY)
        earlier = later - datetime.timedelta(1)
        utc_days.append(((date - EPOCH).days, begins[later], (earlier - EPOCH).days, (later - EPOCH).days,
                         month_number(earlier), month_number(later)))
    return {
        "model_days": days,
        "model_months": [(*month, *span) for month, span in months.items()],
        "model_utc_days": utc_days,
        "model_run": [],
    }


def month_number(date):
    return 12 * date.year + date.month - 1


def midnight(date, zone):
    """When a local day begins, in milliseconds since 1970."""
    moment = datetime.datetime(date.year, date.month, date.day, tzinfo=zone)
    return round(moment.timestamp() * 1000)


def values(row):
    """A row as SQL."""
    return "(" + ", ".join("'" + value + "'" if isinstance(value, str) else str(value) for value in row) + ")"
