#!/usr/bin/env python3
"""Works the periods of subscriptions and the recurring revenue out again, in loops, and compares the models row by row.

    Tests/Models/recompute.py DATABASE

Reads the loader's tables, and of the models only until when an original transaction is known (model_originals), the apps'
horizons and the calendar. Ends with 1 where a period's kind, fate, next, end of access or price differs, or where the
closing revenue of a month is not the sum over the periods that run over its last second.
"""

import collections
import sqlite3
import sys

DAY = 86_400_000
RETRIES = 60 * DAY
SHARES = ("FAMILY_SHARED", "ASSIGNED")
NO_REFUNDS = ("FAMILY_REVOKE", "ASSIGNMENT_REVOKE")
ENDED_BY = {1: "voluntary", 3: "price_increase", 4: "product_gone"}


def rank(identifier):
    return isinstance(identifier, str), identifier


class Database:
    def __init__(self, path):
        self.connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        rows = self.rows
        self.terms = {
            (transaction, app): told
            for transaction, app, *told in rows(
                "SELECT transaction_id, app_id, price_milliunits, currency, ownership, is_upgraded"
                " FROM purchase_terms WHERE verdict = 'trusted'")
        }
        self.revocations = {}
        for transaction, app, second, kind, share, reason, *newest in rows(
                "SELECT receipt_purchase.transaction_id, receipt.app_id, revocation_date / 1000, revocation_type,"
                " revoked_share, revocation_reason, receipt_creation_date, sha256 FROM revocation"
                " JOIN receipt USING (receipt_id) JOIN receipt_purchase USING (receipt_id) WHERE verdict = 'trusted'"):
            key = transaction, app, second
            if key not in self.revocations or self.revocations[key][0] < newest:
                self.revocations[key] = newest, kind, share, reason
        self.known = {(original, app): ms for original, app, ms in rows("SELECT original_id, app_id, known_ms FROM model_originals")}
        self.apps = {app: told for app, *told in rows(
            "SELECT app_id, horizon_ms, first_notification_ms, newest_notification_ms, complete_month FROM model_apps")}
        self.environments = dict(rows("SELECT app_id, environment FROM app"))
        self.renewals = collections.defaultdict(list)
        for original, environment, *told in rows(
                "SELECT renewal.original_transaction_id, environment, signed_at, sha256, auto_renew_status, expiration_intent,"
                " is_in_billing_retry, grace_period_expires_date, renewal_date FROM renewal JOIN receipt USING (receipt_id)"):
            self.renewals[original, environment].append(told)

    def rows(self, statement):
        return self.connection.execute(statement).fetchall()

    def subscriptions(self):
        """Transactions with a period, by original transaction and app; members' shares apart."""
        found = collections.defaultdict(list)
        for row in self.rows(
                "SELECT purchase_id, app_id, transaction_id, original_transaction_id, product_number, purchase_date, expires_date,"
                " cancellation_date, coalesce(is_trial_period, 0) FROM purchase"
                " WHERE expires_date > purchase_date AND coalesce(product_type, 3) = 3"):
            period = Period(*row)
            if self.terms.get((period.transaction, period.app), [None] * 4)[2] not in SHARES:
                found[period.original or period.transaction, period.app].append(period)
        return found


class Period:
    def __init__(self, purchase, app, transaction, original, product, start, expires, canceled, is_trial):
        self.purchase, self.app, self.transaction, self.original, self.product = purchase, app, transaction, original, product
        self.start, self.expires, self.canceled, self.is_trial = start, expires, canceled, is_trial
        self.price = self.currency = None


def without_copies(periods, terms):
    copies = collections.defaultdict(list)
    for period in periods:
        copies[period.start, period.expires, None if period.original is not None else period.transaction].append(period)
    kept = []
    for same in copies.values():
        same.sort(key=lambda period: (period.canceled is None, period.transaction != period.original, rank(period.transaction)))
        told = [terms[period.transaction, period.app][:2] for period in same if (period.transaction, period.app) in terms]
        told = [(price, currency) for price, currency in told if price is not None]
        own = terms.get((same[0].transaction, same[0].app), [None] * 4)[:2]
        if own[0] is not None:
            same[0].price, same[0].currency = own
        elif told:
            same[0].price, same[0].currency = min(price for price, _ in told), min(currency for _, currency in told)
        kept.append(same[0])
    return sorted(kept, key=lambda period: (period.start, period.expires, rank(period.transaction)))


def renewal_infos(periods, renewals):
    """Renewal infos by the start of the period of which they speak."""
    infos = collections.defaultdict(list)
    for signed, *told in renewals:
        place = max((place for place, period in enumerate(periods) if period.start <= signed), default=None)
        if place is None:
            continue
        renews = told[-1]
        if place + 1 < len(periods):
            later = periods[place + 1]
            if (later.start <= signed + DAY and renews is not None and renews > later.start
                    and renews > periods[place].expires + 3_600_000):
                place += 1
        infos[periods[place].start].append((signed, *told))
    return infos


