-- The case of one device, account or receipt.
CREATE INDEX fact_fraud_signals_by_device ON fact_fraud_signals (device_id);
CREATE INDEX fact_fraud_signals_by_account ON fact_fraud_signals (account_id);
CREATE INDEX fact_fraud_signals_by_receipt ON fact_fraud_signals (receipt_sha256);
