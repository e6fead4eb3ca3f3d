#pragma once

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

/// Renames a file, never over another one (renameat2(2), RENAME_NOREPLACE), which Swift's module of glibc does not
/// have. EINVAL and ENOSYS are of file systems and kernels that can't.
static inline int receiptmill_rename_new(const char *path, const char *target) {
#if defined(__linux__) && defined(SYS_renameat2)
    return (int)syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, target, 1u);
#elif defined(__APPLE__)
    return renamex_np(path, target, RENAME_EXCL);
#else
    errno = ENOSYS;
    return -1;
#endif
}
