#include "pending_rows.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

// What SQLite's documentation of virtual tables calls an eponymous-only table:
// it exists on the connection without CREATE, and is never written to.

/// Keeps other pointers, should anybody bind one, from being read as rows.
static const char pointer_type[] = "receiptmill_rows";

/// The parameter's place among the columns: hidden, behind all cells.
enum { rows_column = RECEIPTMILL_MAXIMUM_COLUMNS };

struct rows_cursor {
    sqlite3_vtab_cursor base;
    const struct receiptmill_rows *rows;
    int64_t place;
    const int64_t *row;
};

static void find_row(struct rows_cursor *cursor) {
    const struct receiptmill_rows *rows = cursor->rows;
    if (!rows || cursor->place >= rows->row_count) return;
    int64_t place = rows->order ? rows->order[cursor->place] : cursor->place;
    cursor->row = rows->words + place * (1 + rows->column_count);
}

/// Rows ahead of the one that is read that are asked of memory.
enum { rows_ahead = 4 };

/// Asks memory for the words of a row to come: in an order of their own, rows of a
/// window are too far apart for the processor to foresee the next.
static void expect_row(const struct rows_cursor *cursor) {
    const struct receiptmill_rows *rows = cursor->rows;
    if (!rows->order || cursor->place + rows_ahead >= rows->row_count) return;
    int64_t words = 1 + rows->column_count;
    const int64_t *row = rows->words + rows->order[cursor->place + rows_ahead] * words;
    for (int64_t word = 0; word < words; word += 8) __builtin_prefetch(row + word);
    __builtin_prefetch(row + words - 1);
}

static int rows_connect(
    sqlite3 *connection, void *context, int count, const char *const *arguments, sqlite3_vtab **table, char **error) {
    (void)context, (void)count, (void)arguments, (void)error;
    int result = sqlite3_declare_vtab(
        connection,
        "CREATE TABLE x(c0,c1,c2,c3,c4,c5,c6,c7,c8,c9,c10,c11,c12,c13,c14,c15,"
        "c16,c17,c18,c19,c20,c21,c22,c23,c24,c25,c26,c27,c28,c29,c30,c31,rows HIDDEN)");
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

/// Only one plan makes sense: given the rows, go through all of them.
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
    cursor->place = 0;
    find_row(cursor);
    return SQLITE_OK;
}

static int rows_next(sqlite3_vtab_cursor *base) {
    struct rows_cursor *cursor = (struct rows_cursor *)base;
    cursor->place++;
    find_row(cursor);
    expect_row(cursor);
    return SQLITE_OK;
}

static int rows_eof(sqlite3_vtab_cursor *base) {
    struct rows_cursor *cursor = (struct rows_cursor *)base;
    return !cursor->rows || cursor->place >= cursor->rows->row_count;
}

static int rows_column_value(sqlite3_vtab_cursor *base, sqlite3_context *context, int column) {
    struct rows_cursor *cursor = (struct rows_cursor *)base;
    if (column >= cursor->rows->column_count) return SQLITE_OK;
    int64_t cell = cursor->row[1 + column];
    uint32_t offset = (uint64_t)cell >> 32, length = (uint32_t)cell;
    // An empty text is not null, even where there are no octets at all.
    const uint8_t *octets = length ? cursor->rows->octets + offset : (const uint8_t *)"";
    switch ((uint64_t)cursor->row[0] >> (2 * column) & 3) {
        case 1: sqlite3_result_int64(context, cell); break;
        case 2:
            sqlite3_result_text64(context, (const char *)octets, length, SQLITE_STATIC, SQLITE_UTF8);
            break;
        case 3: sqlite3_result_blob64(context, octets, length, SQLITE_STATIC); break;
        default: break;
    }
    return SQLITE_OK;
}

static int rows_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid) {
    *rowid = ((struct rows_cursor *)base)->place;
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
    return sqlite3_create_module(connection, "pending_rows", &rows_module, NULL);
}

int receiptmill_bind_rows(sqlite3_stmt *statement, int parameter, const struct receiptmill_rows *rows) {
    return sqlite3_bind_pointer(statement, parameter, (void *)rows, pointer_type, NULL);
}
