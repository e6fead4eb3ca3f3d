#!/usr/bin/env python3
"""Works out again, in loops, who may use what in which state, and compares the stretches of internal_entitlement_spans.

    Tests/Models/recompute-entitlements.py DATABASE [DAY…]

Reads the loader's tables, and of the models only until when an original transaction is known (model_originals) and the
apps' horizons. Compares the moments of the horizons and the ends of the days given, in UTC. Ends with 1 where an owner, a
purchase or a state differs.
"""

import bisect
import collections
import datetime
import sqlite3
import sys

DAY = 86_400_000
FOR_EVER = 1 << 62
SHARES = ("FAMILY_SHARED", "ASSIGNED")


def rank(value):
    return isinstance(value, str), value


class Sale:
    def __init__(self, number, transaction, app, original, kind, start, expires, canceled, shared, upgraded, product):
        self.number, self.transaction, self.app, self.original = number, transaction, app, original
        self.kind, self.start, self.expires, self.canceled = kind, start, expires, canceled
        self.shared, self.upgraded, self.product = shared, upgraded, product
        self.is_period = expires is not None and start is not None and expires > start and kind in (3, None)
        self.next = None
        self.grace = self.retry_end = self.in_retry = None
        self.is_renewed_unseen = False

    @property
    def is_change(self):
        following = self.next
        if following and (following.product, following.plan, following.stated) == (self.product, self.plan, self.stated):
            return False
        return bool(self.upgraded) or (self.next is not None and self.next.start < self.expires - 3_600_000)

    @property
    def thing(self):
        return (self.transaction if self.shared and not self.is_period else self.original), self.app, self.shared, self.is_period


def sales(rows):
    """The sale of each purchase: copies count as what they copy, a cancelled one first, then the original."""
    terms = {(t, a): told for t, a, *told in rows(
        "SELECT transaction_id, app_id, ownership, is_upgraded, coalesce(billing_plan, 'BILLED_UPFRONT'), additional_reason,"
        " transaction_reason, previous_original_transaction_id FROM purchase_terms WHERE verdict = 'trusted'")}
    items = revoked_items(rows)
    groups = collections.defaultdict(list)
    for number, transaction, app, original, kind, start, expires, canceled, product in rows(
            "SELECT purchase_id, transaction_id, app_id, original_transaction_id, product_type, purchase_date, expires_date,"
            " cancellation_date, product_number FROM purchase"):
        ownership, upgraded, plan, added, reason, previous = terms.get(
            (transaction, app), (None, None, "BILLED_UPFRONT", None, None, None))
        stated = original if original is not None else transaction
        sale = Sale(number, transaction, app, stated, kind, start, expires, canceled, ownership in SHARES, upgraded, product)
        sale.plan, sale.stated, sale.added, sale.reason, sale.previous = plan, stated, added, reason, previous
        dates = items.get((transaction, app))
        if dates and canceled is None and None not in dates and not sale.shared:
            sale.canceled = max(dates)
        if sale.shared or original is None or (expires is None and kind == 1) or (expires is not None and start is None):
            key = number
        else:
            key = original, app, expires is not None and (start, expires)
        groups[key].append(sale)
    found = {}
    for copies in groups.values():
        best = min(copies, key=lambda s: (s.canceled is None, s.transaction != s.original, rank(s.transaction)))
        if best.expires is None and len(copies) > 1:
            best.start = min((s.start for s in copies if s.start is not None), default=None)
        for copy in copies:
            found[copy.number] = best
    name_chains(found.values())
    return with_heads(found)


def revoked_items(rows):
    """Dates of the revocation of each item that the newest document of a transaction states."""
    newest, dates = {}, collections.defaultdict(list)
    for transaction, app, created, sha256, number in rows(
            "SELECT DISTINCT receipt_purchase.transaction_id, receipt.app_id, receipt_creation_date, sha256, receipt_id"
            " FROM commerce_item JOIN receipt USING (receipt_id) JOIN receipt_purchase USING (receipt_id)"
            " WHERE verdict = 'trusted'"):
        newest[transaction, app] = max(newest.get((transaction, app), (0, b"", 0)), (created, sha256, number))
    for number, date in rows("SELECT receipt_id, revoked_date FROM commerce_item"):
        dates[number].append(date)
    return {key: dates[told[-1]] for key, told in newest.items()}


def name_chains(sold):
    """Gives sales of originals that continue one another the first of them."""
    previous = {}
    for sale in sold:
        if sale.previous is not None and sale.previous != sale.stated:
            key = sale.stated, sale.app
            previous[key] = min(previous.get(key, sale.previous), sale.previous, key=rank)
    # Of several that continue the same one the first does.
    heirs = {}
    for (original, app), stated in previous.items():
        heirs[stated, app] = min(heirs.get((stated, app), original), original, key=rank)
    previous = {key: stated for key, stated in previous.items() if heirs[stated, key[1]] == key[0]}
    for sale in sold:
        first, steps = sale.stated, 0
        while (first, sale.app) in previous and steps <= 8:
            first, steps = previous[first, sale.app], steps + 1
        sale.original = sale.stated if steps > 8 else first


