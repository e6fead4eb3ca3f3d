// A wrapper for what Swift can't call: SQLite's settings take any arguments.
#pragma once

#include <sqlite3.h>

/// Has SQLite not count the memory that it allocates. Before it is used first.
/// - Returns: SQLite's result code.
static inline int receiptmill_count_no_memory(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
