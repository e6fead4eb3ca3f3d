// Rows in memory as a table that SQL can select from, so that one statement
// inserts many of them: SQLite then opens its cursors once per statement, not
// once per row.
#pragma once

#include <stdint.h>

struct sqlite3;
struct sqlite3_stmt;

/// Rows of `column_count` cells, owned by the caller.
///
/// A row is `1 + column_count` words: the kinds of its cells, two bits each from
/// the lowest on (0 null, 1 integer, 2 text, 3 blob), then the cells. A text
/// (UTF-8) or blob is its offset in `octets` in the high half of its cell, its
/// length in the low half.
struct receiptmill_rows {
    const int64_t *words;
    const uint8_t *octets;
    /// Places of the rows in the order in which they are wanted; null: as they stand.
    const int32_t *order;
    int64_t row_count;
    int32_t column_count;
};

/// At most so many columns have room for their kinds in one word.
#define RECEIPTMILL_MAXIMUM_COLUMNS 32

/// Makes `pending_rows(?)` known to a connection: a table-valued function with
/// columns `c0` to `c31` over the rows bound to its parameter.
/// - Returns: SQLite's result code.
int receiptmill_register_rows(struct sqlite3 *connection);

/// Binds rows to a parameter of a statement. They stay where they are, unchanged,
/// until the statement has been reset.
/// - Returns: SQLite's result code.
int receiptmill_bind_rows(struct sqlite3_stmt *statement, int parameter, const struct receiptmill_rows *rows);
