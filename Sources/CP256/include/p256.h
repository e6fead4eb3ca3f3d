// ECDSA on P-256 by tables of one key's multiples (FIPS 186-5, 6.4.2).
//
// The store signs everything of some two years by one key. OpenSSL makes tables for the generator
// of a group; a key that takes the generator's place in a second group gets tables, too, so that
// verifying is two multiplications of fixed points. One inversion makes the inverses of a batch of
// signatures (Montgomery, 1987).
#pragma once

#include <stddef.h>
#include <stdint.h>

/// The groups and numbers that all keys share. Not for use by two threads at once.
typedef struct receiptmill_p256 receiptmill_p256;

/// One key's tables, some 150 kB.
typedef struct receiptmill_p256_key receiptmill_p256_key;

/// A signature to be verified: the SHA-256 of the signed bytes, and r and s, in 32 bytes each,
/// big-endian.
typedef struct {
    uint8_t digest[32];
    uint8_t r[32];
    uint8_t s[32];
} receiptmill_p256_signature;

/// Makes the shared groups and numbers; NULL where OpenSSL lacks the calls, or memory runs out.
receiptmill_p256 *receiptmill_p256_new(void);
void receiptmill_p256_free(receiptmill_p256 *shared);

/// Makes the tables of a key, an uncompressed point of 65 bytes (SEC 1, 2.3.3); NULL where the
/// bytes are no point of the curve or OpenSSL makes no tables.
receiptmill_p256_key *receiptmill_p256_key_new(receiptmill_p256 *shared, const uint8_t *point);
void receiptmill_p256_key_free(receiptmill_p256_key *key);

/// Verifies signatures of one key: `holds[i]` becomes 1 where the i-th holds, and 0 where it
/// doesn't hold or OpenSSL could not decide.
void receiptmill_p256_verify(
    receiptmill_p256 *shared, const receiptmill_p256_key *key,
    const receiptmill_p256_signature *signatures, size_t count, uint8_t *holds);
