/* libreceiptmill: verdicts on App Store receipts and signed data of StoreKit 2.
 *
 * receiptmill_judge tells you whether to act on a document, receiptmill_verify who signed it. Neither uses the network or
 * a file. Only receiptmill_judge reads the clock, and only if no time is given. docs/trust.md lists the verdicts.
 *
 * Threads. The library keeps no state of its own: all there is belongs to a verifier. Any number of threads may use one
 * verifier at once, without waiting for each other. Documents don't change, so that any number of threads may read one.
 * receiptmill_verifier_free and receiptmill_document_free must come after all other calls with their argument.
 *
 * Memory. A verifier, a document and a JSON text belong to the caller, who frees each by the function that is named
 * beside it; freeing NULL does nothing. What receiptmill_text and receiptmill_purchase_text return belongs to the
 * document, and is valid until the document is freed. Arguments are read during the call alone.
 *
 * Errors. A function that can fail returns a status, and then leaves its results untouched. A forged or unreadable
 * document is no error: its verdict says so.
 */
#ifndef RECEIPTMILL_H
#define RECEIPTMILL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A minor version adds functions and values; a major version may change them. */
#define RECEIPTMILL_API_MAJOR 1
#define RECEIPTMILL_API_MINOR 1

typedef enum receiptmill_status {
    RECEIPTMILL_OK = 0,
    /* An argument that must not be NULL is NULL, or a struct states an unknown size. */
    RECEIPTMILL_INVALID_ARGUMENT = 1,
    /* The text of anchors or intermediates can't be read, or names none. */
    RECEIPTMILL_INVALID_CERTIFICATES = 2,
    /* Apple's roots are never trusted without markers. */
    RECEIPTMILL_MARKERS_REQUIRED = 3,
    /* OpenSSL failed, as where memory ran out; the document is not at fault. */
    RECEIPTMILL_CRYPTO_FAILED = 4,
    /* The Arrow array is of none of the types utf8, large_utf8, binary and large_binary, or is inconsistent. */
    RECEIPTMILL_UNSUPPORTED_ARRAY = 5,
    /* The expectation names no bundle, or no environment that is known. */
    RECEIPTMILL_INVALID_EXPECTATION = 6
} receiptmill_status;

/* What a status means, in English; static text. */
const char *receiptmill_status_text(receiptmill_status status);

/* ---- Verifiers ---- */

typedef struct receiptmill_verifier receiptmill_verifier;

/* Texts of options end with a zero byte. Set size to sizeof(receiptmill_options), and what is not needed to NULL. */
typedef struct receiptmill_options {
    size_t size;
    /* The anchors: the words "apple" and "sha256:HEX", separated by white space, then certificates in PEM. They replace
     * the default, which is "apple". */
    const char *trust;
    /* Further anchors, of a test store of your own, below which signers need not bear Apple's markers. Whoever holds the
     * key of a certificate below one can sign documents that are trusted. */
    const char *trust_without_markers;
    /* Certificates in PEM that receipts of iOS 6 and before need and don't carry. None is trusted for being given. */
    const char *intermediates;
} receiptmill_options;

/* Makes a verifier; options may be NULL. Keep it: it remembers the chains that it verified.
 * Free *verifier by receiptmill_verifier_free. */
receiptmill_status receiptmill_verifier_new(const receiptmill_options *options, receiptmill_verifier **verifier);

void receiptmill_verifier_free(receiptmill_verifier *verifier);

/* ---- Documents ---- */

typedef struct receiptmill_document receiptmill_document;

typedef enum receiptmill_verdict {
    /* The document can't be read; RECEIPTMILL_REJECTION and RECEIPTMILL_DETAIL say why. */
    RECEIPTMILL_UNREADABLE = 0,
    /* The store signed the document. Every statement of a document with another verdict is a claim. */
    RECEIPTMILL_TRUSTED = 1,
    RECEIPTMILL_UNTRUSTED_ROOT = 2,
    RECEIPTMILL_BROKEN_CHAIN = 3,
    RECEIPTMILL_WRONG_PURPOSE = 4,
    RECEIPTMILL_NOT_VALID_AT_CREATION = 5,
    RECEIPTMILL_BAD_SIGNATURE = 6,
    RECEIPTMILL_UNSUPPORTED_ALGORITHM = 7
} receiptmill_verdict;

