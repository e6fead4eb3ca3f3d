-- Fills model_pacific_days from the JSON array ?1 of [number, midnight, earlier day, later day].

INSERT INTO model_pacific_days
SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?);
