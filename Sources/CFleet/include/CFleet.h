// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0
//
// Signatures (Ed25519, RFC 8032) by libcrypto and compression by libzstd, loaded when they are first needed: a host
// that belongs to no fleet needs neither. Only cfleet_load() may be called before it has returned NULL.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
    CFLEET_KEY_SIZE = 32,
    CFLEET_SIGNATURE_SIZE = 64,
};

/// Loads both libraries, once per process; later calls answer what the first one did. Safe on any thread.
/// Returns NULL when they can be used, or else why not, in storage that is never freed.
const char *_Nullable cfleet_load(void);

/// Overwrites bytes, also where nobody reads them any more.
void cfleet_wipe(uint8_t *_Nonnull bytes, size_t size);

/// The public key of a private one; 0 where libcrypto refuses it. Both have CFLEET_KEY_SIZE bytes.
int cfleet_public_key(const uint8_t *_Nonnull private_key, uint8_t *_Nonnull public_key);

/// Writes the CFLEET_SIGNATURE_SIZE bytes of a signature; 0 where libcrypto refuses.
int cfleet_sign(
    const uint8_t *_Nonnull private_key, const uint8_t *_Nullable bytes, size_t size, uint8_t *_Nonnull signature);

/// Whether a signature of CFLEET_SIGNATURE_SIZE bytes is that of the key over the bytes.
int cfleet_verify(
    const uint8_t *_Nonnull public_key, const uint8_t *_Nullable bytes, size_t size,
    const uint8_t *_Nonnull signature);

/// The largest size of `size` bytes when they are compressed.
size_t cfleet_compress_bound(size_t size);

/// Compresses into one frame; the number of bytes written, or 0 where libzstd refuses.
size_t cfleet_compress(
    uint8_t *_Nonnull output, size_t capacity, const uint8_t *_Nullable bytes, size_t size, int level);

/// The size that the first frame says it has; -1 where it says none or is no frame.
long long cfleet_content_size(const uint8_t *_Nullable bytes, size_t size);

/// Decompresses all frames; the number of bytes written, or -1 where the bytes are damaged or have no room.
long long cfleet_decompress(
    uint8_t *_Nonnull output, size_t capacity, const uint8_t *_Nullable bytes, size_t size);
