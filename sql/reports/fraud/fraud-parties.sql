-- fraud-parties: Who shares with whom
-- Which parties of a case share what, and which of the two is the rightful holder?
--
-- Grain: one row per signal, shared, account_id, device_id, other_account_id, other_device_id
--
-- Parameters:
--   :case  text  required  device, account, SHA-256 of a receipt, identifier of a transaction, or an installation's
--                          lineage
--
-- Columns:
--   signal            text                  kind of signal: shared_receipt, shared_lineage, shared_transaction,
--                                           shared_account_token or replayed_consumable
--   shared            text                  what is shared: the receipt's SHA-256, the installation's lineage, the
--                                           transaction, or the app account token
--   account_id        text                  one party's account; null where the line names none
--   device_id         text                  its device; null where the line names none
--   role              text                  holder: who presented it on the device that it was made for; copier: another,
--                                           where that one is known; unknown
--   other_account_id  text                  account of the party that shares it; null where the line names none
--   other_device_id   text                  its device; null where the line names none
--   other_role        text                  its role, likewise
--   submissions       integer(submissions)  how often the other presented it
--   first_at          time                  the first time; null where no line states one
--   last_at           time                  the last time
--
-- Notes:
--   A party is an account with a device, as the lines write them. Of an account or device the pairs of which
--   it is one party are shown; of what is shared, all pairs, from either side. Two devices of one account are a
--   pair, too, and innocent as a rule. Nobody who presented alone has a row: receipt-presenters tells of all.
--   No chart: a case has few parties.
--
-- Example:
--   receiptmill report fraud-parties 0A1B2C3D-0000-4000-8000-000000000001 --database mill.sqlite

SELECT
    signal,
    shared,
    account_id,
    device_id,
    role,
    other_account_id,
    other_device_id,
    other_role,
    sum(other_submissions) AS submissions,
    min(other_first_at) AS first_at,
    max(other_last_at) AS last_at
FROM case_parties
WHERE :case IN (account_id, device_id, shared)
    OR shared IN (SELECT lineage FROM receipts WHERE receipt_sha256 = :case AND verdict = 'trusted')
GROUP BY signal, shared, account_id, device_id, role, other_account_id, other_device_id, other_role
ORDER BY
    signal, shared, coalesce(account_id, ''), coalesce(device_id, ''), coalesce(other_account_id, ''),
    coalesce(other_device_id, ''), role, other_role;