def with_heads(found):
    """Seats that were added to a period that runs count as the period, which is revoked when all of it is."""
    periods = collections.defaultdict(list)
    for sale in sorted({s.number: s for s in found.values() if s.is_period and not s.shared}.values(),
                       key=lambda s: (s.start, s.expires, rank(s.transaction))):
        heads = periods[sale.stated, sale.app, sale.product]
        head = next((h for h in heads if h.start < sale.start < h.expires and (
            sale.expires <= h.expires or (sale.reason != "RENEWAL" and sale.start < h.expires - 3_600_000))), None)
        if sale.added is not None and head:
            sale.head = head
            head.parts.append(sale.canceled)
        else:
            sale.parts = [sale.canceled]
            heads.append(sale)
    for heads in periods.values():
        for head in heads:
            if len(head.parts) > 1:
                head.canceled = None if None in head.parts else max(head.parts)
    return {number: getattr(sale, "head", sale) for number, sale in found.items()}


def refunds(rows):
    """What signed transactions tell of a cancellation: by transaction, app and second, the newest."""
    found = {}
    for transaction, app, second, kind, reason, *newest in rows(
            "SELECT transaction_id, app_id, revocation_date / 1000, revocation_type, revocation_reason,"
            " receipt_creation_date, sha256 FROM revocation JOIN receipt USING (receipt_id)"
            " JOIN receipt_purchase USING (receipt_id) WHERE verdict = 'trusted'"):
        key = transaction, app, second
        if key not in found or found[key][0] < newest:
            found[key] = newest, kind, reason
    return found


def order(sold, rows):
    """Sets the next period, and what renewal infos tell of each."""
    chains = collections.defaultdict(list)
    for sale in sold:
        if sale.is_period and not sale.shared:
            chains[sale.original, sale.app].append(sale)
    for chain in chains.values():
        chain.sort(key=lambda s: (s.start, s.expires, rank(s.transaction)))
        for sale, following in zip(chain, chain[1:]):
            sale.next = following
    apps = collections.defaultdict(list)
    for app, environment in rows("SELECT app_id, environment FROM app"):
        apps[environment].append(app)
    infos = collections.defaultdict(list)
    for original, environment, signed, sha, status, intent, retry, grace, renews in rows(
            "SELECT renewal.original_transaction_id, environment, signed_at, sha256, auto_renew_status, expiration_intent,"
            " is_in_billing_retry, grace_period_expires_date, renewal_date FROM renewal JOIN receipt USING (receipt_id)"):
        for app in apps[environment]:
            infos[original, app].append((signed, sha, status, intent, retry, grace, renews))
    for key, chain in chains.items():
        starts = [sale.start for sale in chain]
        told = collections.defaultdict(list)
        stated = {sale.stated for sale in chain} | {key[0]}
        said = [(info, original) for original in stated for info in infos.get((original, key[1]), [])]
        for info, original in sorted(said, key=lambda pair: pair[0][:2]):
            signed, renews = info[0], info[6]
            place = bisect.bisect_right(starts, signed) - 1
            while place >= 0 and chain[place].stated != original:
                place -= 1
            if place < 0:
                continue
            # Of periods that begin at once, the one that states the next.
            sale = chain[place]
            if (sale.next is not None and sale.next.start <= signed + DAY and renews is not None
                    and renews > sale.next.start and renews > sale.expires + 3_600_000):
                place += 1
            told[chain[place].start].append(info)
        for sale in chain:
            said = told.get(sale.start)
            if not said:
                continue
            graces = [i[5] for i in said if i[5] is not None and i[5] > sale.expires]
            sale.grace = None if sale.plan == "MONTHLY" else max(graces, default=None)
            retries = [i[0] for i in said if i[4] == 1]
            if retries:
                over = [i[0] for i in said if i[0] > max(retries)]
                sale.retry_end = min(over + [sale.expires + (90 if sale.plan == "MONTHLY" else 60) * DAY])
            _, _, status, intent, retry, _, renews = said[-1]
            sale.in_retry = retry == 1
            sale.is_renewed_unseen = (
                status == 1 and intent is None and retry != 1 and renews is not None and renews > sale.expires + 3_600_000)
    return infos


def holders(rows, found):
    """The sales of each owner; owner None: told by lines that name nobody."""
    documents = {number: (app, verdict == "trusted" and kind != "signed_renewal") for number, app, verdict, kind in rows(
        "SELECT receipt_id, app_id, verdict, kind FROM receipt")}
    parts = collections.defaultdict(list)
    for holder, part in rows("SELECT receipt_id, part_receipt_id FROM receipt_part"):
        parts[holder].append(part)
    numbers = {(t, a): n for n, t, a in rows("SELECT purchase_id, transaction_id, app_id FROM purchase")}
    stated = collections.defaultdict(list)
    for document, transaction in rows("SELECT receipt_id, transaction_id FROM receipt_purchase"):
        stated[document].append(transaction)
    held = collections.defaultdict(set)
    for document, account, device in rows(
            "SELECT receipt_id, account_id, device_id FROM submission WHERE device_check <> 'mismatch'"):
        name = account if account is not None else device
        for shown in [document] + parts.get(document, []):
            app, counts = documents[shown]
            if not counts:
                continue
            owner = None if name is None else (name, account is None)
            for transaction in stated.get(shown, ()):
                if (transaction, app) in numbers:
                    held[owner].add(found[numbers[transaction, app]])
    things = collections.defaultdict(set)
    for owner, sold in held.items():
        if owner is not None:
            for sale in sold:
                things[sale.thing].add(owner)
    nobody = set()
    for sale in held.pop(None, ()):
        for owner in things.get(sale.thing, ()):
            held[owner].add(sale)
        if not things.get(sale.thing):
            nobody.add(sale)
    held[None] = nobody
    return held


