// OpenSSL's headers, and wrappers for what Swift can't call: macros.
#pragma once

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/obj_mac.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <string.h>
#include <time.h>

// BIO_get_mem_data is a macro.
static inline int receiptmill_bio_read_all(BIO *bio, const unsigned char **bytes, long *count) {
    char *data = NULL;
    *count = BIO_get_mem_data(bio, &data);
    *bytes = (const unsigned char *)data;
    return data != NULL;
}

// XN_FLAG_RFC2253 is a macro of casts and other macros.
static const unsigned long receiptmill_name_flags_rfc2253 = XN_FLAG_RFC2253;
