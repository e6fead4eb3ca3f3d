/* The extension of SQLite: receipt_verdict, receipt_json and receipt_purchases, by receiptmill.h alone. */
#include "receiptmill.h"

#include <sqlite3ext.h>
#include <string.h>

SQLITE_EXTENSION_INIT1

/* A verifier, and the number of those who use it: functions and modules of a connection have one in common. SQLite calls
 * the functions of a connection one after another, so that the count needs no lock. */
typedef struct shared_verifier {
    receiptmill_verifier *verifier;
    int users;
} shared_verifier;

static void forget(void *shared) {
    shared_verifier *one = shared;
    if (--one->users > 0) return;
    receiptmill_verifier_free(one->verifier);
    sqlite3_free(one);
}

static void free_verifier(void *verifier) { receiptmill_verifier_free(verifier); }

/* Verifies a value: text, or a blob. Returns NULL for NULL, and where *fault is set. */
static receiptmill_document *verified(
    const receiptmill_verifier *verifier, sqlite3_value *value, receiptmill_status *fault) {
    receiptmill_document *document = NULL;
    if (sqlite3_value_type(value) == SQLITE_NULL) return NULL;
    int is_blob = sqlite3_value_type(value) == SQLITE_BLOB;
    const void *bytes = is_blob ? sqlite3_value_blob(value) : (const void *)sqlite3_value_text(value);
    *fault = receiptmill_verify(verifier, bytes, (size_t)sqlite3_value_bytes(value), &document);
    return document;
}

/* Makes a verifier with the anchors that a text names. */
static receiptmill_verifier *trusting(sqlite3_value *trust, receiptmill_status *fault) {
    receiptmill_verifier *verifier = NULL;
    receiptmill_options options = {.size = sizeof options, .trust = (const char *)sqlite3_value_text(trust)};
    *fault = receiptmill_verifier_new(&options, &verifier);
    return verifier;
}

/* ---- Functions ---- */

/* The document in the first argument, under the anchors that the second names. The verifier for a second argument that is
 * constant lasts as long as the statement. */
static receiptmill_document *argument(sqlite3_context *context, int count, sqlite3_value **values) {
    receiptmill_status fault = RECEIPTMILL_OK;
    receiptmill_document *document = NULL;
    const shared_verifier *shared = sqlite3_user_data(context);
    if (count == 1 || sqlite3_value_type(values[1]) == SQLITE_NULL) {
        document = verified(shared->verifier, values[0], &fault);
    } else {
        receiptmill_verifier *verifier = sqlite3_get_auxdata(context, 1);
        int is_new = verifier == NULL;
        if (is_new) verifier = trusting(values[1], &fault);
        if (verifier) {
            document = verified(verifier, values[0], &fault);
            /* SQLite may free the verifier at once, so that it is handed over last. */
            if (is_new) sqlite3_set_auxdata(context, 1, verifier, free_verifier);
        }
    }
    if (fault != RECEIPTMILL_OK) sqlite3_result_error(context, receiptmill_status_text(fault), -1);
    return document;
}

static void receipt_verdict(sqlite3_context *context, int count, sqlite3_value **values) {
    receiptmill_document *document = argument(context, count, values);
    if (!document) return;
    size_t length = 0;
    const char *text = receiptmill_text(document, RECEIPTMILL_VERDICT, &length);
    sqlite3_result_text(context, text, (int)length, SQLITE_TRANSIENT);
    receiptmill_document_free(document);
}

static void free_json(void *json) { receiptmill_json_free(json); }

static void receipt_json(sqlite3_context *context, int count, sqlite3_value **values) {
    receiptmill_document *document = argument(context, count, values);
    if (!document) return;
    char *json = receiptmill_json(document);
    receiptmill_document_free(document);
    if (!json) return sqlite3_result_error_nomem(context);
    sqlite3_result_text(context, json, -1, free_json);
}

/* ---- receipt_purchases(document [, trust]) ---- */

typedef struct purchase_column {
    const char *name;
    int is_text;
} purchase_column;

