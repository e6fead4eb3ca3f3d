# Writes docs/data-dictionary.md from the comments that the views start with:
# awk -f sql/data-dictionary.awk sql/views/*.sql
#
# A comment is paragraphs, and `Columns:` with a line for each column: name,
# unit, source, meaning, parted by two spaces or more; a line indented further
# goes on with the meaning above.

BEGIN {
    print "# Data dictionary"
    print ""
    print "Written by `make docs` from the comments in `sql/views/`; change them there. [Data model](data-model.md) says"
    print "what the rows mean together. Source: the receipt's attribute, the field of signed data, or the line of the"
    print "archive; – is ours."
}

FNR == 1 {
    close_column()
    view = FILENAME
    sub(/.*\//, "", view)
    sub(/\.sql$/, "", view)
    signal = view ~ /^signal_/ && view != "signal_settings"
    in_header = 1
    in_columns = 0
    print "\n## " view "\n"
}

!/^--/ { in_header = 0; close_column() }
!in_header { next }

/^-- Columns:/ {
    in_columns = 1
    print "| column | unit | source | meaning |\n| --- | --- | --- | --- |"
    next
}

in_columns {
    text = $0
    sub(/^-- +/, "", text)
    if ($0 ~ /^--   [a-z]/) {
        close_column()
        split(text, field, /  +/)
        column = "| `" field[1] "` | " field[2] " | " field[3] " | " field[4]
    } else {
        column = column " " text
    }
    next
}

{ sub(/^-- ?/, ""); if ($0 != "") print; else print "" }

END { close_column() }

function close_column() {
    if (column != "") print column " |"
    column = ""
    if (signal && !in_header) {
        print "\nIts columns are those of [fraud_signals](#fraud_signals)."
        signal = 0
    }
}
