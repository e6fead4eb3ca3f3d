-- Family sharing by app and product: the members' shares, how they ended, and the customers who bought the product. One
-- row per app and product of which a member has a share.
--
-- Columns:
--   app_id              –             app and environment, by the loader's number
--   product_number      –             product, by the loader's number; 0 if none is stated
--   buyers              customers     customers who bought the product, free trials included
--   sharing_buyers      customers     of the buyers, those whose purchase has the same original transaction as a share
--   shares              shares        members' shares; a share is an original transaction that members hold, however
--                                     many periods
--   periods             transactions  transactions of the shares
--   revoked_shares      shares        of the shares, those with a transaction that was canceled, for whatever reason
--   family_revoked      shares        of the shares, those that a document states to be withdrawn
--   expired_shares      shares        of the shares not revoked, those whose last period was over at the app's newest
--                                     document
--   members_who_bought  shares        of the shares, those whose member bought any product of the app later
CREATE VIEW internal_family_shares AS
SELECT
    share.app_id,
    share.product_number,
    coalesce(max(bought.buyers), 0) AS buyers,
    coalesce(max(bought.sharing_buyers), 0) AS sharing_buyers,
    count(*) AS shares,
    sum(share.periods) AS periods,
    sum(share.is_revoked) AS revoked_shares,
    sum(share.is_withdrawn) AS family_revoked,
    sum(CASE WHEN share.is_revoked = 0 AND share.expires_ms <= app.horizon_ms THEN 1 ELSE 0 END) AS expired_shares,
    sum(share.has_bought) AS members_who_bought
FROM model_shares AS share
LEFT JOIN model_apps AS app ON app.app_id = share.app_id
LEFT JOIN model_buyers AS bought ON bought.app_id = share.app_id AND bought.product_number = share.product_number
GROUP BY share.app_id, share.product_number;
