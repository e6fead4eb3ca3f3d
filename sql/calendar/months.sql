-- Fills model_months from model_days.

INSERT INTO model_months
SELECT month_number, month, min(begins_ms), max(ends_ms), max(day_number) FROM model_days GROUP BY month_number, month;