def state(sale, own_next, moment, facts):
    """The state of a purchase at a moment after its begin and before the owner's next period; None: consumed."""
    if sale.kind == 1 or (sale.expires is not None and sale.start is not None and sale.expires <= sale.start):
        return None
    said = facts.refunds.get((sale.transaction, sale.app, sale.canceled // 1000)) if sale.canceled is not None else None
    if sale.canceled is not None and sale.canceled <= moment:
        told = said is not None and (said[1] is not None or said[2] is not None) and said[1] not in (
            "FAMILY_REVOKE", "ASSIGNMENT_REVOKE")
        if not sale.is_change or (told and not sale.shared):
            return "revoked"
    if not sale.is_period:
        if sale.kind == 3:
            return "unknown"
        return "active" if sale.expires is None or moment < sale.expires else "expired"
    if sale.is_change and sale.next is None and not sale.shared:
        return "unknown"
    following = own_next if sale.shared else (sale.next.start if sale.next else FOR_EVER)
    if moment < min(sale.expires, following):
        return "active"
    if moment >= following:
        return "expired"
    access = sale.grace or sale.expires
    if moment < access:
        return "grace"
    if sale.retry_end is not None and moment < sale.retry_end:
        return "billing_retry"
    if following < FOR_EVER or sale.in_retry:
        return "expired"
    if sale.is_renewed_unseen:
        return "unknown"
    known = facts.known.get((sale.original, sale.app)) or 0
    first, newest = facts.notified[sale.app]
    if first is not None and sale.expires > first:
        known = max(known, newest - 7 * DAY)
    return "expired" if known >= access else "unknown"


class Facts:
    pass


def main():
    connection = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
    rows = lambda statement: connection.execute(statement).fetchall()
    facts = Facts()
    facts.known = {(original, app): ms for original, app, ms in rows("SELECT original_id, app_id, known_ms FROM model_originals")}
    facts.refunds = refunds(rows)
    facts.notified = {}
    horizons = {}
    for app, horizon, first, newest in rows(
            "SELECT app_id, horizon_ms, first_notification_ms, newest_notification_ms FROM model_apps"):
        horizons[app], facts.notified[app] = horizon, (first, newest)
    found = sales(rows)
    infos = order(set(found.values()), rows)
    for sale in set(found.values()):
        if sale.shared and sale.is_period:
            graces = [i[5] for i in infos.get((sale.original, sale.app), ())
                      if i[5] is not None and i[0] >= sale.start and sale.expires < i[5] <= sale.expires + 28 * DAY]
            sale.grace = max(graces, default=None)
    held = holders(rows, found)
    users = {number: (name, bool(device)) for number, name, device in rows("SELECT user_id, name, is_device FROM model_users")}
    spans = rows("SELECT user_id, purchase_id, app_id, state, from_ms, until_ms FROM internal_entitlement_spans")
    moments = {"horizon": horizons}
    for day in sys.argv[2:]:
        begin = datetime.datetime.fromisoformat(day).replace(tzinfo=datetime.timezone.utc).timestamp()
        moments[day] = dict.fromkeys(horizons, round(begin * 1000) + DAY - 1)
    is_well = True
    for name, at in moments.items():
        expected = {}
        for owner, sold in held.items():
            chains = collections.defaultdict(list)
            for sale in sold:
                chains[sale.thing if sale.is_period else sale].append(sale)
            for chain in chains.values():
                chain.sort(key=lambda s: (s.start or 0, s.number))
                begun = [sale for sale in chain if (sale.start or 0) <= at[sale.app]]
                if not begun:
                    continue
                sale = begun[-1]
                later = chain[len(begun)].start if len(begun) < len(chain) else FOR_EVER
                found_state = state(sale, later, at[sale.app], facts)
                if found_state is not None:
                    expected[owner, sale.app, sale.number] = found_state
        kept = {
            (users.get(user), app, number): told for user, number, app, told, begins, ends in spans
            if told != "consumed" and begins <= at[app] and (ends is None or ends > at[app])
        }
        differing = sorted(
            (key for key in expected.keys() | kept.keys() if expected.get(key) != kept.get(key)), key=repr)
        print(f"{name}: {len(kept)} rights, {len(differing)} differ")
        for key in differing[:10]:
            print("   ", key, "expected", expected.get(key), "kept", kept.get(key))
        is_well = is_well and not differing
    sys.exit(0 if is_well else 1)


main()
