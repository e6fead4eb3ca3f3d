// What Apple's Receipt Validation Programming Guide ("Validating Receipts
// Locally") leads to in C: OpenSSL's PKCS7 interface with a store that holds the
// root, attributes walked with ASN1_get_object, the hash of the device computed.
// Added for archives: zlib, SQLite, and certificates judged at the receipt's
// creation date.
//
//     guide ARCHIVE ROOT.pem DATABASE SCHEMA.sql
#define OPENSSL_SUPPRESS_DEPRECATED
#include <ctype.h>
#include <openssl/asn1.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/pkcs7.h>
#include <openssl/x509_vfy.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { LONGEST_LINE = 16 << 20, RECEIPTS_PER_TRANSACTION = 1000 };

typedef struct {
    const unsigned char *bytes;
    long length;
} Bytes;

typedef struct {
    Bytes product, transaction, original_transaction;
    Bytes purchased, originally_purchased, expires, cancelled;
    long long quantity, type, web_order_line_item, intro_offer;
} Purchase;

typedef struct {
    Bytes environment, bundle, bundle_as_stored, version, original_version;
    Bytes created, originally_purchased, opaque, hash;
    Purchase *purchases;
    size_t count, capacity;
} Receipt;

static void fail(const char *what, const char *detail) {
    fprintf(stderr, "guide: %s: %s\n", what, detail);
    exit(1);
}

// MARK: ASN.1

/// Takes the next element's content off the front of `rest`; false unless it
/// has this tag and a definite length within `rest`.
static int take(Bytes *rest, int wanted, Bytes *content) {
    const unsigned char *cursor = rest->bytes;
    int tag, class;
    long length;
    if (ASN1_get_object(&cursor, &length, &tag, &class, rest->length) & 0x81) return 0;
    if (tag != wanted || class != V_ASN1_UNIVERSAL) return 0;
    *content = (Bytes){cursor, length};
    rest->length -= cursor + length - rest->bytes;
    rest->bytes = cursor + length;
    return 1;
}

static int integer(Bytes content, long long *value) {
    if (content.length < 1 || content.length > 8) return 0;
    *value = content.bytes[0] & 0x80 ? -1 : 0;
    for (long i = 0; i < content.length; i++) *value = (long long)((unsigned long long)*value << 8 | content.bytes[i]);
    return 1;
}

static int take_integer(Bytes rest, long long *value) {
    Bytes content;
    return take(&rest, V_ASN1_INTEGER, &content) && integer(content, value);
}

/// ReceiptAttribute ::= SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }
static int take_attribute(Bytes *rest, long long *type, Bytes *value) {
    Bytes attribute, number;
    return take(rest, V_ASN1_SEQUENCE, &attribute) && take(&attribute, V_ASN1_INTEGER, &number)
        && integer(number, type) && take(&attribute, V_ASN1_INTEGER, &number)
        && take(&attribute, V_ASN1_OCTET_STRING, value);
}

static int parse_purchase(Bytes value, Purchase *purchase) {
    Bytes set;
    if (!take(&value, V_ASN1_SET, &set)) return 0;
    while (set.length > 0) {
        long long type;
        Bytes inner;
        int ok = 1;
        if (!take_attribute(&set, &type, &inner)) return 0;
        switch (type) {
        case 1701: ok = take_integer(inner, &purchase->quantity); break;
        case 1702: ok = take(&inner, V_ASN1_UTF8STRING, &purchase->product); break;
        case 1703: ok = take(&inner, V_ASN1_UTF8STRING, &purchase->transaction); break;
        case 1704: ok = take(&inner, V_ASN1_IA5STRING, &purchase->purchased); break;
        case 1705: ok = take(&inner, V_ASN1_UTF8STRING, &purchase->original_transaction); break;
        case 1706: ok = take(&inner, V_ASN1_IA5STRING, &purchase->originally_purchased); break;
        case 1707: ok = take_integer(inner, &purchase->type); break;
        case 1708: ok = take(&inner, V_ASN1_IA5STRING, &purchase->expires); break;
        case 1711: ok = take_integer(inner, &purchase->web_order_line_item); break;
        case 1712: ok = take(&inner, V_ASN1_IA5STRING, &purchase->cancelled); break;
        case 1719: ok = take_integer(inner, &purchase->intro_offer); break;
        }
        if (!ok) return 0;
    }
    return 1;
}

