-- fraud-parties: Who shares with whom
-- Which parties of a case share what, and which of the two is the rightful holder?
--
-- Grain: one row per environment, bundle_id, signal, shared, account_id, device_id, other_account_id, other_device_id
--
-- Parameters:
--   :subject  text  required  device, account, SHA-256 of a receipt, identifier of a transaction, or an installation's
--                             lineage
--
-- Columns:
--   environment       text                  environment of the documents; (none) where absent
--   bundle_id         text                  bundle identifier of the app; (none) where absent
--   signal            text                  kind of signal: shared_receipt, shared_lineage, shared_transaction,
--                                           shared_account_token or replayed_consumable
--   shared            text                  what is shared: the receipt's SHA-256, the installation's lineage, the
--                                           transaction, or the app account token
--   account_id        text                  one party's account; (none) where the line names none
--   device_id         text                  its device; (none) where the line names none
--   role              text                  holder: who presented it on the device that it was made for; copier: another,
--                                           where that one is known; unknown
--   other_account_id  text                  account of the party that shares it; (none) where the line names none
--   other_device_id   text                  its device; (none) where the line names none
--   other_role        text                  its role, likewise
--   submissions       integer(submissions)  how often the other presented it
--   first_at          time                  the first time; null where no line states one
--   last_at           time                  the last time
--
-- Notes:
--   A party is an account with a device, as the lines write them. Of an account or device the pairs of which
--   it is one party are shown; of what is shared, all pairs, from either side. Two devices of one account are a
--   pair, too, and innocent as a rule. Nobody who presented alone has a row, nor what more than 200 parties
--   share: receipt-presenters tells of all.
--   No chart: a case has few parties.
--
-- Example:
--   receiptmill report fraud-parties 0A1B2C3D-0000-4000-8000-000000000001 --database mill.sqlite

SELECT
    coalesce(environment, '(none)') AS environment,
    coalesce(bundle_id, '(none)') AS bundle_id,
    signal,
    shared,
    coalesce(account_id, '(none)') AS account_id,
    coalesce(device_id, '(none)') AS device_id,
    role,
    coalesce(other_account_id, '(none)') AS other_account_id,
    coalesce(other_device_id, '(none)') AS other_device_id,
    other_role,
    other_submissions AS submissions,
    other_first_at AS first_at,
    other_last_at AS last_at
FROM case_parties
WHERE :subject IN (account_id, device_id, shared)
    OR shared IN (
        SELECT lineage FROM receipts
        WHERE length(:subject) = 64 AND receipt_sha256 = :subject AND verdict = 'trusted'
    )
ORDER BY 1, 2, 3, 4, 5, 6, 8, 9;
