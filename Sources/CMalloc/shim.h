#pragma once

// glibc's own settings of its allocator, of which Swift's module of glibc knows nothing.
#if __has_include(<malloc.h>)
#include <malloc.h>
#endif