/// Payload ::= SET OF ReceiptAttribute
static int parse_receipt(Bytes payload, Receipt *receipt) {
    Bytes set;
    if (!take(&payload, V_ASN1_SET, &set)) return 0;
    while (set.length > 0) {
        long long type;
        Bytes value;
        int ok = 1;
        if (!take_attribute(&set, &type, &value)) return 0;
        switch (type) {
        case 0: ok = take(&value, V_ASN1_UTF8STRING, &receipt->environment); break;
        case 2:
            receipt->bundle_as_stored = value;
            ok = take(&value, V_ASN1_UTF8STRING, &receipt->bundle);
            break;
        case 3: ok = take(&value, V_ASN1_UTF8STRING, &receipt->version); break;
        case 4: receipt->opaque = value; break;
        case 5: receipt->hash = value; break;
        case 12: ok = take(&value, V_ASN1_IA5STRING, &receipt->created); break;
        case 17:
            if (receipt->count == receipt->capacity) {
                receipt->capacity = receipt->capacity ? receipt->capacity * 2 : 16;
                receipt->purchases = realloc(receipt->purchases, receipt->capacity * sizeof(Purchase));
                if (!receipt->purchases) fail("memory", "none left");
            }
            memset(&receipt->purchases[receipt->count], 0, sizeof(Purchase));
            ok = parse_purchase(value, &receipt->purchases[receipt->count++]);
            break;
        case 18: ok = take(&value, V_ASN1_IA5STRING, &receipt->originally_purchased); break;
        case 19: ok = take(&value, V_ASN1_UTF8STRING, &receipt->original_version); break;
        }
        if (!ok) return 0;
    }
    return 1;
}

// MARK: Verifying

static X509_STORE *store_with(const char *path) {
    BIO *file = BIO_new_file(path, "r");
    X509 *root = file ? PEM_read_bio_X509(file, NULL, NULL, NULL) : NULL;
    X509_STORE *store = X509_STORE_new();
    if (!root || !store || X509_STORE_add_cert(store, root) != 1) fail(path, "no certificate");
    X509_free(root);
    BIO_free(file);
    return store;
}

static int set_time(X509_STORE *store, Bytes date) {
    char digits[40];
    struct tm parts;
    if (date.length < 20 || date.length >= (long)sizeof digits) return 0;
    memcpy(digits, date.bytes, date.length);
    digits[date.length] = 0;
    memset(&parts, 0, sizeof parts);
    if (!strptime(digits, "%Y-%m-%dT%H:%M:%S", &parts)) return 0;
    X509_VERIFY_PARAM_set_time(X509_STORE_get0_param(store), timegm(&parts));
    return 1;
}

/// SHA-1(device ‖ attribute 4 ‖ attribute 2) equals attribute 5.
static int device_matches(const char *device, const Receipt *receipt) {
    unsigned char identifier[16], digest[EVP_MAX_MD_SIZE];
    unsigned int digits = 0, length = 0;
    for (; *device; device++) {
        if (!isxdigit((unsigned char)*device)) continue;
        if (digits == 2 * sizeof identifier) return 0;
        unsigned char digit = isdigit((unsigned char)*device) ? *device - '0' : (*device | 0x20) - 'a' + 10;
        identifier[digits / 2] = digits % 2 ? identifier[digits / 2] << 4 | digit : digit;
        digits++;
    }
    if (digits != 32 && digits != 12) return 0;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    EVP_DigestInit_ex(context, EVP_sha1(), NULL);
    EVP_DigestUpdate(context, identifier, digits / 2);
    EVP_DigestUpdate(context, receipt->opaque.bytes, receipt->opaque.length);
    EVP_DigestUpdate(context, receipt->bundle_as_stored.bytes, receipt->bundle_as_stored.length);
    EVP_DigestFinal_ex(context, digest, &length);
    EVP_MD_CTX_free(context);
    return receipt->hash.length == (long)length && memcmp(digest, receipt->hash.bytes, length) == 0;
}

