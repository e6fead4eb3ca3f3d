-- Transaction receipts that are not trusted, but have no bad signature: they are verified again when more issuer
-- certificates are known.
SELECT DISTINCT octets
FROM loaded_receipts
WHERE octets IS NOT NULL
