-- family-sharing: What families and groups share
-- How many members use a purchase of somebody else, how many shares ended, and how many members bought later?
--
-- Grain: one row per environment, bundle_id, product_id
--
-- Columns:
--   environment           text     environment of the purchases
--   bundle_id             text     bundle identifier of the app
--   product_id            text     product bought or shared
--   buyers                integer(customers)  customers who bought the product, free trials included
--   sharing_buyers        integer(customers)  of the buyers, those whose purchase has the same original transaction as
--                                             a share
--   shares                integer(shares)     members' shares: original transactions that a member holds, however many
--                                             periods
--   periods               integer(transactions)  transactions of the shares
--   revoked_shares        integer(shares)     of the shares, those with a transaction that was canceled, for whatever
--                                             reason
--   family_revoked        integer(shares)     of the shares, those that a document states to be withdrawn
--                                             (FAMILY_REVOKE, ASSIGNMENT_REVOKE)
--   expired_shares        integer(shares)     of the shares not revoked, those whose last period was over at the app's
--                                             newest document
--   active_shares         integer(shares)     of the shares, those neither revoked nor expired
--   members_who_bought    integer(shares)     of the shares, those whose member bought any product of the app later
--
-- Shown: bundle_id, product_id, buyers, sharing_buyers, shares, revoked_shares, expired_shares, active_shares
-- Total: shares, periods, revoked_shares, family_revoked, expired_shares, active_shares, members_who_bought
-- Chart: bars  x=product_id  y=active_shares,expired_shares,revoked_shares
--
-- Notes:
--   Only products with a share have a row. Only signed data distinguishes a member's share from a purchase: if only
--   receipts are known, shares count as purchases. Shares bring no money and are in no other report on money. Seats
--   that a business assigns (ASSIGNED) count as shares, too.
--   The store seldom states whose purchase is shared, because a member's share mostly has an original transaction of
--   its own. sharing_buyers counts what is stated, and is a lower bound.
--   A member is known by the app transaction, which is one for an Apple Account, and by the accounts and devices that
--   presented the share. If a whole family uses one account or device, its buyers count as members. Bought later means
--   a purchase of any product of the app that was not free, or whose price is unknown, made after the share began.
--   A member with shares of several products counts in the row of each. Shares of several members that name one
--   original transaction count as one. expired_shares includes renewed shares if no later document shows the renewal.
--
-- Example:
--   receiptmill report family-sharing --database mill.sqlite

SELECT
    apps.environment, apps.bundle_id, coalesce(product.product_id, '(none)') AS product_id,
    share.buyers, share.sharing_buyers, share.shares, share.periods, share.revoked_shares, share.family_revoked,
    share.expired_shares, share.shares - share.revoked_shares - share.expired_shares AS active_shares,
    share.members_who_bought
FROM apps
JOIN internal_family_shares AS share ON share.app_id = apps.app_id
LEFT JOIN product ON product.product_number = share.product_number
ORDER BY apps.environment, apps.bundle_id, 3;
