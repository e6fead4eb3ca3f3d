-- A row of model_pacific_days, as those of model_utc_days are.

INSERT INTO model_pacific_days VALUES (?1, ?2, ?3, ?4);
