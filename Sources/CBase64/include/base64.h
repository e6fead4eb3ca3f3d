#pragma once

#include <stddef.h>
#include <stdint.h>

/// The bytes of output that `receiptmill_base64_decode` needs for `count` characters: three for
/// four characters, and the bytes beyond that a vector store may touch.
static inline size_t receiptmill_base64_capacity(size_t count) {
    return count / 4 * 3 + 3 + 32;
}

/// Decodes base64 (RFC 4648) of the standard or the URL-safe alphabet, mixed or
/// not, padded or not, with white space (space, tab, CR, LF) anywhere.
///
/// Returns the number of bytes written to `output`, or -1 where a character
/// belongs to no alphabet, padding stands before the end, or a lone last
/// character leaves six bits.
ptrdiff_t receiptmill_base64_decode(const uint8_t *text, size_t count, uint8_t *output);

/// Decodes like `receiptmill_base64_decode` without vector instructions, for processors that lack
/// them and for tests that compare both.
ptrdiff_t receiptmill_base64_decode_portable(const uint8_t *text, size_t count, uint8_t *output);

/// Decodes base64url as JWS writes it (RFC 7515, 2): the URL-safe alphabet alone,
/// without padding and white space, the unused bits of the last character zero.
///
/// Returns the number of bytes written to `output`, or -1 for other text.
ptrdiff_t receiptmill_base64url_decode(const uint8_t *text, size_t count, uint8_t *output);
