-- One row per product: its name by its number. Reports count by number, since names make a
-- sort slow, and join the names behind.
--
-- Columns:
--   product_number  –  –               the product's number in this database alone
--   product_id      –  attribute 1702  the product
CREATE VIEW product_names AS
SELECT product_number, product_id FROM product;
