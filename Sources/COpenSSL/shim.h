// OpenSSL's headers, and wrappers for what Swift can't call: macros.
#pragma once

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// BIO_get_mem_data is a macro.
static inline int receiptmill_bio_read_all(BIO *bio, const unsigned char **bytes, long *count) {
    char *data = NULL;
    *count = BIO_get_mem_data(bio, &data);
    *bytes = (const unsigned char *)data;
    return data != NULL;
}
