// OpenSSL 3 deprecates the calls for tables and still has them.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "p256.h"

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/obj_mac.h>
#include <stdlib.h>
#include <string.h>

#if defined(OPENSSL_NO_EC) || defined(OPENSSL_NO_DEPRECATED_3_0)

receiptmill_p256 *receiptmill_p256_new(void) { return NULL; }
void receiptmill_p256_free(receiptmill_p256 *shared) { (void)shared; }
receiptmill_p256_key *receiptmill_p256_key_new(receiptmill_p256 *shared, const uint8_t *point) {
    (void)shared, (void)point;
    return NULL;
}
void receiptmill_p256_key_free(receiptmill_p256_key *key) { (void)key; }
void receiptmill_p256_verify(
    receiptmill_p256 *shared, const receiptmill_p256_key *key,
    const receiptmill_p256_signature *signatures, size_t count, uint8_t *holds) {
    (void)shared, (void)key, (void)signatures;
    memset(holds, 0, count);
}

#else

enum { BATCH = 64 };

struct receiptmill_p256 {
    EC_GROUP *group;
    BN_CTX *numbers;
    BIGNUM *prime;
    BIGNUM *order;
    BN_MONT_CTX *by_order, *by_prime;
    EC_POINT *of_generator, *of_key;
    BIGNUM *x, *z, *u1, *u2, *inverse;
    /// For each signature of a batch: r, s, and the product of all s up to its own. The last two
    /// are in Montgomery's form.
    BIGNUM *r[BATCH], *s[BATCH], *product[BATCH];
};

struct receiptmill_p256_key {
    EC_GROUP *group;
};

receiptmill_p256 *receiptmill_p256_new(void) {
    receiptmill_p256 *shared = calloc(1, sizeof *shared);
    if (!shared) return NULL;
    shared->group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    shared->numbers = BN_CTX_new();
    shared->prime = BN_new();
    shared->order = BN_new();
    shared->by_order = BN_MONT_CTX_new();
    shared->by_prime = BN_MONT_CTX_new();
    shared->x = BN_new();
    shared->z = BN_new();
    shared->u1 = BN_new();
    shared->u2 = BN_new();
    shared->inverse = BN_new();
    int is_whole = shared->group && shared->numbers && shared->prime && shared->order && shared->by_order
        && shared->by_prime && shared->x && shared->z && shared->u1 && shared->u2 && shared->inverse;
    if (is_whole) {
        shared->of_generator = EC_POINT_new(shared->group);
        shared->of_key = EC_POINT_new(shared->group);
        is_whole = shared->of_generator && shared->of_key
            && EC_GROUP_get_curve(shared->group, shared->prime, NULL, NULL, shared->numbers) == 1
            && EC_GROUP_get_order(shared->group, shared->order, shared->numbers) == 1
            && BN_MONT_CTX_set(shared->by_order, shared->order, shared->numbers) == 1
            && BN_MONT_CTX_set(shared->by_prime, shared->prime, shared->numbers) == 1;
    }
    for (int index = 0; index < BATCH; index++) {
        shared->r[index] = BN_new();
        shared->s[index] = BN_new();
        shared->product[index] = BN_new();
        is_whole = is_whole && shared->r[index] && shared->s[index] && shared->product[index];
    }
    if (is_whole) return shared;
    ERR_clear_error();
    receiptmill_p256_free(shared);
    return NULL;
}

void receiptmill_p256_free(receiptmill_p256 *shared) {
    if (!shared) return;
    for (int index = 0; index < BATCH; index++) {
        BN_free(shared->r[index]);
        BN_free(shared->s[index]);
        BN_free(shared->product[index]);
    }
    BN_free(shared->prime);
    BN_free(shared->order);
    BN_free(shared->x);
    BN_free(shared->z);
    BN_free(shared->u1);
    BN_free(shared->u2);
    BN_free(shared->inverse);
    BN_MONT_CTX_free(shared->by_order);
    BN_MONT_CTX_free(shared->by_prime);
    EC_POINT_free(shared->of_generator);
    EC_POINT_free(shared->of_key);
    EC_GROUP_free(shared->group);
    BN_CTX_free(shared->numbers);
    free(shared);
}

receiptmill_p256_key *receiptmill_p256_key_new(receiptmill_p256 *shared, const uint8_t *point) {
    receiptmill_p256_key *key = calloc(1, sizeof *key);
    if (!key) return NULL;
    key->group = EC_GROUP_dup(shared->group);
    EC_POINT *generator = EC_POINT_new(shared->group);
    int is_made = key->group && generator
        && EC_POINT_oct2point(key->group, generator, point, 65, shared->numbers) == 1
        && EC_POINT_is_on_curve(key->group, generator, shared->numbers) == 1
        && EC_GROUP_set_generator(key->group, generator, shared->order, BN_value_one()) == 1
        && EC_GROUP_precompute_mult(key->group, shared->numbers) == 1
        && EC_GROUP_have_precompute_mult(key->group) == 1;
    EC_POINT_free(generator);
    if (is_made) return key;
    ERR_clear_error();
    receiptmill_p256_key_free(key);
    return NULL;
}

void receiptmill_p256_key_free(receiptmill_p256_key *key) {
    if (!key) return;
    EC_GROUP_free(key->group);
    free(key);
}

