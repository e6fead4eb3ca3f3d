-- A row of model_pacific_days: number ?1, the instant ?2 at which day ?4 follows day ?3.

INSERT INTO model_pacific_days VALUES (?1, ?2, ?3, ?4);
