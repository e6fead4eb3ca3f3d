-- Every signal, one row per signal and line that shows it. Each kind is a view
-- of its own that says what it means and what innocent cases look like.
--
-- Columns:
--   signal          –     –               kind of signal; docs/fraud.md has them all
--   severity        –     –               low: odd, often innocent; medium: worth a look; high: evidence that stands
--                                         alone
--   bundle_id       –     attribute 2     the receipt's
--   device_id       –     line            the line's
--   account_id      –     line            the line's
--   receipt_sha256  –     –               the receipt
--   transaction_id  –     attribute 1703  the transaction, for signals that are about one
--   archive         –     –               name of the archive
--   line            –     –               line in it
--   detail          –     –               the evidence in words
--   observed_at     time  line            when it was submitted
--   environment     –     attribute 0     the receipt's, where it is trusted: of another it is only its word
--   role            –     –               of sharing: holder, whose device or account the hash shows to be the rightful one;
--                                         copier, whose it shows not to be; unknown, where it shows nothing
--   submission_number  –  –               the submission's number in this database alone
CREATE VIEW fraud_signals AS
SELECT * FROM signal_forged_signature
UNION ALL
SELECT * FROM signal_foreign_root
UNION ALL
SELECT * FROM signal_missing_markers
UNION ALL
SELECT * FROM signal_broken_chain
UNION ALL
SELECT * FROM signal_unsupported_algorithm
UNION ALL
SELECT * FROM signal_not_valid_at_creation
UNION ALL
SELECT * FROM signal_xcode_receipt
UNION ALL
SELECT * FROM signal_sandbox_receipt
UNION ALL
SELECT * FROM signal_unexpected_bundle
UNION ALL
SELECT * FROM signal_unexpected_version
UNION ALL
SELECT * FROM signal_volume_license_expired
UNION ALL
SELECT * FROM signal_hash_mismatch
UNION ALL
SELECT * FROM signal_shared_receipt
UNION ALL
SELECT * FROM signal_shared_lineage
UNION ALL
SELECT * FROM signal_shared_transaction
UNION ALL
SELECT * FROM signal_shared_account_token
UNION ALL
SELECT * FROM signal_replayed_consumable
UNION ALL
SELECT * FROM signal_refunded_yet_used
UNION ALL
SELECT * FROM signal_burst
UNION ALL
SELECT * FROM signal_version_backwards
UNION ALL
SELECT * FROM signal_original_version_newer
UNION ALL
SELECT * FROM signal_creation_after_submission
UNION ALL
SELECT * FROM signal_purchase_after_creation
UNION ALL
SELECT * FROM signal_expiry_before_purchase;
