-- Rows: purchase_number IN (SELECT purchase_id FROM purchase)
-- Looked up for each purchase.
CREATE UNIQUE INDEX fact_purchase_marks_by_purchase ON fact_purchase_marks (
    purchase_number, is_upgraded, is_restored, first_ms, copied_terms_number);
