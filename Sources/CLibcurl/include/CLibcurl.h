#ifndef YABBI_CLIBCURL_H
#define YABBI_CLIBCURL_H

#include <curl/curl.h>
#include <netinet/in.h>
#include <string.h>

#if LIBCURL_VERSION_NUM < 0x075500
#error "libcurl 7.85 or newer is needed: it is the first that takes its protocols by name"
#endif

// Why libcurl can't be loaded; NULL if it can. To be asked before any other function is called.
const char *yabbi_curl_error(void);

// Swift can't call functions with variable arguments: one typed function for each kind of argument.

static inline CURLcode yabbi_easy_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode yabbi_easy_set_size(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode yabbi_easy_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode yabbi_easy_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode yabbi_easy_set_callback(CURL *easy, CURLoption option, curl_write_callback value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode yabbi_easy_set_opener(CURL *easy, curl_opensocket_callback value) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}

// The bytes of an address that is about to be connected to, in network order: 4, 16, or 0 for another kind of address.
// Swift sees the beginning of the structure only, which is too short for IPv6.
static inline int yabbi_peer_bytes(const struct curl_sockaddr *peer, unsigned char *bytes) {
    if (peer->family == AF_INET) {
        memcpy(bytes, &((const struct sockaddr_in *)&peer->addr)->sin_addr, 4);
        return 4;
    }
    if (peer->family == AF_INET6) {
        memcpy(bytes, &((const struct sockaddr_in6 *)&peer->addr)->sin6_addr, 16);
        return 16;
    }
    return 0;
}

static inline CURLcode yabbi_easy_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode yabbi_easy_get_size(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode yabbi_easy_get_pointer(CURL *easy, CURLINFO info, void **value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLMcode yabbi_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode yabbi_multi_set_pointer(CURLM *multi, CURLMoption option, void *value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode yabbi_multi_set_socket_callback(CURLM *multi, curl_socket_callback value) {
    return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, value);
}

static inline CURLMcode yabbi_multi_set_timer_callback(CURLM *multi, curl_multi_timer_callback value) {
    return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, value);
}

static inline CURLcode yabbi_easy_get_socket(CURL *easy, curl_socket_t *value) {
    return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, value);
}

static inline CURLSHcode yabbi_share_tls_sessions(CURLSH *share) {
    return curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
}

// The result is in a union, which Swift would show with members that are not set.
static inline CURLcode yabbi_message_result(const CURLMsg *message) {
    return message->data.result;
}

// The library at run time; the age of the structure in the headers is a macro, which Swift does not see.
static inline const curl_version_info_data *yabbi_curl_version(void) {
    return curl_version_info(CURLVERSION_NOW);
}

// Abandons a running name lookup instead of waiting for it. Without this, one hanging name server blocks all other
// transfers whenever a request to it ends early. Older libraries have no such option.
static inline void yabbi_easy_detach_look_up(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
    (void)easy;
#endif
}

#endif