/* Fields of a document. Texts are UTF-8, times are milliseconds since 1970 UTC. */
typedef enum receiptmill_field {
    RECEIPTMILL_VERDICT = 0,                 /* text: the word of the verdict, or "unreadable" */
    RECEIPTMILL_KIND = 1,                    /* text: app_receipt, transaction_receipt, signed_transaction,
                                              * signed_renewal, app_transaction, notification, realtime_request */
    RECEIPTMILL_DETAIL = 2,                  /* text: why the document is not trusted, or not readable */
    RECEIPTMILL_REJECTION = 3,               /* text: the code of why it, or a document inside, is not readable */
    RECEIPTMILL_SHA256 = 4,                  /* text: hexadecimal digest of the document */
    RECEIPTMILL_ENVIRONMENT = 5,             /* text: Production, ProductionSandbox for the sandbox, and others */
    RECEIPTMILL_BUNDLE_ID = 6,               /* text */
    RECEIPTMILL_CREATED_AT = 7,              /* time: when the document was signed */
    /* Of a document about one transaction; of a notification, those of the trusted transaction or renewal inside. */
    RECEIPTMILL_TRANSACTION_ID = 8,          /* text */
    RECEIPTMILL_ORIGINAL_TRANSACTION_ID = 9, /* text */
    RECEIPTMILL_PRODUCT_ID = 10,             /* text */
    RECEIPTMILL_PURCHASE_COUNT = 11          /* integer: purchases of the document and of those inside */
} receiptmill_field;

/* Fields of a purchase. */
typedef enum receiptmill_purchase_field {
    RECEIPTMILL_PURCHASE_VERDICT = 0, /* text: the verdict on the document that states the purchase, which may stand
                                       * inside of a notification */
    RECEIPTMILL_PURCHASE_TRANSACTION_ID = 1,          /* text */
    RECEIPTMILL_PURCHASE_ORIGINAL_TRANSACTION_ID = 2, /* text */
    RECEIPTMILL_PURCHASE_PRODUCT_ID = 3,              /* text */
    RECEIPTMILL_PURCHASE_PRODUCT_TYPE = 4, /* integer: 0 non-consumable, 1 consumable, 2 non-renewing subscription,
                                            * 3 auto-renewable subscription, -1 unknown */
    RECEIPTMILL_PURCHASE_QUANTITY = 5,                /* integer */
    RECEIPTMILL_PURCHASE_DATE = 6,                    /* time */
    RECEIPTMILL_PURCHASE_ORIGINAL_DATE = 7,           /* time */
    RECEIPTMILL_PURCHASE_EXPIRES_DATE = 8,            /* time */
    RECEIPTMILL_PURCHASE_CANCELLATION_DATE = 9,       /* time: refunded or revoked */
    RECEIPTMILL_PURCHASE_IS_TRIAL_PERIOD = 10,        /* integer: 0 or 1 */
    RECEIPTMILL_PURCHASE_IS_IN_INTRO_OFFER_PERIOD = 11, /* integer: 0 or 1 */
    RECEIPTMILL_PURCHASE_PROMOTIONAL_OFFER_ID = 12,   /* text */
    RECEIPTMILL_PURCHASE_WEB_ORDER_LINE_ITEM_ID = 13, /* integer */
    RECEIPTMILL_PURCHASE_PRICE_MILLIUNITS = 14,       /* integer: thousandths of the currency's unit */
    RECEIPTMILL_PURCHASE_CURRENCY = 15                /* text */
} receiptmill_purchase_field;

/* Verifies a document: a signed string (JWS), base64 of a receipt, or a receipt's bytes. White space may stand around.
 * Free *document by receiptmill_document_free. */
receiptmill_status receiptmill_verify(
    const receiptmill_verifier *verifier, const void *bytes, size_t count, receiptmill_document **document);

