#!/usr/bin/env bash
# Prints what a database holds: every row of every view, sorted, but the view
# `runs` and the times of loading, which are of the runs and not of the lines,
# and numbers that mean nothing in another database; and but for the views that make
# many rows of none.
set -euo pipefail
database=$1
# One shell after the other: the last to close a database whose log was left
# behind locks it while it empties the log.
queries=$(sqlite3 "$database" "
    SELECT 'SELECT ' || quote(view.name) || ', ' || group_concat('quote(' || field.name || ')') || ' FROM ' || view.name || ';'
    FROM sqlite_schema AS view JOIN pragma_table_info(view.name) AS field
    WHERE view.type = 'view' AND view.name <> 'runs'
        AND field.name NOT IN (
            'first_loaded_at', 'completed_at', 'receipt_id', 'purchase_id', 'app_version_id', 'found_by', 'found_at',
            'is_new', 'user_id', 'customer_id', 'version_id') AND field.name NOT GLOB '*_number'
        AND (view.name <> 'internal_device_submissions' OR field.name NOT IN ('submission_id', 'archive_id'))
    GROUP BY view.name")
sqlite3 "$database" <<< "$queries" | LC_ALL=C sort
