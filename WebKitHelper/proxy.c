// The proxy of a page. WebKit sends all requests of a page to it, also those that an extension does not see, as those
// of WebSockets. It holds each until yabbi answers it, so nothing else of WebKit needs the network.
//
// Encrypted requests are read with a certificate of this process, which WebKit accepts from this proxy alone: it reaches
// no other server.

#include "helper.h"

#include <gnutls/x509.h>
#include <libsoup/soup.h>
#include <string.h>
#include <time.h>

// The greatest size of a request's body, in bytes, and one more: yabbi refuses that.
#define BODY_LIMIT ((4u << 20) + 1)

struct Proxy {
    gint64 page;
    char *secret;
    // Gets `CONNECT`, and requests that are not encrypted.
    SoupServer *outer;
    // Gets the requests inside of encrypted connections.
    SoupServer *inner;
    // The held requests by their numbers.
    GHashTable *held;
    gint64 last;
};

typedef struct {
    Proxy *proxy;
    gint64 number;
    SoupServerMessage *message;
} Held;

static GTlsCertificate *certificate;
// Authorities for certificates of clients, of which there are none: each connection would read the system's list.
static GTlsDatabase *authorities;

const char *proxy_prepare(void) {
    gnutls_x509_privkey_t key;
    gnutls_x509_crt_t authority;
    gnutls_datum_t pem[2] = {{0}};
    const unsigned bits = GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1);
    const char *name = "CN=yabbi";
    guint8 serial = 1;
    time_t now = time(NULL);
    gboolean is_made = gnutls_x509_privkey_init(&key) == 0 && gnutls_x509_crt_init(&authority) == 0
                       && gnutls_x509_privkey_generate(key, GNUTLS_PK_ECDSA, bits, 0) == 0
                       && gnutls_x509_crt_set_version(authority, 3) == 0
                       && gnutls_x509_crt_set_key(authority, key) == 0
                       && gnutls_x509_crt_set_serial(authority, &serial, sizeof serial) == 0
                       && gnutls_x509_crt_set_activation_time(authority, now - 86400) == 0
                       && gnutls_x509_crt_set_expiration_time(authority, now + 365 * 86400) == 0
                       && gnutls_x509_crt_set_dn(authority, name, NULL) == 0
                       && gnutls_x509_crt_sign2(authority, authority, key, GNUTLS_DIG_SHA256, 0) == 0
                       && gnutls_x509_crt_export2(authority, GNUTLS_X509_FMT_PEM, &pem[0]) == 0
                       && gnutls_x509_privkey_export2_pkcs8(key, GNUTLS_X509_FMT_PEM, NULL, 0, &pem[1]) == 0;
    if (!is_made) return "the proxy's certificate can't be made with GnuTLS";
    char *text = g_strdup_printf("%.*s%.*s", (int)pem[0].size, pem[0].data, (int)pem[1].size, pem[1].data);
    certificate = g_tls_certificate_new_from_pem(text, -1, NULL);
    g_free(text);
    char *path = g_build_filename(folder, "authorities.pem", NULL);
    if (g_file_set_contents(path, pem[0].data ? (const char *)pem[0].data : "", (gssize)pem[0].size, NULL)) {
        authorities = g_tls_file_database_new(path, NULL);
    }
    g_free(path);
    gnutls_free(pem[0].data);
    gnutls_free(pem[1].data);
    gnutls_x509_crt_deinit(authority);
    gnutls_x509_privkey_deinit(key);
    return certificate ? NULL : "TLS is not available; install glib-networking";
}

static void held_free(gpointer data) {
    Held *held = data;
    g_signal_handlers_disconnect_by_data(held->message, held);
    g_object_unref(held->message);
    g_free(held);
}

// The page has cancelled the request, or has got the answer.
static void finished(SoupServerMessage *message, gpointer data) {
    (void)message;
    Held *held = data;
    GByteArray *event = event_begin("cancelled", held->proxy->page);
    wire_add_integer(event, held->number);
    wire_send(yabbi, event);
    g_hash_table_remove(held->proxy->held, &held->number);
}