/* The columns, in the order of receiptmill_purchase_field. */
static const purchase_column columns[] = {
    {"verdict", 1},          {"transaction_id", 1},     {"original_transaction_id", 1},
    {"product_id", 1},       {"product_type", 0},       {"quantity", 0},
    {"purchase_date", 0},    {"original_purchase_date", 0}, {"expires_date", 0},
    {"cancellation_date", 0}, {"is_trial_period", 0},   {"is_in_intro_offer_period", 0},
    {"promotional_offer_id", 1}, {"web_order_line_item_id", 0}, {"price_milliunits", 0},
    {"currency", 1},
};

enum { column_count = sizeof columns / sizeof *columns, document_column = column_count, trust_column };

typedef struct purchases_table {
    sqlite3_vtab base;
    const receiptmill_verifier *verifier;
} purchases_table;

typedef struct purchases_cursor {
    sqlite3_vtab_cursor base;
    receiptmill_document *document;
    int64_t count, index;
} purchases_cursor;

static int purchases_connect(
    sqlite3 *database, void *shared, int count, const char *const *arguments, sqlite3_vtab **table, char **error) {
    (void)count, (void)arguments, (void)error;
    char *declaration = sqlite3_mprintf("CREATE TABLE x(");
    for (int column = 0; declaration && column < column_count; column++)
        declaration = sqlite3_mprintf(
            "%z%s %s, ", declaration, columns[column].name, columns[column].is_text ? "TEXT" : "INTEGER");
    declaration = declaration ? sqlite3_mprintf("%zdocument HIDDEN, trust HIDDEN)", declaration) : NULL;
    if (!declaration) return SQLITE_NOMEM;
    int result = sqlite3_declare_vtab(database, declaration);
    sqlite3_free(declaration);
    if (result != SQLITE_OK) return result;
    purchases_table *made = sqlite3_malloc(sizeof *made);
    if (!made) return SQLITE_NOMEM;
    memset(made, 0, sizeof *made);
    made->verifier = ((shared_verifier *)shared)->verifier;
    *table = &made->base;
    return sqlite3_vtab_config(database, SQLITE_VTAB_INNOCUOUS);
}

static int purchases_disconnect(sqlite3_vtab *table) {
    sqlite3_free(table);
    return SQLITE_OK;
}