/// Whether a number is from 1 to the order less 1.
static int is_in_range(const receiptmill_p256 *shared, const BIGNUM *number) {
    return !BN_is_zero(number) && BN_cmp(number, shared->order) < 0;
}

/// Whether the affine x of a point is `r` modulo the order: X = x·Z² is compared, so
/// that Z need not be inverted, and both in Montgomery's form, divided by R², so that
/// nothing is divided by the prime. x is below the prime, and may be r or r + order.
static int has_x(receiptmill_p256 *shared, const EC_POINT *point, BIGNUM *r) {
    BIGNUM *square = shared->u1, *expected = shared->u2;
    if (EC_POINT_is_at_infinity(shared->group, point)) return 0;
    if (!EC_POINT_get_Jprojective_coordinates_GFp(shared->group, point, shared->x, NULL, shared->z, shared->numbers)
        || !BN_from_montgomery(shared->x, shared->x, shared->by_prime, shared->numbers)
        || !BN_from_montgomery(shared->x, shared->x, shared->by_prime, shared->numbers)
        || !BN_mod_mul_montgomery(square, shared->z, shared->z, shared->by_prime, shared->numbers)
        || !BN_mod_mul_montgomery(expected, r, square, shared->by_prime, shared->numbers))
        return 0;
    if (BN_cmp(expected, shared->x) == 0) return 1;
    if (!BN_add(r, r, shared->order) || BN_cmp(r, shared->prime) >= 0) return 0;
    return BN_mod_mul_montgomery(expected, r, square, shared->by_prime, shared->numbers)
        && BN_cmp(expected, shared->x) == 0;
}

/// Verifies a signature, given the inverse of its s in Montgomery's form.
static int verify_one(
    receiptmill_p256 *shared, const receiptmill_p256_key *key, const uint8_t *digest, BIGNUM *r, const BIGNUM *inverse) {
    // Only one factor of each product is in Montgomery's form, so that the product is not. A digest
    // is below twice the order, so one subtraction reduces it.
    return BN_bin2bn(digest, 32, shared->x)
        && (BN_cmp(shared->x, shared->order) < 0 || BN_usub(shared->x, shared->x, shared->order))
        && BN_mod_mul_montgomery(shared->u1, shared->x, inverse, shared->by_order, shared->numbers)
        && BN_mod_mul_montgomery(shared->u2, r, inverse, shared->by_order, shared->numbers)
        && EC_POINT_mul(shared->group, shared->of_generator, shared->u1, NULL, NULL, shared->numbers)
        && EC_POINT_mul(key->group, shared->of_key, shared->u2, NULL, NULL, shared->numbers)
        && EC_POINT_add(shared->group, shared->of_key, shared->of_generator, shared->of_key, shared->numbers)
        && has_x(shared, shared->of_key, r);
}

static void verify_batch(
    receiptmill_p256 *shared, const receiptmill_p256_key *key,
    const receiptmill_p256_signature *signatures, size_t count, uint8_t *holds) {
    size_t taken[BATCH];
    size_t last = 0;
    for (size_t index = 0; index < count; index++) {
        holds[index] = 0;
        BIGNUM *r = shared->r[last], *s = shared->s[last];
        if (!BN_bin2bn(signatures[index].r, 32, r) || !BN_bin2bn(signatures[index].s, 32, s)) return;
        if (!is_in_range(shared, r) || !is_in_range(shared, s)) continue;
        if (!BN_to_montgomery(s, s, shared->by_order, shared->numbers)) return;
        BIGNUM *product = shared->product[last];
        if (last == 0 ? !BN_copy(product, s)
                      : !BN_mod_mul_montgomery(product, shared->product[last - 1], s, shared->by_order, shared->numbers))
            return;
        taken[last++] = index;
    }
    if (last == 0) return;
    BIGNUM *inverse = shared->inverse;
    if (!BN_from_montgomery(inverse, shared->product[last - 1], shared->by_order, shared->numbers)
        || !BN_mod_inverse(inverse, inverse, shared->order, shared->numbers)
        || !BN_to_montgomery(inverse, inverse, shared->by_order, shared->numbers))
        return;
    // The loop runs from the last signature to the first: the inverse of a product, times the
    // product of all former factors, is the inverse of its last factor.
    while (last-- > 0) {
        BIGNUM *own = inverse;
        if (last > 0) {
            own = shared->product[last];
            if (!BN_mod_mul_montgomery(own, inverse, shared->product[last - 1], shared->by_order, shared->numbers)
                || !BN_mod_mul_montgomery(inverse, inverse, shared->s[last], shared->by_order, shared->numbers))
                return;
        }
        const uint8_t *digest = signatures[taken[last]].digest;
        holds[taken[last]] = (uint8_t)verify_one(shared, key, digest, shared->r[last], own);
    }
}

void receiptmill_p256_verify(
    receiptmill_p256 *shared, const receiptmill_p256_key *key,
    const receiptmill_p256_signature *signatures, size_t count, uint8_t *holds) {
    memset(holds, 0, count);
    for (size_t start = 0; start < count; start += BATCH) {
        size_t part = count - start < BATCH ? count - start : BATCH;
        verify_batch(shared, key, signatures + start, part, holds + start);
    }
    ERR_clear_error();
}

#endif
