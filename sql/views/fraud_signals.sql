-- Every signal, one row per signal and line that shows it. Each kind is a view
-- of its own that says what it means and what innocent cases look like.
CREATE VIEW fraud_signals AS
SELECT * FROM signal_hash_mismatch
UNION ALL
SELECT * FROM signal_shared_receipt
UNION ALL
SELECT * FROM signal_untrusted_receipt
UNION ALL
SELECT * FROM signal_sandbox_receipt
UNION ALL
SELECT * FROM signal_unexpected_bundle;