// What the extension has marked a request with; NULL for nothing.
static const char *mark_of(const Proxy *proxy, SoupMessageHeaders *headers, const char *name) {
    const char *mark = soup_message_headers_get_one(headers, name);
    gsize length = strlen(proxy->secret);
    gboolean is_valid = mark && strncmp(mark, proxy->secret, length) == 0 && mark[length] == ' ';
    return is_valid ? mark + length + 1 : NULL;
}

static void hold(Proxy *proxy, SoupServerMessage *message, const char *address) {
    Held *held = g_new0(Held, 1);
    held->proxy = proxy;
    held->number = ++proxy->last;
    held->message = g_object_ref(message);
    g_hash_table_insert(proxy->held, &held->number, held);
    g_signal_connect(message, "finished", G_CALLBACK(finished), held);
    soup_server_message_pause(message);

    SoupMessageHeaders *headers = soup_server_message_get_request_headers(message);
    GByteArray *body = g_object_get_data(G_OBJECT(message), "body");
    GByteArray *event = event_begin("request", proxy->page);
    wire_add_integer(event, held->number);
    wire_add_text(event, soup_server_message_get_method(message));
    const char *original = mark_of(proxy, headers, "X-Yabbi-Address");
    wire_add_text(event, original ? original : address);
    // The number of the frame whose document is requested.
    wire_add_text(event, mark_of(proxy, headers, "X-Yabbi-Frame"));
    wire_add(event, body ? body->data : NULL, body ? body->len : 0);
    SoupMessageHeadersIter each;
    const char *name, *value;
    soup_message_headers_iter_init(&each, headers);
    while (soup_message_headers_iter_next(&each, &name, &value)) {
        if (g_ascii_strncasecmp(name, "X-Yabbi-", 8) == 0) continue;
        wire_add_text(event, name);
        wire_add_text(event, value);
    }
    wire_send(yabbi, event);
}

static void got_chunk(SoupServerMessage *message, GBytes *chunk, gpointer data) {
    (void)message;
    GByteArray *body = data;
    gsize size;
    const void *bytes = g_bytes_get_data(chunk, &size);
    g_byte_array_append(body, bytes, (guint)MIN(size, BODY_LIMIT - body->len));
}

// Keeps the body of a request, up to the limit.
static void got_head(SoupServer *server, SoupServerMessage *message, const char *path, GHashTable *query, gpointer data) {
    (void)server, (void)path, (void)query, (void)data;
    GByteArray *body = g_byte_array_new();
    g_object_set_data_full(G_OBJECT(message), "body", body, (GDestroyNotify)g_byte_array_unref);
    soup_message_body_set_accumulate(soup_server_message_get_request_body(message), FALSE);
    g_signal_connect(message, "got-chunk", G_CALLBACK(got_chunk), body);
}

static void got_inner(SoupServer *server, SoupServerMessage *message, const char *path, GHashTable *query, gpointer data) {
    (void)server, (void)path, (void)query;
    GUri *uri = soup_server_message_get_uri(message);
    char *text = g_uri_to_string(uri);
    char *address = g_strconcat("https", strstr(text, "://"), NULL);
    hold(data, message, address);
    g_free(address);
    g_free(text);
}

static void start_tunnel(SoupServerMessage *message, gpointer data) {
    Proxy *proxy = data;
    GIOStream *stream = soup_server_message_steal_connection(message);
    GType type = g_tls_backend_get_server_connection_type(g_tls_backend_get_default());
    GIOStream *encrypted = g_initable_new(type, NULL, NULL, "base-io-stream", stream, "certificate", certificate,
                                          "database", authorities, NULL);
    g_object_unref(stream);
    if (!encrypted) return;
    GSocketAddress *local = g_inet_socket_address_new_from_string("127.0.0.1", 1);
    soup_server_accept_iostream(proxy->inner, encrypted, local, local, NULL);
    g_object_unref(local);
    g_object_unref(encrypted);
}

