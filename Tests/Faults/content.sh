#!/usr/bin/env bash
# Prints what a database holds: every row of every view, sorted, but the view
# `runs` and the times of loading, which tell of the runs and not of the lines.
set -euo pipefail
database=$1
for view in $(sqlite3 "$database" "SELECT name FROM sqlite_schema WHERE type = 'view' AND name <> 'runs' ORDER BY name"); do
    columns=$(sqlite3 "$database" "SELECT group_concat('quote(' || name || ')') FROM pragma_table_info('$view')
        WHERE name NOT IN ('first_loaded_at', 'completed_at')")
    sqlite3 "$database" "SELECT '$view', $columns FROM $view" | LC_ALL=C sort
done