// MARK: SQLite

static sqlite3 *database;

typedef struct {
    sqlite3_stmt *receipt, *purchase;
} Inserts;

static void run(const char *sql) {
    if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK) fail("SQLite", sqlite3_errmsg(database));
}

static sqlite3_stmt *prepare(const char *sql) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK) fail("SQLite", sqlite3_errmsg(database));
    return statement;
}

static void bind(sqlite3_stmt *statement, int index, Bytes text) {
    if (text.length) sqlite3_bind_text(statement, index, (const char *)text.bytes, text.length, SQLITE_STATIC);
    else sqlite3_bind_null(statement, index);
}

static void finish(sqlite3_stmt *statement) {
    if (sqlite3_step(statement) != SQLITE_DONE) fail("SQLite", sqlite3_errmsg(database));
    sqlite3_reset(statement);
}

static void insert_purchases(sqlite3_stmt *statement, const Receipt *receipt) {
    for (size_t i = 0; i < receipt->count; i++) {
        const Purchase *purchase = &receipt->purchases[i];
        bind(statement, 1, receipt->environment);
        bind(statement, 2, receipt->bundle);
        bind(statement, 3, purchase->transaction);
        bind(statement, 4, purchase->original_transaction);
        bind(statement, 5, purchase->product);
        sqlite3_bind_int64(statement, 6, purchase->quantity);
        sqlite3_bind_int64(statement, 7, purchase->type);
        bind(statement, 8, purchase->purchased);
        bind(statement, 9, purchase->originally_purchased);
        bind(statement, 10, purchase->expires);
        bind(statement, 11, purchase->cancelled);
        sqlite3_bind_int64(statement, 12, purchase->web_order_line_item);
        sqlite3_bind_int64(statement, 13, purchase->intro_offer);
        bind(statement, 14, receipt->created);
        finish(statement);
    }
}

// MARK: Lines

/// Ends the value of a key within a line and returns it: enough of JSON for
/// archives whose values hold no escapes.
static char *value_of(char *line, const char *quoted_key) {
    char *key = strstr(line, quoted_key);
    if (!key) return NULL;
    char *value = key + strlen(quoted_key), *end = strchr(value, '"');
    return end ? value : NULL;
}

static long decode(const char *text, size_t length, unsigned char *bytes) {
    if (length < 4 || length % 4) return -1;
    int decoded = EVP_DecodeBlock(bytes, (const unsigned char *)text, length);
    return decoded < 0 ? -1 : decoded - (text[length - 1] == '=') - (text[length - 2] == '=');
}

/// Whether signature and chain hold. The caller frees `*container`, which the
/// receipt's bytes belong to.
static int verified(const unsigned char *der, long length, X509_STORE *store, PKCS7 **container, Receipt *receipt) {
    *container = d2i_PKCS7(NULL, &der, length);
    if (!*container || !PKCS7_type_is_signed(*container)) return 0;
    PKCS7 *contents = (*container)->d.sign->contents;
    if (!PKCS7_type_is_data(contents) || !contents->d.data) return 0;
    Bytes payload = {contents->d.data->data, contents->d.data->length};
    return parse_receipt(payload, receipt) && set_time(store, receipt->created)
        && PKCS7_verify(*container, NULL, store, NULL, NULL, 0) == 1;
}

