// Fails one write to the database, for tests: preloaded with LD_PRELOAD, it
// counts the calls that change or sync the files whose path begins with
// FAULT_PATH (the database, its log and its index) and fails number FAULT_AT.
//
// FAULT_KIND: "full" fails it and all later writes with ENOSPC, as a disk that
// stays full does; "error" fails the one call with EIO; "kill" kills the
// process before the call, and "torn" after it has written half of its bytes,
// as a machine that is reset may leave a file. "count" fails nothing. At the
// end the number of calls goes to FAULT_COUNT, a file.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long calls;

static int concerns(int descriptor) {
    const char *wanted = getenv("FAULT_PATH");
    char link[64], path[4096];
    if (!wanted) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    // The run's lock is no part of the database.
    return strncmp(path, wanted, strlen(wanted)) == 0 && !strstr(path, "-lock");
}

enum fault { NONE, FULL, ERROR, KILL, TORN };

static enum fault fault_of(int descriptor) {
    if (!concerns(descriptor)) return NONE;
    const char *at = getenv("FAULT_AT"), *kind = getenv("FAULT_KIND");
    long number = atomic_fetch_add(&calls, 1) + 1;
    if (!at || !kind) return NONE;
    if (strcmp(kind, "full") == 0) return number >= atol(at) ? FULL : NONE;
    if (number != atol(at)) return NONE;
    if (strcmp(kind, "error") == 0) return ERROR;
    if (strcmp(kind, "kill") == 0) return KILL;
    return strcmp(kind, "torn") == 0 ? TORN : NONE;
}

__attribute__((destructor)) static void report(void) {
    const char *path = getenv("FAULT_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    fprintf(file, "%ld\n", atomic_load(&calls));
    fclose(file);
}

// `whole` does the call, `half` does it for half of its bytes.
#define GUARD(descriptor, whole, half)                                   \
    do {                                                                 \
        switch (fault_of(descriptor)) {                                  \
        case NONE: return whole;                                         \
        case FULL: errno = ENOSPC; return -1;                            \
        case ERROR: errno = EIO; return -1;                              \
        case TORN: half; raise(SIGKILL); return -1;                      \
        case KILL: raise(SIGKILL); return -1;                            \
        }                                                                \
        return -1;                                                       \
    } while (0)

#define REAL(name, type, ...) ((type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name))

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
    ssize_t (*real)(int, const void *, size_t, off64_t) = REAL(pwrite64, ssize_t, int, const void *, size_t, off64_t);
    GUARD(descriptor, real(descriptor, bytes, count, offset), real(descriptor, bytes, count / 2, offset));
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    return pwrite64(descriptor, bytes, count, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    ssize_t (*real)(int, const void *, size_t) = REAL(write, ssize_t, int, const void *, size_t);
    GUARD(descriptor, real(descriptor, bytes, count), real(descriptor, bytes, count / 2));
}

int ftruncate64(int descriptor, off64_t length) {
    int (*real)(int, off64_t) = REAL(ftruncate64, int, int, off64_t);
    GUARD(descriptor, real(descriptor, length), (void)0);
}

int ftruncate(int descriptor, off_t length) { return ftruncate64(descriptor, length); }

int fsync(int descriptor) {
    int (*real)(int) = REAL(fsync, int, int);
    GUARD(descriptor, real(descriptor), (void)0);
}

int fdatasync(int descriptor) {
    int (*real)(int) = REAL(fdatasync, int, int);
    GUARD(descriptor, real(descriptor), (void)0);
}
