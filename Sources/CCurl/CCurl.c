// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0
#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

// curl.h wraps these in type-checking macros; here the bare functions are declared.
#undef curl_easy_setopt
#undef curl_easy_getinfo

#define FUNCTIONS(X) \
    X(curl_global_init) \
    X(curl_easy_init) \
    X(curl_easy_cleanup) \
    X(curl_easy_reset) \
    X(curl_easy_strerror) \
    X(curl_easy_setopt) \
    X(curl_easy_getinfo) \
    X(curl_multi_init) \
    X(curl_multi_cleanup) \
    X(curl_multi_add_handle) \
    X(curl_multi_remove_handle) \
    X(curl_multi_perform) \
    X(curl_multi_poll) \
    X(curl_multi_wakeup) \
    X(curl_multi_info_read) \
    X(curl_slist_append) \
    X(curl_slist_free_all) \
    X(curl_url) \
    X(curl_url_cleanup) \
    X(curl_url_set) \
    X(curl_url_get) \
    X(curl_free)

#define DECLARE(name) static __typeof__(&name) loaded_##name;
FUNCTIONS(DECLARE)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char error[256];
static const char *failure;

static void load(void) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *reason = dlerror();
        snprintf(error, sizeof error, "libcurl cannot be loaded: %s", reason ? reason : "libcurl.so.4");
        failure = error;
        return;
    }
#define LOOK_UP(name) \
    if (!(loaded_##name = (__typeof__(&name))dlsym(library, #name))) { \
        snprintf(error, sizeof error, "libcurl cannot be used: it has no function %s", #name); \
        failure = error; \
        return; \
    }
    FUNCTIONS(LOOK_UP)
    CURLcode code = loaded_curl_global_init(CURL_GLOBAL_DEFAULT);
    if (code != CURLE_OK) {
        snprintf(error, sizeof error, "libcurl cannot be used: %s", loaded_curl_easy_strerror(code));
        failure = error;
    }
}

const char *ccurl_load(void) {
    pthread_once(&once, load);
    return failure;
}

CURL *ccurl_easy_init(void) { return loaded_curl_easy_init(); }
void ccurl_easy_cleanup(CURL *easy) { loaded_curl_easy_cleanup(easy); }
void ccurl_easy_reset(CURL *easy) { loaded_curl_easy_reset(easy); }
const char *ccurl_easy_strerror(CURLcode code) { return loaded_curl_easy_strerror(code); }

CURLcode ccurl_setopt_long(CURL *easy, CURLoption option, long value) {
    return loaded_curl_easy_setopt(easy, option, value);
}
CURLcode ccurl_setopt_string(CURL *easy, CURLoption option, const char *value) {
    return loaded_curl_easy_setopt(easy, option, value);
}
CURLcode ccurl_setopt_pointer(CURL *easy, CURLoption option, void *value) {
    return loaded_curl_easy_setopt(easy, option, value);
}
CURLcode ccurl_setopt_callback(CURL *easy, CURLoption option, ccurl_callback callback) {
    return loaded_curl_easy_setopt(easy, option, callback);
}

CURLcode ccurl_setopt_bytes(CURL *easy, CURLoption option, const void *bytes, size_t size) {
    // libcurl only reads what it copies.
    struct curl_blob blob = {.data = (void *)bytes, .len = size, .flags = CURL_BLOB_COPY};
    return loaded_curl_easy_setopt(easy, option, &blob);
}

CURLcode ccurl_setopt_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return loaded_curl_easy_setopt(easy, option, value);
}
CURLcode ccurl_setopt_before_request(CURL *easy, ccurl_before_request callback) {
    return loaded_curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, callback);
}
CURLcode ccurl_setopt_debug(CURL *easy, ccurl_debug callback) {
    return loaded_curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, callback);
}

long ccurl_getinfo_long(CURL *easy, CURLINFO info) {
    long value = 0;
    return loaded_curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}
curl_off_t ccurl_getinfo_offset(CURL *easy, CURLINFO info) {
    curl_off_t value = 0;
    return loaded_curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

CURLM *ccurl_multi_init(void) { return loaded_curl_multi_init(); }
void ccurl_multi_cleanup(CURLM *multi) { loaded_curl_multi_cleanup(multi); }
CURLMcode ccurl_multi_add(CURLM *multi, CURL *easy) { return loaded_curl_multi_add_handle(multi, easy); }
CURLMcode ccurl_multi_remove(CURLM *multi, CURL *easy) { return loaded_curl_multi_remove_handle(multi, easy); }
CURLMcode ccurl_multi_perform(CURLM *multi) {
    int running;
    return loaded_curl_multi_perform(multi, &running);
}
CURLMcode ccurl_multi_poll(CURLM *multi, int milliseconds) {
    return loaded_curl_multi_poll(multi, NULL, 0, milliseconds, NULL);
}
CURLMcode ccurl_multi_wakeup(CURLM *multi) { return loaded_curl_multi_wakeup(multi); }
_Bool ccurl_multi_ended(CURLM *multi, CURLcode *result) {
    int left;
    for (CURLMsg *message; (message = loaded_curl_multi_info_read(multi, &left));) {
        if (message->msg == CURLMSG_DONE) {
            *result = message->data.result;
            return 1;
        }
    }
    return 0;
}

struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *line) {
    return loaded_curl_slist_append(list, line);
}
void ccurl_slist_free(struct curl_slist *list) { loaded_curl_slist_free_all(list); }

CURLU *ccurl_url(void) { return loaded_curl_url(); }
void ccurl_url_free(CURLU *url) { loaded_curl_url_cleanup(url); }
CURLUcode ccurl_url_set(CURLU *url, CURLUPart part, const char *value, unsigned int flags) {
    return loaded_curl_url_set(url, part, value, flags);
}
char *ccurl_url_get(CURLU *url, CURLUPart part, unsigned int flags) {
    char *value = NULL;
    return loaded_curl_url_get(url, part, &value, flags) == CURLUE_OK ? value : NULL;
}
void ccurl_free(char *string) { loaded_curl_free(string); }
