-- Writes docs/data-dictionary.md from a database's table catalog.
SELECT '# Data dictionary

For analysts: what does each view and column hold? Written by `make docs` from the table `catalog`, which every database has; change the comments in `sql/` for it.
[Data model](data-model.md) says what the rows mean together. Columns that end in `_number` or `_id` and number things in
one database alone are for joins within it.';

SELECT line
FROM (
    SELECT object, 0 AS place, '' AS line, layer FROM (SELECT DISTINCT object, layer FROM catalog)
    UNION ALL
    SELECT object, 1, '## ' || object || char(10) || char(10) || 'Layer: ' || layer || '.' || char(10), layer
    FROM (SELECT DISTINCT object, layer FROM catalog)
    UNION ALL
    SELECT object, 2, '| column | type | unit | meaning |' || char(10) || '| --- | --- | --- | --- |', layer
    FROM (SELECT DISTINCT object, layer FROM catalog)
    UNION ALL
    SELECT
        object,
        2 + row_number() OVER (PARTITION BY object ORDER BY rowid),
        '| `' || "column" || '` | ' || type || ' | ' || unit || ' | ' || replace(meaning, '|', '\|') || ' |',
        layer
    FROM catalog
)
ORDER BY CASE layer WHEN 'sources' THEN 1 WHEN 'core' THEN 2 ELSE 3 END, object, place;