void receiptmill_document_free(receiptmill_document *document);

receiptmill_verdict receiptmill_document_verdict(const receiptmill_document *document);

/* A text of a document, and its length in *count. NO zero byte follows, and zero bytes may stand in it. NULL where the
 * document states none, and for a field or a purchase that does not exist. */
const char *receiptmill_text(const receiptmill_document *document, receiptmill_field field, size_t *count);

/* A number or time of a document. Returns 0, and leaves *value, where the document states none. */
int receiptmill_integer(const receiptmill_document *document, receiptmill_field field, int64_t *value);

/* The same for the purchase at an index, from 0 and less than RECEIPTMILL_PURCHASE_COUNT. */
const char *receiptmill_purchase_text(
    const receiptmill_document *document, size_t purchase, receiptmill_purchase_field field, size_t *count);
int receiptmill_purchase_integer(
    const receiptmill_document *document, size_t purchase, receiptmill_purchase_field field, int64_t *value);

/* ---- Documents that a service may act on ---- */

/* Texts end with a zero byte. Set size to sizeof(receiptmill_expectation), and optional members to NULL if unused. */
typedef struct receiptmill_expectation {
    size_t size;
    /* The app's bundle identifier. */
    const char *bundle;
    /* "production" or "sandbox"; TestFlight's purchases are in the sandbox. */
    const char *environment;
    /* The device that presents the document: identifierForVendor or a Mac's MAC address for a receipt,
     * AppStore.deviceVerificationID for signed data. NULL accepts documents of all devices. */
    const char *device;
    /* The time at which purchases must give a right to their products, in milliseconds since 1970 UTC; NULL for now. */
    const int64_t *at;
} receiptmill_expectation;

/* Verifies a document, and judges it by the three steps of the command `receiptmill verify`: signature and chain; app and
 * device; purchases. Free *document by receiptmill_document_free. */
receiptmill_status receiptmill_judge(
    const receiptmill_verifier *verifier, const void *bytes, size_t count, const receiptmill_expectation *expectation,
    receiptmill_document **document);

/* 1 if the App Store signed the document, it is as expected, and its purchase gives a right to the product; else 0. Always
 * 0 for a document of receiptmill_verify. An app receipt or a notification may be accepted without such a purchase: call
 * receiptmill_purchase_in_force for each purchase. */
int receiptmill_accepted(const receiptmill_document *document);

/* Why the document is refused: the number of reasons, 0 if it is accepted; and each reason, as by receiptmill_text. */
size_t receiptmill_reason_count(const receiptmill_document *document);
const char *receiptmill_reason(const receiptmill_document *document, size_t reason, size_t *count);

/* 1 if the document is accepted and the purchase at an index is not refunded, revoked, expired or upgraded; else 0. */
int receiptmill_purchase_in_force(const receiptmill_document *document, size_t purchase);

/* All fields of the document as one line of JSON (docs/decode-format.md), which ends with a zero byte. Returns NULL where
 * memory ran out. Free it by receiptmill_json_free. */
char *receiptmill_json(const receiptmill_document *document);

void receiptmill_json_free(char *json);

/* ---- Many documents: Arrow's C data interface ---- */

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif

/* Verifies each document of an array of utf8, large_utf8, binary or large_binary, whose bytes are not copied.
 *
 * The library takes documents and documents_schema over, and releases both, whatever the status. *verdicts becomes a
 * struct array as long as documents, with a child for each receiptmill_field, named in lower case without the prefix, in
 * order: texts as large_utf8, integers as int64, times as timestamp[ms, UTC]; and last the child purchases, a large_list
 * of structs with a child for each receiptmill_purchase_field. The verdict of a null is null. Both results belong to the
 * caller, who releases them as Arrow says. */
receiptmill_status receiptmill_verify_arrow(
    const receiptmill_verifier *verifier, struct ArrowArray *documents, struct ArrowSchema *documents_schema,
    struct ArrowArray *verdicts, struct ArrowSchema *verdicts_schema);

#ifdef __cplusplus
}
#endif

#endif