/// Verifies one line's receipt and stores what it tells; false if it does not hold.
static int load(char *line, long number, unsigned char *der, X509_STORE *store, Receipt *receipt, Inserts inserts) {
    char *fields[4] = {
        value_of(line, "\"receipt\":\""), value_of(line, "\"device_id\":\""),
        value_of(line, "\"user_id\":\""), value_of(line, "\"received_at\":\""),
    };
    for (int i = 0; i < 4; i++) {
        if (!fields[i]) fail("archive", "a line is not of the form that this program reads");
        *strchr(fields[i], '"') = 0;
    }
    long length = decode(fields[0], strlen(fields[0]), der);
    PKCS7 *container = NULL;
    *receipt = (Receipt){.purchases = receipt->purchases, .capacity = receipt->capacity};
    int accepted = length > 0 && verified(der, length, store, &container, receipt);
    if (accepted) {
        sqlite3_bind_int64(inserts.receipt, 1, number);
        for (int i = 1; i < 4; i++) sqlite3_bind_text(inserts.receipt, 1 + i, fields[i], -1, SQLITE_STATIC);
        sqlite3_bind_int(inserts.receipt, 5, device_matches(fields[1], receipt));
        bind(inserts.receipt, 6, receipt->environment);
        bind(inserts.receipt, 7, receipt->bundle);
        bind(inserts.receipt, 8, receipt->version);
        bind(inserts.receipt, 9, receipt->original_version);
        bind(inserts.receipt, 10, receipt->originally_purchased);
        bind(inserts.receipt, 11, receipt->created);
        finish(inserts.receipt);
        insert_purchases(inserts.purchase, receipt);
    }
    PKCS7_free(container);
    return accepted;
}

static void create_tables(const char *path) {
    char schema[8192];
    FILE *file = fopen(path, "r");
    size_t length = file ? fread(schema, 1, sizeof schema - 1, file) : 0;
    if (!length || !feof(file)) fail(path, "can't be read");
    fclose(file);
    schema[length] = 0;
    run(schema);
}

int main(int argc, char **argv) {
    if (argc != 5) fail("usage", "guide ARCHIVE ROOT.pem DATABASE SCHEMA.sql");
    gzFile archive = gzopen(argv[1], "rb");
    if (!archive) fail(argv[1], "can't be opened");
    gzbuffer(archive, 1 << 17);
    X509_STORE *store = store_with(argv[2]);
    if (sqlite3_open(argv[3], &database) != SQLITE_OK) fail(argv[3], sqlite3_errmsg(database));
    create_tables(argv[4]);
    Inserts inserts = {
        prepare("INSERT INTO receipt VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
        prepare("INSERT INTO purchase VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT DO UPDATE SET expires_date = excluded.expires_date,"
                " cancellation_date = excluded.cancellation_date,"
                " receipt_creation_date = excluded.receipt_creation_date"
                " WHERE excluded.receipt_creation_date > receipt_creation_date"),
    };

    char *line = malloc(LONGEST_LINE);
    unsigned char *der = malloc(LONGEST_LINE);
    if (!line || !der) fail("memory", "none left");
    Receipt receipt = {0};
    long number = 0, accepted = 0;
    run("BEGIN");
    while (gzgets(archive, line, LONGEST_LINE)) {
        if (!strchr(line, '\n')) fail(argv[1], "a line is cut off, or too long");
        accepted += load(line, ++number, der, store, &receipt, inserts);
        if (number % RECEIPTS_PER_TRANSACTION == 0) run("COMMIT; BEGIN");
    }
    // A damaged file ends early, with an error; one that is cut short is told on closing.
    int error;
    gzerror(archive, &error);
    if (error != Z_OK || gzclose(archive) != Z_OK) fail(argv[1], "damaged");
    run("COMMIT");
    sqlite3_finalize(inserts.receipt);
    sqlite3_finalize(inserts.purchase);
    sqlite3_close(database);
    printf("%ld lines, %ld receipts verified\n", number, accepted);
    return 0;
}
