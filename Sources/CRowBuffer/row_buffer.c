#include "row_buffer.h"

#include <endian.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

// The module is an eponymous-only virtual table (SQLite, "The Virtual Table Mechanism"): it exists
// on the connection without CREATE, and is never written to.

/// The type keeps SQLite from passing any other bound pointer as rows.
static const char pointer_type[] = "receiptmill_rows";

/// The parameter is a hidden column after all cells.
enum { rows_column = RECEIPTMILL_MAXIMUM_COLUMNS };

struct cell {
    const uint8_t *bytes;
    /// The value of an integer, the length of a text or blob.
    int64_t value;
    enum receiptmill_cell kind;
};

struct rows_cursor {
    sqlite3_vtab_cursor base;
    const struct receiptmill_rows *rows;
    int64_t position;
    struct cell cells[RECEIPTMILL_MAXIMUM_COLUMNS];
};

/// The integer in the `count` lowest bytes, of 8 at most, with their sign.
static int64_t read_integer(const uint8_t *bytes, const uint8_t *end, int count) {
    if (count == 0) return 0;
    uint64_t value = 0;
    if (end - bytes >= 8) {
        memcpy(&value, bytes, 8);
        value = le64toh(value);
    } else {
        for (int index = 0; index < count; index++) value |= (uint64_t)bytes[index] << (8 * index);
    }
    int unused = 64 - 8 * count;
    return (int64_t)(value << unused) >> unused;
}

/// Reads a cell.
/// - Returns: the start of the next cell.
static const uint8_t *read_cell(const uint8_t *bytes, const uint8_t *end, struct cell *cell) {
    uint8_t kind = *bytes++;
    if (kind == receiptmill_null) {
        cell->kind = receiptmill_null;
        return bytes;
    }
    if (kind < receiptmill_text) {
        int count = kind - receiptmill_integer;
        cell->kind = receiptmill_integer;
        cell->value = read_integer(bytes, end, count);
        return bytes + count;
    }
    uint32_t length;
    memcpy(&length, bytes, sizeof length);
    length = le32toh(length);
    *cell = (struct cell){bytes + sizeof length, length, kind};
    return cell->bytes + length;
}

static void read_row(struct rows_cursor *cursor) {
    const struct receiptmill_rows *rows = cursor->rows;
    if (!rows || cursor->position >= rows->row_count) return;
    int64_t row = rows->order ? rows->order[cursor->position] : cursor->position;
    const uint8_t *bytes = rows->bytes + rows->starts[row], *end = rows->bytes + rows->byte_count;
    for (int32_t column = 0; column < rows->column_count; column++)
        bytes = read_cell(bytes, end, &cursor->cells[column]);
}

/// The number of rows by which memory is asked in advance for a row, and for its offset, which has
/// to be there by then. Inserting a row takes longer than memory takes to answer.
enum { rows_ahead = 4, starts_ahead = 12 };
/// The size of a line of the processor's cache in bytes; a purchase takes two lines.
enum { cache_line = 64 };

/// Asks memory for a later row: in an order other than that of `starts`, rows are too far apart for
/// the processor to foresee the next.
static void expect_row(const struct rows_cursor *cursor) {
    const struct receiptmill_rows *rows = cursor->rows;
    if (!rows->order || cursor->position + starts_ahead >= rows->row_count) return;
    const int32_t *order = rows->order + cursor->position;
    __builtin_prefetch(rows->starts + order[starts_ahead]);
    const uint8_t *row = rows->bytes + rows->starts[order[rows_ahead]];
    __builtin_prefetch(row);
    __builtin_prefetch(row + cache_line);
}

static int rows_connect(
    sqlite3 *connection, void *context, int count, const char *const *arguments, sqlite3_vtab **table, char **error) {
    (void)context, (void)count, (void)arguments, (void)error;
    int result = sqlite3_declare_vtab(
        connection,
        "CREATE TABLE x(c0,c1,c2,c3,c4,c5,c6,c7,c8,c9,c10,c11,c12,c13,c14,c15,"
        "c16,c17,c18,c19,c20,c21,c22,c23,c24,c25,c26,c27,c28,c29,c30,c31,"
        "c32,c33,c34,c35,c36,c37,c38,c39,c40,c41,c42,c43,c44,c45,c46,c47,"
        "c48,c49,c50,c51,c52,c53,c54,c55,c56,c57,c58,c59,c60,c61,c62,c63,rows HIDDEN)");
    if (result != SQLITE_OK) return result;
    *table = sqlite3_malloc(sizeof **table);
    if (!*table) return SQLITE_NOMEM;
    memset(*table, 0, sizeof **table);
    return SQLITE_OK;
}

static int rows_disconnect(sqlite3_vtab *table) {
    sqlite3_free(table);
    return SQLITE_OK;
}

