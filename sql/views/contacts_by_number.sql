-- One row per submission: whom its line names, by number.
--
-- Columns:
--   contact_number  –  line  number of the submission in this database alone, as in presenters_by_number
--   owner           –  line  account, else device; null where the line names neither
--   owner_kind      –  –     `account`, `device`, or `none` where the line names neither
--   account_id      –  line  as in submissions
--   device_id       –  line  as in submissions
CREATE VIEW contacts_by_number AS
SELECT
    submission_id AS contact_number,
    coalesce(account_id, device_id) AS owner,
    CASE
        WHEN account_id IS NOT NULL THEN 'account'
        WHEN device_id IS NOT NULL THEN 'device'
        ELSE 'none'
    END AS owner_kind,
    account_id,
    device_id
FROM submission;
