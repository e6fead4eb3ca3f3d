-- Signals of a database that did not keep which run found them: its last one had.
INSERT INTO signal_sighting (submission_id, signal, transaction_id, run_id)
SELECT DISTINCT submission_number, signal, coalesce(transaction_id, ''), (SELECT max(run_id) FROM run)
FROM fraud_signals;
