-- Transaction receipts whose signature holds and which lacked an issuer.
SELECT DISTINCT octets
FROM loaded_receipts
WHERE octets IS NOT NULL
