-- Signals of a database that did not keep which run found them: its last one had. Runs when the models are worked out.
INSERT INTO signal_sighting (submission_id, signal, transaction_id, run_id)
SELECT DISTINCT submission_id, signal, transaction_id, (SELECT max(run_id) FROM run)
FROM model_signals;
