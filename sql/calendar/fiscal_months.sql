-- Writes a row of model_fiscal_months: number ?1, name ?2, from day ?3 to day ?4.

INSERT INTO model_fiscal_months VALUES (?1, ?2, ?3, ?4);
