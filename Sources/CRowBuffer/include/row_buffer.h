// Rows in memory as a table that SQL can select from, so that one statement
// inserts many of them: SQLite then opens its cursors once per statement, not
// once per row.
#pragma once

#include <stdint.h>

struct sqlite3;
struct sqlite3_stmt;

/// Rows of `column_count` cells, owned by the caller.
///
/// A row is its cells, one after the other; a cell is a byte that states its kind, and its value:
/// - `receiptmill_null`;
/// - `receiptmill_integer` + n: the n lowest bytes of an integer, the lowest first,
///   which have its sign, n from 0 (for zero alone) to 8;
/// - `receiptmill_text`, `receiptmill_blob`: the length in four bytes, the lowest
///   first, and UTF-8 or whatever bytes.
struct receiptmill_rows {
    const uint8_t *bytes;
    int64_t byte_count;
    /// The offset in `bytes` at which each row begins.
    const uint32_t *starts;
    /// The indices of the rows in the order in which they are returned; null for the order of
    /// `starts`.
    const int32_t *order;
    int64_t row_count;
    int32_t column_count;
};

enum receiptmill_cell {
    receiptmill_null = 0,
    receiptmill_integer = 1,
    receiptmill_text = 10,
    receiptmill_blob = 11,
};

/// The largest number of columns.
#define RECEIPTMILL_MAXIMUM_COLUMNS 64

/// Makes `row_buffer(?)` known to a connection: a table-valued function with
/// columns `c0` to `c63` over the rows bound to its parameter.
/// - Returns: SQLite's result code.
int receiptmill_register_rows(struct sqlite3 *connection);

/// Binds rows to a parameter of a statement. The caller keeps the rows in place and unchanged until
/// the statement has been reset.
/// - Returns: SQLite's result code.
int receiptmill_bind_rows(struct sqlite3_stmt *statement, int parameter, const struct receiptmill_rows *rows);

/// The size of a row in bytes; `row` is its index in `starts`, whatever the order.
int64_t receiptmill_row_size(const struct receiptmill_rows *rows, int64_t row);

/// A number by which rows sort nearly as SQLite orders a column that holds integers, texts or blobs
/// alone, which suffices for speed: the integer, or the first seven bytes as a number, the first
/// byte the highest; 0 for null. `row` is the index in `starts`, whatever the order.
int64_t receiptmill_row_key(const struct receiptmill_rows *rows, int64_t row, int32_t column);
