// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE 1
#include "CFleet.h"

#include <dlfcn.h>
#include <limits.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <zstd.h>

#define CRYPTO(X) \
    X(EVP_PKEY_new_raw_private_key) \
    X(EVP_PKEY_new_raw_public_key) \
    X(EVP_PKEY_get_raw_public_key) \
    X(EVP_PKEY_free) \
    X(EVP_MD_CTX_new) \
    X(EVP_MD_CTX_free) \
    X(EVP_DigestSignInit) \
    X(EVP_DigestSign) \
    X(EVP_DigestVerifyInit) \
    X(EVP_DigestVerify)

#define ZSTANDARD(X) \
    X(ZSTD_compressBound) \
    X(ZSTD_compress) \
    X(ZSTD_isError) \
    X(ZSTD_getFrameContentSize) \
    X(ZSTD_decompress)

#define DECLARE(name) static __typeof__(&name) loaded_##name;
CRYPTO(DECLARE)
ZSTANDARD(DECLARE)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char error[256];
static const char *failure;

static void *open_library(const char *name) {
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *reason = dlerror();
        snprintf(error, sizeof error, "a fleet needs %s, which cannot be loaded: %s", name, reason ? reason : name);
        failure = error;
    }
    return library;
}

static void load(void) {
#define LOOK_UP(name) \
    if (!(loaded_##name = (__typeof__(&name))dlsym(library, #name))) { \
        snprintf(error, sizeof error, "a fleet needs the function %s, which its library does not have", #name); \
        failure = error; \
        return; \
    }
    void *library = open_library("libcrypto.so.3");
    if (!library) return;
    CRYPTO(LOOK_UP)
    library = open_library("libzstd.so.1");
    if (!library) return;
    ZSTANDARD(LOOK_UP)
}

const char *cfleet_load(void) {
    pthread_once(&once, load);
    return failure;
}

void cfleet_wipe(uint8_t *bytes, size_t size) { explicit_bzero(bytes, size); }

int cfleet_public_key(const uint8_t *private_key, uint8_t *public_key) {
    EVP_PKEY *key = loaded_EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, private_key, CFLEET_KEY_SIZE);
    if (!key) return 0;
    size_t size = CFLEET_KEY_SIZE;
    int done = loaded_EVP_PKEY_get_raw_public_key(key, public_key, &size) == 1 && size == CFLEET_KEY_SIZE;
    loaded_EVP_PKEY_free(key);
    return done;
}

int cfleet_sign(const uint8_t *private_key, const uint8_t *bytes, size_t size, uint8_t *signature) {
    EVP_PKEY *key = loaded_EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, private_key, CFLEET_KEY_SIZE);
    EVP_MD_CTX *context = loaded_EVP_MD_CTX_new();
    size_t written = CFLEET_SIGNATURE_SIZE;
    int done = key && context && loaded_EVP_DigestSignInit(context, NULL, NULL, NULL, key) == 1
        && loaded_EVP_DigestSign(context, signature, &written, bytes, size) == 1 && written == CFLEET_SIGNATURE_SIZE;
    loaded_EVP_MD_CTX_free(context);
    loaded_EVP_PKEY_free(key);
    return done;
}

int cfleet_verify(const uint8_t *public_key, const uint8_t *bytes, size_t size, const uint8_t *signature) {
    EVP_PKEY *key = loaded_EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, public_key, CFLEET_KEY_SIZE);
    EVP_MD_CTX *context = loaded_EVP_MD_CTX_new();
    int good = key && context && loaded_EVP_DigestVerifyInit(context, NULL, NULL, NULL, key) == 1
        && loaded_EVP_DigestVerify(context, signature, CFLEET_SIGNATURE_SIZE, bytes, size) == 1;
    loaded_EVP_MD_CTX_free(context);
    loaded_EVP_PKEY_free(key);
    return good;
}

size_t cfleet_compress_bound(size_t size) { return loaded_ZSTD_compressBound(size); }

size_t cfleet_compress(uint8_t *output, size_t capacity, const uint8_t *bytes, size_t size, int level) {
    size_t written = loaded_ZSTD_compress(output, capacity, bytes, size, level);
    return loaded_ZSTD_isError(written) ? 0 : written;
}

long long cfleet_content_size(const uint8_t *bytes, size_t size) {
    unsigned long long content = loaded_ZSTD_getFrameContentSize(bytes, size);
    return content == ZSTD_CONTENTSIZE_UNKNOWN || content == ZSTD_CONTENTSIZE_ERROR || content > LLONG_MAX
        ? -1 : (long long)content;
}

long long cfleet_decompress(uint8_t *output, size_t capacity, const uint8_t *bytes, size_t size) {
    size_t written = loaded_ZSTD_decompress(output, capacity, bytes, size);
    return loaded_ZSTD_isError(written) ? -1 : (long long)written;
}
