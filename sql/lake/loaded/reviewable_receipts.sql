-- Transaction receipts that may be verified again: their signature is valid, but an issuer certificate was missing.
SELECT DISTINCT octets
FROM loaded_receipts
WHERE octets IS NOT NULL
