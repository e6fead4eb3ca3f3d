#include "sample.h"

// C has had #embed since C23; clang takes it in every version and warns.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char archive[] = {
#embed "../../data-samples/company/receipts-001.jsonl.gz"
};
static const unsigned char root[] = {
#embed "../../data-samples/company/root.pem"
};
static const unsigned char rates[] = {
#embed "../../data-samples/company/rates.csv"
};

const void *receiptmill_sample(int file, size_t *size) {
    switch (file) {
    case SAMPLE_ARCHIVE: *size = sizeof archive; return archive;
    case SAMPLE_ROOT: *size = sizeof root; return root;
    case SAMPLE_RATES: *size = sizeof rates; return rates;
    default: *size = 0; return NULL;
    }
}
