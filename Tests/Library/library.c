/* Holds libreceiptmill to its header: each argument is a file that holds a document, of which it prints
 * `verdict kind sha256`. Before, what needs no document is tested. Ends with 1 at the first thing that is not as stated. */
#define _GNU_SOURCE
#include "receiptmill.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#define CHECK(condition)                                                        \
    do {                                                                        \
        if (!(condition)) {                                                     \
            fprintf(stderr, "library.c:%d: not so: %s\n", __LINE__, #condition); \
            exit(1);                                                            \
        }                                                                       \
    } while (0)

enum { threads = 4, rounds = 20, most_files = 256 };

static struct {
    char *bytes;
    size_t count;
    receiptmill_verdict verdict;
} files[most_files];
static size_t file_count;
static receiptmill_verifier *verifier;

static void test_errors(void) {
    receiptmill_verifier *other = NULL;
    receiptmill_document *document = NULL;
    receiptmill_options options = {.size = sizeof options, .trust = "nobody"};
    CHECK(receiptmill_verifier_new(NULL, NULL) == RECEIPTMILL_INVALID_ARGUMENT);
    CHECK(receiptmill_verifier_new(&options, &other) == RECEIPTMILL_INVALID_CERTIFICATES && other == NULL);
    options.trust = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    CHECK(receiptmill_verifier_new(&options, &other) == RECEIPTMILL_INVALID_CERTIFICATES && other == NULL);
    options.trust = " ";
    CHECK(receiptmill_verifier_new(&options, &other) == RECEIPTMILL_INVALID_CERTIFICATES && other == NULL);
    options.trust = NULL;
    options.trust_without_markers = "apple";
    CHECK(receiptmill_verifier_new(&options, &other) == RECEIPTMILL_MARKERS_REQUIRED && other == NULL);
    options.trust_without_markers = NULL;
    options.intermediates = "none";
    CHECK(receiptmill_verifier_new(&options, &other) == RECEIPTMILL_INVALID_CERTIFICATES && other == NULL);
    options.size = 3;
    CHECK(receiptmill_verifier_new(&options, &other) == RECEIPTMILL_INVALID_ARGUMENT && other == NULL);
    CHECK(receiptmill_verify(NULL, "", 0, &document) == RECEIPTMILL_INVALID_ARGUMENT && document == NULL);
    CHECK(receiptmill_verify(verifier, NULL, 1, &document) == RECEIPTMILL_INVALID_ARGUMENT && document == NULL);
    CHECK(receiptmill_verify(verifier, "", 0, NULL) == RECEIPTMILL_INVALID_ARGUMENT);
    int64_t moment = 0;
    receiptmill_expectation expected = {.size = sizeof expected, .bundle = "a", .environment = "production", .at = &moment};
    CHECK(receiptmill_judge(verifier, "", 0, NULL, &document) == RECEIPTMILL_INVALID_ARGUMENT && document == NULL);
    CHECK(receiptmill_judge(NULL, "", 0, &expected, &document) == RECEIPTMILL_INVALID_ARGUMENT && document == NULL);
    CHECK(receiptmill_judge(verifier, NULL, 1, &expected, &document) == RECEIPTMILL_INVALID_ARGUMENT);
    expected.size = 3;
    CHECK(receiptmill_judge(verifier, "", 0, &expected, &document) == RECEIPTMILL_INVALID_ARGUMENT && document == NULL);
    expected.size = sizeof expected;
    const char *environments[] = {NULL, "", "Production", "productions", "any"};
    for (int index = 0; index < 5; index++) {
        expected.environment = environments[index];
        CHECK(receiptmill_judge(verifier, "", 0, &expected, &document) == RECEIPTMILL_INVALID_EXPECTATION && !document);
    }
    expected.environment = "sandbox";
    for (int index = 0; index < 2; index++) {
        expected.bundle = index ? "" : NULL;
        CHECK(receiptmill_judge(verifier, "", 0, &expected, &document) == RECEIPTMILL_INVALID_EXPECTATION && !document);
    }
    CHECK(!receiptmill_accepted(NULL) && !receiptmill_reason_count(NULL) && !receiptmill_purchase_in_force(NULL, 0));
    for (int status = 0; status < 8; status++) CHECK(strlen(receiptmill_status_text((receiptmill_status)status)) > 4);
    receiptmill_verifier_free(NULL);
    receiptmill_document_free(NULL);
    receiptmill_json_free(NULL);
}

static void test_unreadable(void) {
    const char *texts[] = {"", " \n", "!", "a.b.c", "AAAA", "{", "MIIB", "0\x82"};
    for (size_t index = 0; index < sizeof texts / sizeof *texts; index++) {
        receiptmill_document *document = NULL;
        size_t count = 0;
        int64_t number = 7;
        CHECK(receiptmill_verify(verifier, texts[index], strlen(texts[index]), &document) == RECEIPTMILL_OK);
        CHECK(receiptmill_document_verdict(document) == RECEIPTMILL_UNREADABLE);
        CHECK(!strncmp(receiptmill_text(document, RECEIPTMILL_VERDICT, &count), "unreadable", 10) && count == 10);
        CHECK(receiptmill_text(document, RECEIPTMILL_REJECTION, &count) && count > 0);
        CHECK(receiptmill_text(document, RECEIPTMILL_DETAIL, NULL));
        CHECK(!receiptmill_text(document, RECEIPTMILL_KIND, &count));
        CHECK(!receiptmill_text(document, (receiptmill_field)99, &count));
        CHECK(!receiptmill_integer(document, RECEIPTMILL_PURCHASE_COUNT, &number) && number == 7);
        CHECK(!receiptmill_purchase_text(document, 0, RECEIPTMILL_PURCHASE_VERDICT, &count));
        CHECK(!receiptmill_purchase_integer(document, (size_t)-1, RECEIPTMILL_PURCHASE_QUANTITY, &number));
        CHECK(!receiptmill_accepted(document) && !receiptmill_reason_count(document));
        receiptmill_document *judged = NULL;
        receiptmill_expectation expected = {.size = sizeof expected, .bundle = "a", .environment = "sandbox"};
        CHECK(receiptmill_judge(verifier, texts[index], strlen(texts[index]), &expected, &judged) == RECEIPTMILL_OK);
        CHECK(!receiptmill_accepted(judged) && receiptmill_reason_count(judged) == 1);
        CHECK(receiptmill_reason(judged, 0, &count) && count > 10 && !receiptmill_reason(judged, 1, &count));
        CHECK(!receiptmill_purchase_in_force(judged, 0) && !receiptmill_purchase_in_force(judged, (size_t)-1));
        receiptmill_document_free(judged);
        char *json = receiptmill_json(document);
        CHECK(strstr(json, "\"rejection\":{\"reason\":"));
        receiptmill_json_free(json);
        receiptmill_document_free(document);
    }
}

/* A document of 4 GiB or more is refused by its length. It is neither read nor copied, so this takes no memory. */
static void test_length(void) {
    size_t count = ((size_t)4 << 30) + 4096;
    char *bytes = mmap(NULL, count, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(bytes != MAP_FAILED);
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    receiptmill_document *document = NULL;
    CHECK(receiptmill_verify(verifier, bytes, count, &document) == RECEIPTMILL_OK);
    size_t length = 0;
    const char *word = receiptmill_text(document, RECEIPTMILL_REJECTION, &length);
    CHECK(length == 13 && !memcmp(word, "line_too_long", 13));
    receiptmill_document_free(document);
    getrusage(RUSAGE_SELF, &after);
    CHECK(after.ru_maxrss - before.ru_maxrss < 64 << 10);
    munmap(bytes, count);
}

static void read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    CHECK(file && file_count < most_files);
    char *bytes = malloc(1 << 20);
    size_t count = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    receiptmill_document *document = NULL;
    CHECK(receiptmill_verify(verifier, bytes, count, &document) == RECEIPTMILL_OK);
    receiptmill_field shown[] = {RECEIPTMILL_VERDICT, RECEIPTMILL_KIND, RECEIPTMILL_SHA256};
    for (int index = 0; index < 3; index++) {
        size_t length = 0;
        const char *text = receiptmill_text(document, shown[index], &length);
        printf("%.*s%c", (int)length, text ? text : "", index < 2 ? ' ' : '\n');
    }
    files[file_count].bytes = bytes;
    files[file_count].count = count;
    files[file_count++].verdict = receiptmill_document_verdict(document);
    receiptmill_document_free(document);
}

/* One verifier for several threads gives the verdicts that one thread was given. */
static void *verify_all(void *unused) {
    (void)unused;
    for (int round = 0; round < rounds; round++)
        for (size_t index = 0; index < file_count; index++) {
            receiptmill_document *document = NULL;
            CHECK(receiptmill_verify(verifier, files[index].bytes, files[index].count, &document) == RECEIPTMILL_OK);
            CHECK(receiptmill_document_verdict(document) == files[index].verdict);
            receiptmill_document_free(document);
        }
    return NULL;
}

static void test_threads(void) {
    pthread_t started[threads];
    for (int index = 0; index < threads; index++) CHECK(!pthread_create(&started[index], NULL, verify_all, NULL));
    for (int index = 0; index < threads; index++) CHECK(!pthread_join(started[index], NULL));
}

static int released;

static void release_array(struct ArrowArray *array) {
    released++;
    array->release = NULL;
}

static void release_schema(struct ArrowSchema *schema) {
    released++;
    schema->release = NULL;
}

/* An array of three texts behind one that the offset leaves out, the second of them null. */
static void test_arrow(void) {
    const int32_t offsets[] = {0, 1, 2, 4, 7};
    const uint8_t validity[] = {0x0b};
    const void *buffers[] = {validity, offsets, "xyzzabc"};
    struct ArrowArray array = {.length = 3, .null_count = 1, .offset = 1, .n_buffers = 3, .buffers = buffers};
    struct ArrowSchema schema = {.format = "u"};
    struct ArrowArray verdicts;
    struct ArrowSchema verdicts_schema;
    memset(&verdicts, 0, sizeof verdicts);

    array.release = release_array;
    schema.release = release_schema;
    CHECK(receiptmill_verify_arrow(verifier, &array, &schema, &verdicts, &verdicts_schema) == RECEIPTMILL_OK);
    CHECK(released == 2 && !array.release && !schema.release);
    CHECK(verdicts.length == 3 && verdicts.null_count == 1 && verdicts.n_children == 13);
    CHECK(*(const uint8_t *)verdicts.buffers[0] == 5);
    CHECK(!strcmp(verdicts_schema.format, "+s") && verdicts_schema.n_children == 13);
    CHECK(!strcmp(verdicts_schema.children[0]->name, "verdict") && !strcmp(verdicts_schema.children[0]->format, "U"));
    CHECK(!strcmp(verdicts_schema.children[12]->name, "purchases"));
    CHECK(verdicts_schema.children[12]->children[0]->n_children == 16);
    const int64_t *places = verdicts.children[0]->buffers[1];
    CHECK(places[0] == 0 && places[1] == 10 && places[2] == 10 && places[3] == 20);
    CHECK(!memcmp(verdicts.children[0]->buffers[2], "unreadableunreadable", 20));
    /* A child may be moved away, and is then its new owner's. */
    struct ArrowArray moved = *verdicts.children[0];
    verdicts.children[0]->release = NULL;
    verdicts.release(&verdicts);
    verdicts_schema.release(&verdicts_schema);
    CHECK(!verdicts.release && !verdicts_schema.release);
    CHECK(!memcmp(moved.buffers[2], "unreadable", 10));
    moved.release(&moved);

    /* Indexes beyond any memory are refused before they are multiplied. */
    const int64_t places_beyond[] = {INT64_MAX, INT64_MAX - 3, INT64_MAX / 8, (int64_t)1 << 60, (int64_t)1 << 45};
    for (int index = 0; index < 5; index++)
        for (int is_length = 0; is_length < 2; is_length++) {
            const void *few[] = {NULL, offsets, "xyzzabc"};
            struct ArrowArray beyond = {.length = is_length ? places_beyond[index] : 1, .n_buffers = 3, .buffers = few};
            beyond.offset = is_length ? 0 : places_beyond[index];
            beyond.release = release_array;
            schema.release = release_schema;
            schema.format = index % 2 ? "u" : "U";
            CHECK(
                receiptmill_verify_arrow(verifier, &beyond, &schema, &verdicts, &verdicts_schema)
                == RECEIPTMILL_UNSUPPORTED_ARRAY);
        }

    /* Another type, and offsets that go back, are refused, and released all the same. */
    const int32_t backwards[] = {0, 5, 2, 4, 7};
    const char *formats[] = {"l", "u"};
    for (int index = 0; index < 2; index++) {
        released = 0;
        array.release = release_array;
        schema.release = release_schema;
        schema.format = formats[index];
        buffers[1] = backwards;
        CHECK(
            receiptmill_verify_arrow(verifier, &array, &schema, &verdicts, &verdicts_schema)
            == RECEIPTMILL_UNSUPPORTED_ARRAY);
        CHECK(released == 2);
    }
}

int main(int count, char **paths) {
    receiptmill_options options = {.size = sizeof options};
    CHECK(receiptmill_verifier_new(&options, &verifier) == RECEIPTMILL_OK);
    test_errors();
    test_unreadable();
    test_length();
    test_arrow();
    for (int index = 1; index < count; index++) read_file(paths[index]);
    test_threads();
    for (size_t index = 0; index < file_count; index++) free(files[index].bytes);
    receiptmill_verifier_free(verifier);
    return 0;
}