/// The only plan goes through all rows that the parameter gives.
static int rows_best_index(sqlite3_vtab *table, sqlite3_index_info *info) {
    (void)table;
    for (int index = 0; index < info->nConstraint; index++) {
        if (info->aConstraint[index].iColumn != rows_column) continue;
        if (info->aConstraint[index].op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
        if (!info->aConstraint[index].usable) return SQLITE_CONSTRAINT;
        info->aConstraintUsage[index].argvIndex = 1;
        info->aConstraintUsage[index].omit = 1;
        info->estimatedCost = 1;
        return SQLITE_OK;
    }
    return SQLITE_CONSTRAINT;
}

static int rows_open(sqlite3_vtab *table, sqlite3_vtab_cursor **opened) {
    (void)table;
    struct rows_cursor *cursor = sqlite3_malloc(sizeof *cursor);
    if (!cursor) return SQLITE_NOMEM;
    memset(cursor, 0, sizeof *cursor);
    *opened = &cursor->base;
    return SQLITE_OK;
}

static int rows_close(sqlite3_vtab_cursor *base) {
    sqlite3_free(base);
    return SQLITE_OK;
}

static int rows_filter(sqlite3_vtab_cursor *base, int plan, const char *text, int count, sqlite3_value **arguments) {
    (void)plan, (void)text;
    struct rows_cursor *cursor = (struct rows_cursor *)base;
    cursor->rows = count == 1 ? sqlite3_value_pointer(arguments[0], pointer_type) : NULL;
    cursor->position = 0;
    read_row(cursor);
    return SQLITE_OK;
}

static int rows_next(sqlite3_vtab_cursor *base) {
    struct rows_cursor *cursor = (struct rows_cursor *)base;
    cursor->position++;
    read_row(cursor);
    expect_row(cursor);
    return SQLITE_OK;
}

static int rows_eof(sqlite3_vtab_cursor *base) {
    struct rows_cursor *cursor = (struct rows_cursor *)base;
    return !cursor->rows || cursor->position >= cursor->rows->row_count;
}

static int rows_column_value(sqlite3_vtab_cursor *base, sqlite3_context *context, int column) {
    struct rows_cursor *cursor = (struct rows_cursor *)base;
    if (column >= cursor->rows->column_count) return SQLITE_OK;
    const struct cell *cell = &cursor->cells[column];
    switch (cell->kind) {
        case receiptmill_integer: sqlite3_result_int64(context, cell->value); break;
        case receiptmill_text:
            sqlite3_result_text64(context, (const char *)cell->bytes, cell->value, SQLITE_STATIC, SQLITE_UTF8);
            break;
        case receiptmill_blob: sqlite3_result_blob64(context, cell->bytes, cell->value, SQLITE_STATIC); break;
        case receiptmill_null: break;
    }
    return SQLITE_OK;
}

static int rows_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid) {
    *rowid = ((struct rows_cursor *)base)->position;
    return SQLITE_OK;
}

static const sqlite3_module rows_module = {
    .iVersion = 0,
    .xConnect = rows_connect,
    .xBestIndex = rows_best_index,
    .xDisconnect = rows_disconnect,
    .xOpen = rows_open,
    .xClose = rows_close,
    .xFilter = rows_filter,
    .xNext = rows_next,
    .xEof = rows_eof,
    .xColumn = rows_column_value,
    .xRowid = rows_rowid,
};

int receiptmill_register_rows(sqlite3 *connection) {
    return sqlite3_create_module(connection, "row_buffer", &rows_module, NULL);
}

int receiptmill_bind_rows(sqlite3_stmt *statement, int parameter, const struct receiptmill_rows *rows) {
    return sqlite3_bind_pointer(statement, parameter, (void *)rows, pointer_type, NULL);
}

int64_t receiptmill_row_size(const struct receiptmill_rows *rows, int64_t row) {
    const uint8_t *start = rows->bytes + rows->starts[row], *end = rows->bytes + rows->byte_count;
    const uint8_t *bytes = start;
    struct cell cell;
    for (int32_t column = 0; column < rows->column_count; column++) bytes = read_cell(bytes, end, &cell);
    return bytes - start;
}

/// The first seven of `count` bytes as a number; missing bytes are zero.
static int64_t first_bytes(const uint8_t *bytes, int64_t count) {
    int64_t value = 0;
    for (int64_t index = 0; index < 7; index++) value = value << 8 | (index < count ? bytes[index] : 0);
    return value;
}

int64_t receiptmill_row_key(const struct receiptmill_rows *rows, int64_t row, int32_t column) {
    const uint8_t *bytes = rows->bytes + rows->starts[row], *end = rows->bytes + rows->byte_count;
    struct cell cell = {0};
    for (int32_t index = 0; index <= column; index++) bytes = read_cell(bytes, end, &cell);
    switch (cell.kind) {
        case receiptmill_null: return 0;
        case receiptmill_integer: return cell.value;
        default: return first_bytes(cell.bytes, cell.value);
    }
}
