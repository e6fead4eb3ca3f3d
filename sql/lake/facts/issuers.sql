-- One row per archive and issuer certificate of a trusted chain in it (base64 of DER).
SELECT DISTINCT archive_sha256, certificate
FROM decoded_issuers
