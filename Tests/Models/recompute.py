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
# For how long the store retries a payment, by billing plan.
RETRIES = collections.defaultdict(lambda: 60 * DAY, MONTHLY=90 * DAY)
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
                "SELECT transaction_id, app_id, coalesce(amount_milliunits, price_milliunits), currency, ownership, is_upgraded,"
                " coalesce(billing_plan, 'BILLED_UPFRONT'), commitment_period, commitment_periods, commitment_expires_date,"
                " additional_reason, transaction_reason,"
                " CASE WHEN coalesce(amount_milliunits, seats_revoked) IS NOT NULL OR additional_reason IS NOT NULL THEN 1 END,"
                " previous_original_transaction_id"
                " FROM purchase_terms WHERE verdict = 'trusted'")
        }
        self.items = self.newest_items()
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
                "SELECT renewal.original_transaction_id, environment, signed_at, sha256, commitment_auto_renew_status,"
                " auto_renew_status, expiration_intent, is_in_billing_retry, grace_period_expires_date, renewal_date"
                " FROM renewal JOIN receipt USING (receipt_id)"):
            self.renewals[original, environment].append(told)

    def rows(self, statement):
        return self.connection.execute(statement).fetchall()

    def newest_items(self):
        """Dates of the revocation of each item that the newest document of a transaction states."""
        found = {}
        for transaction, app, created, sha256, number in self.rows(
                "SELECT DISTINCT receipt_purchase.transaction_id, receipt.app_id, receipt_creation_date, sha256, receipt_id"
                " FROM commerce_item JOIN receipt USING (receipt_id) JOIN receipt_purchase USING (receipt_id)"
                " WHERE verdict = 'trusted'"):
            found[transaction, app] = max(found.get((transaction, app), (0, b"", 0)), (created, sha256, number))
        dates = collections.defaultdict(list)
        for number, date in self.rows("SELECT receipt_id, revoked_date FROM commerce_item"):
            dates[number].append(date)
        return {key: dates[newest[-1]] for key, newest in found.items()}

    def told(self, period):
        """What signed transactions tell of a period; of none that it is billed upfront."""
        return self.terms.get((period.transaction, period.app)) or [None] * 4 + ["BILLED_UPFRONT"] + [None] * 6

    def first_originals(self):
        """The first original of a chain, by original and app."""
        previous = {}
        for transaction, app, original in self.rows(
                "SELECT transaction_id, app_id, coalesce(original_transaction_id, transaction_id) FROM purchase"):
            stated = self.terms.get((transaction, app), [None] * 11)[-1]
            if stated is not None and stated != original:
                previous[original, app] = min(previous.get((original, app), stated), stated, key=rank)
        # Of several that continue the same one the first does.
        heirs = {}
        for (original, app), stated in previous.items():
            heirs[stated, app] = min(heirs.get((stated, app), original), original, key=rank)
        previous = {(original, app): stated for (original, app), stated in previous.items()
                    if heirs[stated, app] == original}
        found = {}
        for original, app in previous:
            first, steps = original, 0
            while (first, app) in previous and steps <= 8:
                first, steps = previous[first, app], steps + 1
            if steps <= 8:
                found[original, app] = first
        return found

    def subscriptions(self):
        """Transactions with a period, by the first original transaction and app; members' shares apart."""
        firsts = self.first_originals()
        found = collections.defaultdict(list)
        for row in self.rows(
                "SELECT purchase_id, app_id, transaction_id, original_transaction_id, product_number, purchase_date, expires_date,"
                " cancellation_date, coalesce(is_trial_period, 0) FROM purchase"
                " WHERE expires_date > purchase_date AND coalesce(product_type, 3) = 3"):
            period = Period(*row)
            if self.told(period)[2] not in SHARES:
                period.stated = period.original or period.transaction
                found[firsts.get((period.stated, period.app), period.stated), period.app].append(period)
        return found

    def without_additions(self, periods):
        """The periods without transactions that add seats to one that runs; that one is over when all of them are revoked."""
        kept = []
        for period in periods:
            told = self.told(period)
            head = next((head for head in kept if head.stated == period.stated and head.product == period.product
                         and head.start < period.start < head.expires
                         and (period.expires <= head.expires
                              or (told[9] != "RENEWAL" and period.start < head.expires - 3_600_000))), None)
            if told[8] is not None and head:
                head.parts.append(period.canceled)
            else:
                period.parts = [period.canceled]
                kept.append(period)
        return kept


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
    """Renewal infos by the start of the period of which they speak: one of the original that they state."""
    infos = collections.defaultdict(list)
    for stated, signed, *told in renewals:
        place = max((place for place, period in enumerate(periods) if period.start <= signed and period.stated == stated),
                    default=None)
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
    originals = {original} | {period.stated for period in periods}
    infos = renewal_infos(periods, [
        (stated, *told) for stated in originals for told in database.renewals[stated, database.environments[app]]])
    wishes = commitment_wishes(database, periods, infos)
    has_paid = False
    for period, later in zip(periods, periods[1:] + [None]):
        is_free = period.price == 0 or (period.price is None and period.is_trial == 1)
        has_paid = has_paid or not is_free
        kind = "paid" if not is_free else "free" if has_paid else "trial"

        terms = database.told(period)
        is_upgraded, plan = terms[3] == 1, terms[4]
        given_up = period.expires + RETRIES[plan]
        is_alike = later is not None and (later.product, database.told(later)[4], later.stated) == (
            period.product, plan, period.stated)
        is_change = not is_alike and (
            is_upgraded or (later is not None and (
                later.start < period.expires - 3_600_000
                or (later.stated != period.stated and period.expires + DAY < later.start <= given_up))))

        # A revoked period ends, regardless of the refunded share.
        refund = None
        if period.canceled is not None and not is_free:
            stated = database.revocations.get((period.transaction, app, period.canceled // 1000))
            if stated and (stated[1] is not None or stated[3] is not None):
                refund = None if stated[1] in NO_REFUNDS else period.canceled
            elif not is_upgraded and not (is_change and later and abs(later.start - period.canceled) <= 60_000):
                refund = period.canceled
        taken = refund
        if len(period.parts) > 1 and taken is not None:
            taken = None if None in period.parts else max(period.parts)
        items = database.items.get((period.transaction, app))
        if items:
            taken = period.canceled or (None if None in items else max(items))
        if is_free and not is_change and period.canceled is not None:
            stated = database.revocations.get((period.transaction, app, period.canceled // 1000))
            taken = None if stated and stated[1] in NO_REFUNDS else period.canceled
        cut = None
        if taken is not None and taken < period.expires and (later is None or taken < later.start):
            cut = max(period.start, taken)

        told = sorted(infos.get(period.start, []))
        _, _, _, status, intent, retry, _, renews = told[-1] if told else [None] * 8
        grace = max((info[6] for info in told if info[6] and info[6] > period.expires), default=None)
        wish, ended = status, None
        if plan == "MONTHLY":
            left = payments_left(terms, period)
            wish = wishes.get(period.purchase, status if left == 0 else None)
            wish, grace = None if left else wish, None
        if retry != 1:
            ended = ENDED_BY.get(intent) or ("voluntary" if intent is None and wish == 0 else None)
            if intent == 5 and wish == 0:
                ended = "cause_unknown"
            if plan == "MONTHLY" and intent == 2 and retry == 0:
                ended = "billing"

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
        elif later.start <= given_up and not ended:
            followed = "recovery"
        else:
            followed = "return"

        is_renewed_unseen = (told and status == 1 and intent is None and retry != 1 and renews is not None
                             and renews > period.expires + 3_600_000
                             and (plan != "MONTHLY" or wish == 1 or payments_left(terms, period)))
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
        elif (ended and known >= period.expires) or known >= given_up:
            fate = "lapsed"
        elif known >= access and horizon < given_up:
            fate = "retrying"
        else:
            fate = "unknown"
        yield period.purchase, (kind, fate, followed, access, period.price, period.currency)


def payments_left(terms, period):
    """Payments that a commitment holds after a period; None where nothing tells it."""
    number, count, ends = terms[5:8]
    if number is not None and count is not None:
        return max(count - number, 0)
    return None if ends is None else max(int((ends - period.expires) / 2_629_746_000 + 0.5), 0)


def commitment_wishes(database, periods, infos):
    """Whether a commitment is told to renew, as the newest info of its periods tells it, by the number of each period."""
    commitments = []
    for period in periods:
        terms = database.told(period)
        if terms[4] == "MONTHLY":
            if terms[5] == 1 or not commitments:
                commitments.append([])
            commitments[-1].append(period)
    found = {}
    for commitment in commitments:
        newest = [sorted(infos[period.start])[-1] for period in commitment if infos.get(period.start)]
        told = [info for info in newest if info[2] is not None]
        if told:
            found.update((period.purchase, max(told, key=lambda info: info[0])[2]) for period in commitment)
    return found


def different_periods(database):
    expected = {}
    for (original, app), periods in database.subscriptions().items():
        periods = database.without_additions(without_copies(periods, database.terms))
        expected.update(judged(database, original, app, periods))
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
    divided = {number for number, in database.rows(
        "SELECT sale.purchase_id FROM model_sales AS sale WHERE seats IS NOT NULL")}
    divided |= {number for number, in database.rows(
        "SELECT purchase_id FROM commerce_item JOIN receipt_purchase USING (receipt_id) JOIN receipt USING (receipt_id)"
        " JOIN purchase USING (transaction_id, app_id)")}
    # Prices of seats and items change within a period: the hand-worked cases hold those.
    left_out = set()
    for number, app, start, access, amount, currency, source in database.rows(
            "SELECT purchase_id, app_id, start_ms, access_ms, coalesce(month_milliunits, 0), coalesce(currency, '(none)'),"
            " price_source FROM model_periods WHERE kind = 'paid'"):
        if number in divided:
            left_out.add((app, currency, source))
        for month, ends in months:
            if start < ends <= access and month <= database.apps[app][3]:
                expected[app, currency, source, month] += amount
    for app, currency, source, month, amount in database.rows(
            "SELECT app_id, currency, price_source, month_number, sum(milliunits) FROM model_movements GROUP BY 1, 2, 3, 4"):
        found[app, currency, source][month] = amount
    cells = 0
    for (app, currency, source), moved in found.items():
        if (app, currency, source) in left_out:
            continue
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
