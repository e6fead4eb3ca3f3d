#include "process.h"

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif
#include <sqlite3.h>

__attribute__((constructor)) static void receiptmill_set_up_test_process(void) {
    // SQLite counts its memory behind one lock, for which tests of one process would wait.
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    // A statement over views of views is thousands of small pieces: each connection has them at hand.
    sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 512, 8000);
#ifdef M_MMAP_THRESHOLD
    // As the command does: memory that is freed is wanted again a moment later.
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
    mallopt(M_TRIM_THRESHOLD, 32 << 20);
#endif
}
