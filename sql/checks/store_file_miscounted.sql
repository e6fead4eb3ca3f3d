-- Apple's report files whose stored counts of rows differ from the number of rows.
SELECT store_file.name || ': ' || store_file.rows || ' rows, ' || store_file.rejected || ' rejected, and there are '
    || counted.rows || ' and ' || counted.rejected AS offence
FROM store_file
JOIN (
    SELECT
        file_id,
        (SELECT count(*) FROM store_sale WHERE store_sale.file_id = store_file.file_id)
        + (SELECT count(*) FROM store_row WHERE store_row.file_id = store_file.file_id) AS rows,
        (SELECT count(*) FROM store_rejection WHERE store_rejection.file_id = store_file.file_id) AS rejected
    FROM store_file
) AS counted USING (file_id)
WHERE store_file.rows <> counted.rows OR store_file.rejected <> counted.rejected
