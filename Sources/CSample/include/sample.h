#ifndef RECEIPTMILL_SAMPLE_H
#define RECEIPTMILL_SAMPLE_H

#include <stddef.h>

/// The files of data-samples/company, which `receiptmill try` loads. Other numbers have no file.
enum { SAMPLE_ARCHIVE, SAMPLE_ROOT, SAMPLE_RATES };

/// The bytes of a file, which stay for the life of the process; null where a number has no file.
const void *receiptmill_sample(int file, size_t *size);

#endif
