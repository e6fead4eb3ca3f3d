#include "base64.h"

#if defined(__x86_64__)
#include <immintrin.h>
#define HAS_AVX2_PATH 1
#endif

enum { SPACE = 0x40, PADDING = 0x41, INVALID = 0x42 };

static uint8_t value_of(uint8_t character) {
    if (character >= 'A' && character <= 'Z') return character - 'A';
    if (character >= 'a' && character <= 'z') return character - 'a' + 26;
    if (character >= '0' && character <= '9') return character - '0' + 52;
    switch (character) {
    case '+': case '-': return 62;
    case '/': case '_': return 63;
    case ' ': case '\t': case '\r': case '\n': return SPACE;
    case '=': return PADDING;
    default: return INVALID;
    }
}

/// The place up to which text was read and bytes were written, between two quanta of four
/// characters.
typedef struct {
    const uint8_t *next;
    const uint8_t *end;
    uint8_t *output;
} progress;

/// Decodes one quantum of four characters, white space skipped.
///
/// Returns 1 where more may follow, 0 at the end of the text, -1 where the text
/// is no base64.
static int decode_quantum(progress *at) {
    uint32_t bits = 0;
    int characters = 0;
    while (at->next < at->end && characters < 4) {
        uint8_t value = value_of(*at->next);
        if (value < SPACE) {
            bits = bits << 6 | value;
            characters++;
        } else if (value != SPACE) {
            break;
        }
        at->next++;
    }
    if (characters == 4) {
        at->output[0] = (uint8_t)(bits >> 16);
        at->output[1] = (uint8_t)(bits >> 8);
        at->output[2] = (uint8_t)bits;
        at->output += 3;
        return 1;
    }
    // The last quantum: only padding and white space may follow, and no more
    // padding than completes it.
    int padding = 0;
    for (; at->next < at->end; at->next++) {
        uint8_t value = value_of(*at->next);
        if (value == SPACE) continue;
        if (value != PADDING || ++padding > 2) return -1;
    }
    if (characters == 0) return padding == 0 ? 0 : -1;
    if (characters == 1 || (padding > 0 && characters + padding != 4)) return -1;
    bits <<= 6 * (4 - characters);
    *at->output++ = (uint8_t)(bits >> 16);
    if (characters == 3) *at->output++ = (uint8_t)(bits >> 8);
    return 0;
}

ptrdiff_t receiptmill_base64_decode_portable(const uint8_t *text, size_t count, uint8_t *output) {
    progress at = { text, text + count, output };
    int more = 1;
    while (more == 1) more = decode_quantum(&at);
    return more < 0 ? -1 : at.output - output;
}

#if HAS_AVX2_PATH
/// Marks the lanes of `v` from `low` to `high`, both below 128, with 0xff.
__attribute__((target("avx2")))
static inline __m256i between(__m256i v, char low, char high) {
    __m256i above = _mm256_cmpgt_epi8(v, _mm256_set1_epi8((char)(low - 1)));
    __m256i below = _mm256_cmpgt_epi8(_mm256_set1_epi8((char)(high + 1)), v);
    return _mm256_and_si256(above, below);
}

/// Whether all lanes of `v` belong to the standard alphabet; if so, their
/// values in `values`.
///
/// A character is of the alphabet if its low nibble may follow its high nibble.
/// High nibbles that allow the same low ones share a bit: 2 (`+ /`), 3 (digits),
/// 4 and 6 (letters from A and a), 5 and 7 (letters from P and p).
__attribute__((target("avx2")))
static inline int standard_values(__m256i v, __m256i *values) {
    enum { SIGNS = 1, DIGITS = 2, FIRST = 4, LAST = 8 };
    const __m256i by_high = _mm256_broadcastsi128_si256(_mm_setr_epi8(
        0, 0, SIGNS, DIGITS, FIRST, LAST, FIRST, LAST, 0, 0, 0, 0, 0, 0, 0, 0));
    const char most = DIGITS | FIRST | LAST;
    const __m256i by_low = _mm256_broadcastsi128_si256(_mm_setr_epi8(
        DIGITS | LAST, most, most, most, most, most, most, most, most, most,
        FIRST | LAST, FIRST | SIGNS, FIRST, FIRST, FIRST, FIRST | SIGNS));
    // The number to add to a character, by its high nibble; for high nibble 2 the number of `/`.
    const __m256i shift_by_high = _mm256_broadcastsi128_si256(_mm_setr_epi8(
        0, 0, 63 - '/', 52 - '0', -'A', -'A', 26 - 'a', 26 - 'a', 0, 0, 0, 0, 0, 0, 0, 0));
    const __m256i nibble = _mm256_set1_epi8(0x0f);
    __m256i high = _mm256_and_si256(_mm256_srli_epi16(v, 4), nibble);
    __m256i allowed = _mm256_and_si256(
        _mm256_shuffle_epi8(by_high, high), _mm256_shuffle_epi8(by_low, _mm256_and_si256(v, nibble)));
    if (_mm256_movemask_epi8(_mm256_cmpeq_epi8(allowed, _mm256_setzero_si256())) != 0) return 0;
    __m256i plus = _mm256_cmpeq_epi8(v, _mm256_set1_epi8('+'));
    __m256i shift = _mm256_add_epi8(
        _mm256_shuffle_epi8(shift_by_high, high), _mm256_and_si256(plus, _mm256_set1_epi8(62 - '+' - (63 - '/'))));
    *values = _mm256_add_epi8(v, shift);
    return 1;
}