/* The plan has the bits 1 for a document and 2 for anchors, which are passed in this order. */
static int purchases_plan(sqlite3_vtab *table, sqlite3_index_info *info) {
    (void)table;
    int places[2] = {-1, -1};
    for (int index = 0; index < info->nConstraint; index++) {
        int hidden = info->aConstraint[index].iColumn - document_column;
        if (hidden < 0 || hidden > 1 || info->aConstraint[index].op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
        if (!info->aConstraint[index].usable) return SQLITE_CONSTRAINT;
        places[hidden] = index;
    }
    int passed = 0;
    for (int hidden = 0; hidden < 2; hidden++) {
        if (places[hidden] < 0) continue;
        info->aConstraintUsage[places[hidden]].argvIndex = ++passed;
        info->aConstraintUsage[places[hidden]].omit = 1;
        info->idxNum |= 1 << hidden;
    }
    info->estimatedCost = 100;
    info->estimatedRows = 5;
    return SQLITE_OK;
}

static int purchases_open(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor) {
    (void)table;
    purchases_cursor *made = sqlite3_malloc(sizeof *made);
    if (!made) return SQLITE_NOMEM;
    memset(made, 0, sizeof *made);
    *cursor = &made->base;
    return SQLITE_OK;
}

static int purchases_close(sqlite3_vtab_cursor *cursor) {
    receiptmill_document_free(((purchases_cursor *)cursor)->document);
    sqlite3_free(cursor);
    return SQLITE_OK;
}

static int purchases_filter(
    sqlite3_vtab_cursor *base, int plan, const char *name, int count, sqlite3_value **values) {
    (void)name, (void)count;
    purchases_cursor *cursor = (purchases_cursor *)base;
    const receiptmill_verifier *verifier = ((purchases_table *)base->pVtab)->verifier;
    receiptmill_verifier *own = NULL;
    receiptmill_status fault = RECEIPTMILL_OK;
    receiptmill_document_free(cursor->document);
    cursor->document = NULL;
    cursor->count = cursor->index = 0;
    if (!(plan & 1)) return SQLITE_OK;
    if (plan & 2 && sqlite3_value_type(values[1]) != SQLITE_NULL) verifier = own = trusting(values[1], &fault);
    if (verifier) cursor->document = verified(verifier, values[0], &fault);
    receiptmill_verifier_free(own);
    if (fault != RECEIPTMILL_OK) {
        sqlite3_free(base->pVtab->zErrMsg);
        base->pVtab->zErrMsg = sqlite3_mprintf("%s", receiptmill_status_text(fault));
        return SQLITE_ERROR;
    }
    if (cursor->document) receiptmill_integer(cursor->document, RECEIPTMILL_PURCHASE_COUNT, &cursor->count);
    return SQLITE_OK;
}

static int purchases_next(sqlite3_vtab_cursor *cursor) {
    ((purchases_cursor *)cursor)->index++;
    return SQLITE_OK;
}

static int purchases_eof(sqlite3_vtab_cursor *base) {
    purchases_cursor *cursor = (purchases_cursor *)base;
    return cursor->index >= cursor->count;
}

static int purchases_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column) {
    purchases_cursor *cursor = (purchases_cursor *)base;
    if (column >= column_count) return SQLITE_OK;
    size_t index = (size_t)cursor->index, length = 0;
    receiptmill_purchase_field field = (receiptmill_purchase_field)column;
    if (columns[column].is_text) {
        const char *text = receiptmill_purchase_text(cursor->document, index, field, &length);
        if (text) sqlite3_result_text(context, text, (int)length, SQLITE_TRANSIENT);
    } else {
        int64_t value;
        if (receiptmill_purchase_integer(cursor->document, index, field, &value)) sqlite3_result_int64(context, value);
    }
    return SQLITE_OK;
}

static int purchases_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid) {
    *rowid = ((purchases_cursor *)cursor)->index;
    return SQLITE_OK;
}

static const sqlite3_module purchases_module = {
    .iVersion = 0,
    .xConnect = purchases_connect,
    .xBestIndex = purchases_plan,
    .xDisconnect = purchases_disconnect,
    .xOpen = purchases_open,
    .xClose = purchases_close,
    .xFilter = purchases_filter,
    .xNext = purchases_next,
    .xEof = purchases_eof,
    .xColumn = purchases_column,
    .xRowid = purchases_rowid,
};

/* ---- Entry ---- */

/* SQLite calls `forget` for each function and module, and for one that it refuses, too. */
int sqlite3_extension_init(sqlite3 *database, char **error, const sqlite3_api_routines *api) {
    SQLITE_EXTENSION_INIT2(api);
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    shared_verifier *shared = sqlite3_malloc(sizeof *shared);
    if (!shared) return SQLITE_NOMEM;
    shared->users = 1;
    receiptmill_status fault = receiptmill_verifier_new(NULL, &shared->verifier);
    if (fault != RECEIPTMILL_OK) {
        sqlite3_free(shared);
        *error = sqlite3_mprintf("%s", receiptmill_status_text(fault));
        return SQLITE_ERROR;
    }
    int result = SQLITE_OK;
    for (int count = 1; count <= 2 && result == SQLITE_OK; count++) {
        shared->users++;
        result = sqlite3_create_function_v2(
            database, "receipt_verdict", count, flags, shared, receipt_verdict, NULL, NULL, forget);
        if (result != SQLITE_OK) break;
        shared->users++;
        result =
            sqlite3_create_function_v2(database, "receipt_json", count, flags, shared, receipt_json, NULL, NULL, forget);
    }
    if (result == SQLITE_OK) {
        shared->users++;
        result = sqlite3_create_module_v2(database, "receipt_purchases", &purchases_module, shared, forget);
    }
    forget(shared);
    return result;
}