static void got_outer(SoupServer *server, SoupServerMessage *message, const char *path, GHashTable *query, gpointer data) {
    (void)server, (void)path, (void)query;
    if (strcmp(soup_server_message_get_method(message), "CONNECT") == 0) {
        soup_server_message_set_status(message, 200, NULL);
        g_signal_connect(message, "wrote-body", G_CALLBACK(start_tunnel), data);
        return;
    }
    char *address = g_uri_to_string(soup_server_message_get_uri(message));
    hold(data, message, address);
    g_free(address);
}

Proxy *proxy_new(gint64 page, const char *secret) {
    Proxy *proxy = g_new0(Proxy, 1);
    proxy->page = page;
    proxy->secret = g_strdup(secret);
    proxy->held = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, held_free);
    proxy->outer = soup_server_new(NULL, NULL);
    proxy->inner = soup_server_new(NULL, NULL);
    for (int i = 0; i < 2; i++) soup_server_add_early_handler(i ? proxy->inner : proxy->outer, NULL, got_head, NULL, NULL);
    soup_server_add_handler(proxy->outer, NULL, got_outer, proxy, NULL);
    soup_server_add_handler(proxy->inner, NULL, got_inner, proxy, NULL);
    if (soup_server_listen_local(proxy->outer, 0, SOUP_SERVER_LISTEN_IPV4_ONLY, NULL)) return proxy;
    proxy_free(proxy);
    return NULL;
}

void proxy_free(Proxy *proxy) {
    soup_server_disconnect(proxy->outer);
    soup_server_disconnect(proxy->inner);
    g_hash_table_unref(proxy->held);
    g_object_unref(proxy->outer);
    g_object_unref(proxy->inner);
    g_free(proxy->secret);
    g_free(proxy);
}

char *proxy_address(const Proxy *proxy) {
    GSList *addresses = soup_server_get_uris(proxy->outer);
    char *address = g_strdup_printf("http://127.0.0.1:%d", g_uri_get_port(addresses->data));
    g_slist_free_full(addresses, (GDestroyNotify)g_uri_unref);
    return address;
}

// Takes a held request out of the table; NULL if the page has cancelled it.
static SoupServerMessage *take(Proxy *proxy, gint64 number) {
    Held *held = g_hash_table_lookup(proxy->held, &number);
    if (!held) return NULL;
    SoupServerMessage *message = g_object_ref(held->message);
    g_hash_table_remove(proxy->held, &number);
    return message;
}

void proxy_answer(Proxy *proxy, const WireMessage *answer, guint first) {
    SoupServerMessage *message = take(proxy, wire_integer(answer, first));
    if (!message) return;
    soup_server_message_set_status(message, (guint)wire_integer(answer, first + 1), NULL);
    SoupMessageHeaders *headers = soup_server_message_get_response_headers(message);
    for (guint i = first + 3; i + 1 < answer->count; i += 2) {
        soup_message_headers_append(headers, wire_text(answer, i), wire_text(answer, i + 1));
    }
    GBytes *body = wire_bytes(answer, first + 2);
    if (g_bytes_get_size(body) > 0) {
        soup_message_body_append_bytes(soup_server_message_get_response_body(message), body);
    }
    g_bytes_unref(body);
    soup_server_message_unpause(message);
    g_object_unref(message);
}

void proxy_fail(Proxy *proxy, gint64 number) {
    SoupServerMessage *message = take(proxy, number);
    if (!message) return;
    GIOStream *stream = soup_server_message_steal_connection(message);
    // Bytes that are no response: WebKit would repeat a request whose connection only closes.
    g_output_stream_write_all(g_io_stream_get_output_stream(stream), "-\r\n\r\n", 5, NULL, NULL, NULL);
    g_io_stream_close(stream, NULL, NULL);
    g_object_unref(stream);
    g_object_unref(message);
}
