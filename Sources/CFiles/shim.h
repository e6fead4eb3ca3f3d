#pragma once

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

/// Renames a file from one open folder into another, without replacing an existing file (renameat2(2),
/// RENAME_NOREPLACE), which Swift's module of glibc lacks. EINVAL and ENOSYS mean that the file system or the kernel
/// can't do this.
static inline int receiptmill_rename_new(int folder, const char *name, int target_folder, const char *target) {
#if defined(__linux__) && defined(SYS_renameat2)
    return (int)syscall(SYS_renameat2, folder, name, target_folder, target, 1u);
#elif defined(__APPLE__)
    return renameatx_np(folder, name, target_folder, target, RENAME_EXCL);
#else
    errno = ENOSYS;
    return -1;
#endif
}
