-- Fills model_fiscal_months from the JSON array ?1 of [number, name, first day, last day].

INSERT INTO model_fiscal_months
SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?);
