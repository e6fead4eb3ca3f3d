-- Writes a row of model_pacific_days: UTC day number ?1, with the instant ?2 at which Pacific day ?4 follows Pacific
-- day ?3.

INSERT INTO model_pacific_days VALUES (?1, ?2, ?3, ?4);
