// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0
#include "CBits.h"

#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "Bitmaps lie in files as little-endian words, and are read as they lie."
#endif

#if defined(__x86_64__)
#define FOR_EACH_PROCESSOR __attribute__((target_clones("avx2", "popcnt", "default")))
#else
#define FOR_EACH_PROCESSOR
#endif

static inline uint64_t word(const void *words, size_t index) {
    uint64_t word;
    memcpy(&word, (const char *)words + index * sizeof word, sizeof word);
    return word;
}

FOR_EACH_PROCESSOR size_t bits_count(const uint64_t *words, size_t count) {
    size_t bits = 0;
    for (size_t index = 0; index < count; index++) bits += (size_t)__builtin_popcountll(words[index]);
    return bits;
}

FOR_EACH_PROCESSOR size_t bits_count_common(const uint64_t *words, const void *other, size_t count) {
    size_t bits = 0;
    for (size_t index = 0; index < count; index++) {
        bits += (size_t)__builtin_popcountll(words[index] & word(other, index));
    }
    return bits;
}

FOR_EACH_PROCESSOR void bits_intersect(uint64_t *words, const void *other, size_t count) {
    for (size_t index = 0; index < count; index++) words[index] &= word(other, index);
}

FOR_EACH_PROCESSOR void bits_unite(uint64_t *words, const void *other, size_t count) {
    for (size_t index = 0; index < count; index++) words[index] |= word(other, index);
}

FOR_EACH_PROCESSOR void bits_subtract(uint64_t *words, const void *other, size_t count) {
    for (size_t index = 0; index < count; index++) words[index] &= ~word(other, index);
}