/// Whether all lanes of `v` belong to one of the two alphabets, mixed or not; if so, their values
/// in `values`.
__attribute__((target("avx2")))
static inline int mixed_values(__m256i v, __m256i *values) {
    __m256i upper = between(v, 'A', 'Z');
    __m256i lower = between(v, 'a', 'z');
    __m256i digit = between(v, '0', '9');
    __m256i plus = _mm256_cmpeq_epi8(v, _mm256_set1_epi8('+'));
    __m256i minus = _mm256_cmpeq_epi8(v, _mm256_set1_epi8('-'));
    __m256i slash = _mm256_cmpeq_epi8(v, _mm256_set1_epi8('/'));
    __m256i underscore = _mm256_cmpeq_epi8(v, _mm256_set1_epi8('_'));
    __m256i sign = _mm256_or_si256(_mm256_or_si256(plus, minus), _mm256_or_si256(slash, underscore));
    __m256i known = _mm256_or_si256(_mm256_or_si256(upper, lower), _mm256_or_si256(digit, sign));
    if (_mm256_movemask_epi8(known) != -1) return 0;
    __m256i shift = _mm256_and_si256(upper, _mm256_set1_epi8(-'A'));
    shift = _mm256_or_si256(shift, _mm256_and_si256(lower, _mm256_set1_epi8(26 - 'a')));
    shift = _mm256_or_si256(shift, _mm256_and_si256(digit, _mm256_set1_epi8(52 - '0')));
    shift = _mm256_or_si256(shift, _mm256_and_si256(plus, _mm256_set1_epi8(62 - '+')));
    shift = _mm256_or_si256(shift, _mm256_and_si256(minus, _mm256_set1_epi8(62 - '-')));
    shift = _mm256_or_si256(shift, _mm256_and_si256(slash, _mm256_set1_epi8(63 - '/')));
    shift = _mm256_or_si256(shift, _mm256_and_si256(underscore, _mm256_set1_epi8(63 - '_')));
    *values = _mm256_add_epi8(v, shift);
    return 1;
}

/// Whether all lanes of `v` belong to the URL-safe alphabet; if so, their values in `values`.
__attribute__((target("avx2")))
static inline int url_values(__m256i v, __m256i *values) {
    __m256i standard = _mm256_or_si256(
        _mm256_cmpeq_epi8(v, _mm256_set1_epi8('+')), _mm256_cmpeq_epi8(v, _mm256_set1_epi8('/')));
    return _mm256_testz_si256(standard, standard) && mixed_values(v, values);
}

/// Decodes blocks of 32 characters until one holds a character outside the alphabets. The function
/// stores 32 bytes for each 24 decoded.
__attribute__((target("avx2")))
static inline void decode_blocks(progress *at, int is_url) {
    const __m256i join_pairs = _mm256_set1_epi32(0x01400140);
    const __m256i join_quads = _mm256_set1_epi32(0x00011000);
    const __m256i take_bytes = _mm256_broadcastsi128_si256(_mm_setr_epi8(
        2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1));
    const __m256i close_gap = _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 7, 7);
    while (at->end - at->next >= 32) {
        __m256i v = _mm256_loadu_si256((const __m256i *)at->next);
        __m256i values;
        if (is_url ? !url_values(v, &values) : !standard_values(v, &values) && !mixed_values(v, &values)) return;
        __m256i pairs = _mm256_maddubs_epi16(values, join_pairs);
        __m256i quads = _mm256_madd_epi16(pairs, join_quads);
        __m256i bytes = _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(quads, take_bytes), close_gap);
        _mm256_storeu_si256((__m256i *)at->output, bytes);
        at->next += 32;
        at->output += 24;
    }
}
#endif

ptrdiff_t receiptmill_base64_decode(const uint8_t *text, size_t count, uint8_t *output) {
#if HAS_AVX2_PATH
    if (__builtin_cpu_supports("avx2")) {
        progress at = { text, text + count, output };
        int more = 1;
        while (more == 1) {
            decode_blocks(&at, 0);
            // Single quanta lead past the characters that stopped the blocks, such as the end of a
            // wrapped line.
            for (int quanta = 0; quanta < 8 && more == 1; quanta++) more = decode_quantum(&at);
        }
        return more < 0 ? -1 : at.output - output;
    }
#endif
    return receiptmill_base64_decode_portable(text, count, output);
}

ptrdiff_t receiptmill_base64url_decode(const uint8_t *text, size_t count, uint8_t *output) {
    progress at = { text, text + count, output };
#if HAS_AVX2_PATH
    if (__builtin_cpu_supports("avx2")) decode_blocks(&at, 1);
#endif
    uint32_t bits = 0;
    int characters = 0;
    for (; at.next < at.end; at.next++) {
        uint8_t value = value_of(*at.next);
        if (value >= SPACE || *at.next == '+' || *at.next == '/') return -1;
        bits = bits << 6 | value;
        if (++characters == 4) {
            *at.output++ = (uint8_t)(bits >> 16);
            *at.output++ = (uint8_t)(bits >> 8);
            *at.output++ = (uint8_t)bits;
            bits = 0;
            characters = 0;
        }
    }
    if (characters == 1) return -1;
    if (characters == 2) {
        if (bits & 0x0f) return -1;
        *at.output++ = (uint8_t)(bits >> 4);
    }
    if (characters == 3) {
        if (bits & 0x03) return -1;
        *at.output++ = (uint8_t)(bits >> 10);
        *at.output++ = (uint8_t)(bits >> 2);
    }
    return at.output - output;
}
