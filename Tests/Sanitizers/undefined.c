// Runs the targets that are C under the sanitizers for undefined behaviour and for
// addresses: see `make test-ubsan`. Bytes that are read stand in memory of exactly
// their size. Expected values are OpenSSL's and SQLite's, or what was put.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "base64.h"
#include "p256.h"
#include "row_buffer.h"

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/rand.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REQUIRE(condition)                                              \
    do {                                                                \
        if (!(condition)) {                                             \
            fprintf(stderr, "line %d: not %s\n", __LINE__, #condition); \
            exit(1);                                                    \
        }                                                               \
    } while (0)

static uint64_t state = 1;

static uint32_t next_random(uint32_t bound) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % bound;
}

/// A copy at an address of any alignment, with nothing behind it.
static uint8_t *copied(const void *bytes, size_t count, uint8_t **block) {
    size_t lead = next_random(8);
    *block = malloc(lead + count ? lead + count : 1);
    if (count) memcpy(*block + lead, bytes, count);
    return *block + lead;
}

static void decode_base64(void) {
    uint8_t bytes[300], *text_block, *output;
    char text[512];
    for (int round = 0; round < 20000; round++) {
        size_t count = next_random(sizeof bytes);
        RAND_bytes(bytes, (int)count);
        int length = EVP_EncodeBlock((uint8_t *)text, bytes, (int)count);
        int is_mutated = round % 3 == 0 && length > 0;
        if (is_mutated) text[next_random((uint32_t)length)] = (char)next_random(256);
        const uint8_t *read = copied(text, (size_t)length, &text_block);
        output = malloc(receiptmill_base64_capacity((size_t)length));
        ptrdiff_t found = receiptmill_base64_decode(read, (size_t)length, output);
        REQUIRE(is_mutated || (found == (ptrdiff_t)count && memcmp(output, bytes, count) == 0));
        REQUIRE(receiptmill_base64_decode_portable(read, (size_t)length, output) == found);
        receiptmill_base64url_decode(read, (size_t)length, output);
        free(text_block);
        while (length > 0 && text[length - 1] == '=') length--;
        for (int index = 0; index < length; index++) {
            if (text[index] == '+') text[index] = '-';
            if (text[index] == '/') text[index] = '_';
        }
        read = copied(text, (size_t)length, &text_block);
        found = receiptmill_base64url_decode(read, (size_t)length, output);
        REQUIRE(is_mutated || (found == (ptrdiff_t)count && memcmp(output, bytes, count) == 0));
        free(text_block);
        free(output);
    }
}

static void verify_signatures(void) {
    receiptmill_p256 *shared = receiptmill_p256_new();
    if (!shared) {
        puts("!! OpenSSL lacks the calls: CP256 is NOT TESTED !!");
        return;
    }
    EC_KEY *key = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1);
    uint8_t point[65];
    REQUIRE(EC_KEY_generate_key(key) == 1);
    const EC_GROUP *group = EC_KEY_get0_group(key);
    REQUIRE(
        EC_POINT_point2oct(
            group, EC_KEY_get0_public_key(key), POINT_CONVERSION_UNCOMPRESSED, point, sizeof point, NULL)
        == sizeof point);
    receiptmill_p256_key *tables = receiptmill_p256_key_new(shared, point);
    REQUIRE(tables);
    enum { MOST = 200 };
    for (size_t count = 0; count <= MOST; count += count < 70 ? 7 : 65) {
        receiptmill_p256_signature *signatures = malloc(count ? count * sizeof *signatures : 1);
        uint8_t *holds = malloc(count ? count : 1), wanted[MOST];
        for (size_t index = 0; index < count; index++) {
            receiptmill_p256_signature *one = &signatures[index];
            RAND_bytes(one->digest, sizeof one->digest);
            ECDSA_SIG *made = ECDSA_do_sign(one->digest, sizeof one->digest, key);
            REQUIRE(made);
            BN_bn2binpad(ECDSA_SIG_get0_r(made), one->r, sizeof one->r);
            BN_bn2binpad(ECDSA_SIG_get0_s(made), one->s, sizeof one->s);
            ECDSA_SIG_free(made);
            wanted[index] = 0;
            switch (next_random(6)) {
            case 0: one->r[next_random(32)] ^= 1; break;
            case 1: one->digest[next_random(32)] ^= 128; break;
            case 2: memset(one->s, 0, sizeof one->s); break;
            case 3: memset(one->r, 255, sizeof one->r); break;
            default: wanted[index] = 1;
            }
        }
        receiptmill_p256_verify(shared, tables, signatures, count, holds);
        REQUIRE(memcmp(holds, wanted, count) == 0);
        free(signatures);
        free(holds);
    }
    point[64] ^= 1;
    REQUIRE(!receiptmill_p256_key_new(shared, point));
    receiptmill_p256_key_free(tables);
    receiptmill_p256_free(shared);
    EC_KEY_free(key);
}

