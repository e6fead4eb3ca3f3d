-- Writes a row of model_utc_days: UTC day number ?1, with the instant ?2 at which local day ?4 follows local day ?3.

INSERT INTO model_utc_days
SELECT
    ?1, ?2, ?3, ?4, substr(earlier, 1, 4) * 12 + substr(earlier, 6, 2) - 1,
    substr(later, 1, 4) * 12 + substr(later, 6, 2) - 1
FROM (SELECT date(?3 * 86400, 'unixepoch') AS earlier, date(?4 * 86400, 'unixepoch') AS later);
