-- external-purchase-tokens: Tokens of purchases outside the store that await a report
-- For which tokens does the store still await a report, for how long already, and until when?
--
-- Grain: one row per environment, bundle_id, external_purchase_id
-- Aliases: tokens, unreported-tokens
--
-- Parameters:
--   :state  text(open, expired, all)  open  state of the tokens shown; or all
--
-- Columns:
--   environment           text     environment of the app's documents
--   bundle_id             text     bundle identifier of the app
--   external_purchase_id  text     identifier of the token
--   token_type            text     ACQUISITION or SERVICES; (none) for older kinds
--   state                 text     open: the store awaits a report; expired: the token has expired
--   created               time     when the store created the token
--   expires               time     when the token expires; null if no notification states it
--   age                   integer(days)  days from the token's creation to the app's newest document
--   days_left             integer(days)  days from the app's newest document until the token expires; negative if it
--                                        has expired
--   subtype               text     subtype of the last notification: CREATED; UNREPORTED or ACTIVE_TOKEN_REMINDER: the
--                                  store reminded you to report the token
--   notifications         integer(notifications)  number of notifications about the token
--   told_at               time     when the last notification about the token was signed
--   as_of                 time     when the app's newest document was created
--
-- Shown: bundle_id, external_purchase_id, token_type, state, created, expires, age, days_left
-- Chart: bars  x=token_type  y=rows  series=state
--
-- Notes:
--   An app reports to the store what was bought with a token, or that nothing was. No document states that a report
--   arrived: a token is open until it expires, and a token without an expiration date stays open. Days are UTC days.
--
-- Example:
--   receiptmill report external-purchase-tokens --database mill.sqlite

WITH dated AS (
    SELECT
        apps.environment, apps.bundle_id, apps.as_of, token.external_purchase_id, token.token_type, token.subtype,
        token.notifications, token.signed_at, token.token_creation_date, token.token_expiration_date,
        CASE WHEN token.token_expiration_date <= apps.as_of THEN 'expired' ELSE 'open' END AS state
    FROM apps
    JOIN external_purchase_tokens AS token
        ON coalesce(token.environment, '(none)') = apps.environment AND coalesce(token.bundle_id, '(none)') = apps.bundle_id
)

SELECT
    dated.environment, dated.bundle_id, dated.external_purchase_id,
    coalesce(dated.token_type, '(none)') AS token_type, dated.state,
    dated.token_creation_date AS created, dated.token_expiration_date AS expires,
    today.day_number - created.day_number AS age, ended.day_number - today.day_number AS days_left, dated.subtype,
    dated.notifications, dated.signed_at AS told_at, dated.as_of
FROM dated
LEFT JOIN model_days AS today ON today.day = substr(dated.as_of, 1, 10)
LEFT JOIN model_days AS created ON created.day = substr(dated.token_creation_date, 1, 10)
LEFT JOIN model_days AS ended ON ended.day = substr(dated.token_expiration_date, 1, 10)
WHERE coalesce(:state, 'open') IN ('all', dated.state)
ORDER BY dated.token_creation_date, 1, 2, 3;
