// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0
//
// libcurl, loaded when it is first needed.
//
// Linking libcurl costs every start of the daemon the relocation of OpenSSL, Kerberos, LDAP and some twenty further
// libraries, long before the first transfer. So only its types and constants come from its header; its functions are
// looked up with dlopen(3) by ccurl_load(), which must have returned NULL before any other function here is
// called. curl_easy_setopt and curl_easy_getinfo are variadic, which Swift cannot call: there is one function here for
// each type of argument.
#pragma once

#include <curl/curl.h>

/// Loads and initialises libcurl, once per process; later calls answer what the first one did. Safe on any thread.
/// Returns NULL when libcurl can be used, or else why not, in storage that is never freed.
const char *_Nullable ccurl_load(void);

CURL *_Nullable ccurl_easy_init(void);
void ccurl_easy_cleanup(CURL *_Nonnull easy);
/// Forgets all options; live connections, the session id cache and the DNS cache stay.
void ccurl_easy_reset(CURL *_Nonnull easy);
const char *_Nonnull ccurl_easy_strerror(CURLcode code);

CURLcode ccurl_setopt_long(CURL *_Nonnull easy, CURLoption option, long value);
/// libcurl copies the string.
CURLcode ccurl_setopt_string(CURL *_Nonnull easy, CURLoption option, const char *_Nullable value);
/// The pointer must outlive the transfer.
CURLcode ccurl_setopt_pointer(CURL *_Nonnull easy, CURLoption option, void *_Nullable value);
typedef size_t (*ccurl_callback)(char *_Nonnull bytes, size_t size, size_t count, void *_Nullable context);
CURLcode ccurl_setopt_callback(CURL *_Nonnull easy, CURLoption option, ccurl_callback _Nonnull callback);
/// libcurl copies the bytes.
CURLcode ccurl_setopt_bytes(CURL *_Nonnull easy, CURLoption option, const void *_Nullable bytes, size_t size);

CURLcode ccurl_setopt_offset(CURL *_Nonnull easy, CURLoption option, curl_off_t value);
/// Called with CURLOPT_PREREQDATA once a connection can carry the request, before a byte of that is sent.
typedef int (*ccurl_before_request)(
    void *_Nullable context, char *_Nullable address, char *_Nullable own_address, int port, int own_port);
CURLcode ccurl_setopt_before_request(CURL *_Nonnull easy, ccurl_before_request _Nonnull callback);
/// Called with CURLOPT_DEBUGDATA for all that CURLOPT_VERBOSE shows.
typedef int (*ccurl_debug)(
    CURL *_Nonnull easy, curl_infotype kind, char *_Nonnull bytes, size_t size, void *_Nullable context);
CURLcode ccurl_setopt_debug(CURL *_Nonnull easy, ccurl_debug _Nonnull callback);

/// The value, or 0 if libcurl has none.
long ccurl_getinfo_long(CURL *_Nonnull easy, CURLINFO info);
/// The value, or 0 if libcurl has none.
curl_off_t ccurl_getinfo_offset(CURL *_Nonnull easy, CURLINFO info);

CURLM *_Nullable ccurl_multi_init(void);
void ccurl_multi_cleanup(CURLM *_Nonnull multi);
CURLMcode ccurl_multi_add(CURLM *_Nonnull multi, CURL *_Nonnull easy);
CURLMcode ccurl_multi_remove(CURLM *_Nonnull multi, CURL *_Nonnull easy);
CURLMcode ccurl_multi_perform(CURLM *_Nonnull multi);
/// Waits until something can be done, `milliseconds` have passed, or ccurl_multi_wakeup() was called.
CURLMcode ccurl_multi_poll(CURLM *_Nonnull multi, int milliseconds);
/// The only function for a multi handle that another thread may call while it is in use.
CURLMcode ccurl_multi_wakeup(CURLM *_Nonnull multi);
/// Whether a transfer has ended, and then how.
_Bool ccurl_multi_ended(CURLM *_Nonnull multi, CURLcode *_Nonnull result);

/// Appends a copy of `line`; NULL when out of memory, and then `list` is as before.
struct curl_slist *_Nullable ccurl_slist_append(
    struct curl_slist *_Nullable list, const char *_Nonnull line);
void ccurl_slist_free(struct curl_slist *_Nullable list);

CURLU *_Nullable ccurl_url(void);
void ccurl_url_free(CURLU *_Nonnull url);
CURLUcode ccurl_url_set(CURLU *_Nonnull url, CURLUPart part, const char *_Nullable value, unsigned int flags);
/// The part, to be freed with ccurl_free(), or NULL if there is none.
char *_Nullable ccurl_url_get(CURLU *_Nonnull url, CURLUPart part, unsigned int flags);
void ccurl_free(char *_Nonnull string);
