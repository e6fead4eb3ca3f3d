-- A row for each case of fraud that is open: no decision settles or watches it, and no pipeline file allows its
-- subject, as in fraud_cases; at most ?1 rows. Only their number is used, so the rows have no values.
SELECT 1
FROM model_cases AS found
WHERE NOT EXISTS (
        SELECT 1 FROM fraud_decisions AS decided
        WHERE decided.subject_kind = found.subject_kind
            AND decided.subject = found.subject
            AND decided.is_last = 1
    )
    AND NOT EXISTS (
        SELECT 1 FROM allowed_subject AS allowed
        WHERE allowed.subject_kind = found.subject_kind
            AND allowed.subject = CASE
                WHEN found.subject_kind = 'device' AND length(found.subject) NOT IN (8, 22, 24)
                    THEN lower(replace(replace(replace(found.subject, '-', ''), ':', ''), '.', ''))
                ELSE found.subject
            END
    )
LIMIT ?1