def judged(database, original, app, periods):
    """Kind, fate, what followed, end of access, price and currency of each period, by its number."""
    horizon, first_notification, newest_notification, _ = database.apps[app]
    infos = renewal_infos(periods, database.renewals[original, database.environments[app]])
    has_paid = False
    for period, later in zip(periods, periods[1:] + [None]):
        is_free = period.price == 0 or (period.price is None and period.is_trial == 1)
        has_paid = has_paid or not is_free
        kind = "paid" if not is_free else "free" if has_paid else "trial"

        is_upgraded = database.terms.get((period.transaction, app), [None] * 4)[3] == 1
        is_change = (later is None or later.product != period.product) and (
            is_upgraded or (later is not None and later.start < period.expires - 3_600_000))

        refund, is_whole = None, False
        if period.canceled is not None and not is_free:
            stated = database.revocations.get((period.transaction, app, period.canceled // 1000))
            if stated and (stated[1] is not None or stated[3] is not None):
                refund = None if stated[1] in NO_REFUNDS else period.canceled
            elif not is_upgraded and not (is_change and later and abs(later.start - period.canceled) <= 60_000):
                refund = period.canceled
            is_whole = refund is not None and (not stated or stated[2] is None or round(stated[2] * 100_000) >= 100_000)
        taken = refund if is_whole else None
        if is_free and not is_change and period.canceled is not None:
            stated = database.revocations.get((period.transaction, app, period.canceled // 1000))
            taken = None if stated and stated[1] in NO_REFUNDS else period.canceled
        cut = None
        if taken is not None and taken < period.expires and (later is None or taken < later.start):
            cut = max(period.start, taken)

        told = sorted(infos.get(period.start, []))
        _, _, status, intent, retry, _, renews = told[-1] if told else [None] * 7
        grace = max((info[5] for info in told if info[5] and info[5] > period.expires), default=None)
        ended = None
        if told and retry != 1:
            ended = ENDED_BY.get(intent) or ("voluntary" if intent is None and status == 0 else None)

        known = database.known[original, app]
        if first_notification is not None and period.expires > first_notification:
            known = max(known, newest_notification - 7 * DAY)

        if cut is not None:
            access = cut
        elif is_change and later and later.start < period.expires:
            access = later.start
        elif grace and later and grace > later.start:
            access = max(later.start, period.expires)
        else:
            access = grace or period.expires

        if later is None:
            followed = None
        elif cut is not None:
            followed = "return"
        elif is_change:
            followed = "change"
        elif later.start <= period.expires + DAY:
            followed = "renewal"
        elif later.start <= period.expires + RETRIES and not ended:
            followed = "recovery"
        else:
            followed = "return"

        is_renewed_unseen = (told and status == 1 and intent is None and retry != 1 and renews is not None
                             and renews > period.expires + 3_600_000)
        if followed in ("renewal", "change", "recovery"):
            fate = {"renewal": "renewed", "change": "changed", "recovery": "recovered"}[followed]
        elif cut is not None:
            fate = "refunded"
        elif is_change or (followed is None and is_renewed_unseen):
            fate = "unknown"
        elif followed == "return":
            fate = "lapsed"
        elif access > horizon:
            fate = "running"
        elif (ended and known >= period.expires) or known >= period.expires + RETRIES:
            fate = "lapsed"
        elif known >= access and horizon < period.expires + RETRIES:
            fate = "retrying"
        else:
            fate = "unknown"
        yield period.purchase, (kind, fate, followed, access, period.price, period.currency)


def different_periods(database):
    expected = {}
    for (original, app), periods in database.subscriptions().items():
        expected.update(judged(database, original, app, without_copies(periods, database.terms)))
    found = {number: tuple(told) for number, *told in database.rows(
        "SELECT purchase_id, kind, fate, followed_by, access_ms, sale.price_milliunits, period.currency"
        " FROM model_periods AS period JOIN model_sales AS sale USING (purchase_id)"
        " WHERE period.price_source <> 'list'")}
    listed = {number for number, in database.rows("SELECT purchase_id FROM model_periods WHERE price_source = 'list'")}
    print(f"{len(expected)} periods")
    for number in sorted((set(expected) | set(found)) - listed):
        if expected.get(number) != found.get(number):
            yield f"period {number}: {expected.get(number)}, and in the models {found.get(number)}"


def different_closings(database):
    months = database.rows("SELECT month_number, ends_ms FROM model_months ORDER BY 1")
    expected, found = collections.Counter(), collections.defaultdict(dict)
    for app, start, access, amount, currency, source in database.rows(
            "SELECT app_id, start_ms, access_ms, coalesce(month_milliunits, 0), coalesce(currency, '(none)'), price_source"
            " FROM model_periods WHERE kind = 'paid'"):
        for month, ends in months:
            if start < ends <= access and month <= database.apps[app][3]:
                expected[app, currency, source, month] += amount
    for app, currency, source, month, amount in database.rows(
            "SELECT app_id, currency, price_source, month_number, sum(milliunits) FROM model_movements GROUP BY 1, 2, 3, 4"):
        found[app, currency, source][month] = amount
    cells = 0
    for (app, currency, source), moved in found.items():
        closing = 0
        for month, _ in months:
            closing += moved.get(month, 0)
            if month <= database.apps[app][3]:
                cells += 1
                if closing != expected[app, currency, source, month]:
                    yield (f"app {app}, {currency}, {source}, month {month}: {expected[app, currency, source, month]},"
                           f" and in the models {closing}")
    print(f"{cells} closings of months")


def main():
    database = Database(sys.argv[1])
    faults = [*different_periods(database), *different_closings(database)]
    for fault in faults[:20]:
        print(fault, file=sys.stderr)
    print(f"{len(faults)} differ")
    sys.exit(bool(faults))


main()