/// The first seven bytes as a number, of a blob of so many bytes 0xff.
static int64_t blob_key(int count) {
    int64_t key = 0;
    for (int index = 0; index < 7; index++) key = key * 256 + (index < count ? 255 : 0);
    return key;
}

/// How many bytes hold an integer with its sign; none for 0.
static int integer_size(int64_t number) {
    if (number == 0) return 0;
    for (int size = 1; size < 8; size++) {
        int64_t half = (int64_t)1 << (8 * size - 1);
        if (-half <= number && number < half) return size;
    }
    return 8;
}

static void select_rows(void) {
    // A row for each: an integer of every size, its text and a blob.
    static const int64_t numbers[] = {
        0, 1, -1, 127, 128, -128, -129, 32767, 32768, 8388607, -8388609, INT32_MAX, INT32_MIN, 1LL << 39, -(1LL << 47),
        1LL << 55, -(1LL << 55) - 1, INT64_MAX, INT64_MIN,
    };
    enum { COUNT = sizeof numbers / sizeof *numbers };
    uint8_t bytes[COUNT * 64], *block;
    uint32_t starts[COUNT], at = 0;
    int32_t order[COUNT];
    for (int row = 0; row < COUNT; row++) {
        starts[row] = at;
        order[row] = COUNT - 1 - row;
        int size = integer_size(numbers[row]);
        bytes[at++] = (uint8_t)(receiptmill_integer + size);
        for (int index = 0; index < size; index++) bytes[at++] = (uint8_t)((uint64_t)numbers[row] >> (8 * index));
        char text[24];
        uint32_t length = (uint32_t)snprintf(text, sizeof text, "%lld", (long long)numbers[row]);
        if (row == 1) {
            bytes[at++] = receiptmill_null;
        } else {
            bytes[at++] = receiptmill_text;
            for (int index = 0; index < 4; index++) bytes[at++] = (uint8_t)(length >> (8 * index));
            memcpy(bytes + at, text, length);
            at += length;
        }
        bytes[at++] = receiptmill_blob;
        for (int index = 0; index < 4; index++) bytes[at++] = index == 0 ? (uint8_t)(row % 9) : 0;
        for (int index = 0; index < row % 9; index++) bytes[at++] = 0xff;
    }
    struct receiptmill_rows rows = {
        .bytes = copied(bytes, at, &block), .byte_count = at, .starts = starts, .row_count = COUNT, .column_count = 3};
    sqlite3 *database;
    sqlite3_stmt *statement;
    REQUIRE(sqlite3_open(":memory:", &database) == SQLITE_OK);
    REQUIRE(receiptmill_register_rows(database) == SQLITE_OK);
    REQUIRE(
        sqlite3_prepare_v2(
            database, "SELECT c0, c1, c2, c0 = coalesce(CAST(c1 AS INTEGER), 1), c31 FROM row_buffer(?)", -1,
            &statement, NULL)
        == SQLITE_OK);
    for (int is_ordered = 0; is_ordered < 2; is_ordered++) {
        rows.order = is_ordered ? order : NULL;
        REQUIRE(receiptmill_bind_rows(statement, 1, &rows) == SQLITE_OK);
        for (int index = 0; index < COUNT; index++) {
            int row = is_ordered ? order[index] : index;
            REQUIRE(sqlite3_step(statement) == SQLITE_ROW);
            REQUIRE(sqlite3_column_int64(statement, 0) == numbers[row]);
            REQUIRE(sqlite3_column_bytes(statement, 2) == row % 9);
            REQUIRE(sqlite3_column_int(statement, 3) == 1);
            REQUIRE(sqlite3_column_type(statement, 4) == SQLITE_NULL);
        }
        REQUIRE(sqlite3_step(statement) == SQLITE_DONE);
        sqlite3_reset(statement);
    }
    int64_t size = 0;
    for (int row = 0; row < COUNT; row++) {
        size += receiptmill_row_size(&rows, row);
        REQUIRE(receiptmill_row_key(&rows, row, 0) == numbers[row]);
        REQUIRE(receiptmill_row_key(&rows, row, 2) == blob_key(row % 9));
        receiptmill_row_key(&rows, row, 1);
    }
    REQUIRE(size == at);
    sqlite3_finalize(statement);
    sqlite3_close(database);
    free(block);
}

int main(void) {
    decode_base64();
    verify_signatures();
    select_rows();
    puts("no undefined behaviour in CBase64, CP256 and CRowBuffer");
}
