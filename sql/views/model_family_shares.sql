-- What families and groups share: members' shares of each product, what became of them, and who bought the product. A row
-- per app and product that a member's share names.
--
-- Columns:
--   app_id              –             app and environment, by the loader's number
--   product_number      –             product, by the loader's number; 0 where none is stated
--   buyers              customers     customers who bought the product, free trials included
--   sharing_buyers      customers     of these, those of whose purchases a share names the original transaction
--   shares              shares        members' shares, as model_shares has them
--   periods             transactions  transactions of these
--   revoked_shares      shares        of the shares, those a transaction of which was canceled, for whatever reason
--   family_revoked      shares        of these, those told to be withdrawn
--   expired_shares      shares        of the shares not revoked, those whose last period was over at the horizon
--   members_who_bought  shares        of the shares, those whose member bought later
CREATE VIEW model_family_shares AS
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
