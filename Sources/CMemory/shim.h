#pragma once

// glibc's own settings of its allocator, of which Swift's module of glibc knows nothing.
#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

/// Asks memory for the line of the processor's cache that holds an address, which
/// will be read soon. Nothing happens where the address can't be read.
static inline void receiptmill_prefetch(const void *address) {
    __builtin_prefetch(address);
}
