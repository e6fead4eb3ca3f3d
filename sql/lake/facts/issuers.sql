-- One row per archive and certificate of an issuer that a trusted chain in it
-- held (base64 of DER).
SELECT DISTINCT archive_sha256, certificate
FROM decoded_issuers
