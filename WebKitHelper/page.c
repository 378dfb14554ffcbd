// The pages: each has cookies, storage, caches, a process and a proxy of its own.

#include "helper.h"

#include <errno.h>
#include <glib-unix.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <webp/encode.h>

// The number of unsent bytes at which a page that floods has to wait.
#define UNSENT_LIMIT (8u << 20)

struct Page {
    gint64 number;
    char *secret;
    Proxy *proxy;
    WebKitWebContext *context;
    WebKitWebView *view;
    GtkWidget *window;
    // The connection to the page's extension; NULL until it has started.
    WireConnection *extension;
    // Numbers of replies that wait: for the start of the extension, and for the start of a navigation.
    gint64 opening;
    gint64 loading;
    WebKitScriptDialog *dialog;
};

// The pages by their numbers.
static GHashTable *pages;

// The folder that the processes of pages see; WebKit's sandbox admits no user's home folder, which `folder` is.
static char *shared_folder(void) { return g_build_filename(folder, "page", NULL); }

static char *socket_path(void) { return g_build_filename(folder, "page", "socket", NULL); }

// MARK: Extensions

// A message of the extension: to yabbi, with the page's number as the second field.
static void from_extension(WireConnection *connection, WireMessage *message, gpointer data) {
    (void)data;
    GHashTableIter each;
    gpointer value;
    const char *name = wire_text(message, 0);
    if (strcmp(name, "hello") == 0) {
        gint64 number = wire_integer(message, 1);
        Page *page = g_hash_table_lookup(pages, &number);
        if (!page || strcmp(page->secret, wire_text(message, 2)) != 0) return;
        page->extension = connection;
        reply(page->opening, "done", NULL);
        page->opening = 0;
        return;
    }
    g_hash_table_iter_init(&each, pages);
    while (g_hash_table_iter_next(&each, NULL, &value)) {
        const Page *page = value;
        if (page->extension != connection) continue;
        GByteArray *event = event_begin(name, page->number);
        for (guint i = 1; i < message->count; i++) wire_add(event, message->fields[i], message->sizes[i]);
        wire_send(yabbi, event);
        if (wire_unsent(yabbi) > UNSENT_LIMIT) wire_pause(connection, TRUE);
    }
}

static void extension_ended(WireConnection *connection, gpointer data) {
    (void)data;
    GHashTableIter each;
    gpointer value;
    g_hash_table_iter_init(&each, pages);
    while (g_hash_table_iter_next(&each, NULL, &value)) {
        Page *page = value;
        if (page->extension == connection) page->extension = NULL;
    }
    wire_close(connection);
}

static gboolean accept_extension(gint file, GIOCondition condition, gpointer data) {
    (void)condition, (void)data;
    int accepted = accept4(file, NULL, NULL, SOCK_CLOEXEC);
    if (accepted >= 0) wire_connect(accepted, accepted, from_extension, extension_ended, NULL);
    return G_SOURCE_CONTINUE;
}

gboolean pages_listen(void) {
    pages = g_hash_table_new(g_int64_hash, g_int64_equal);
    char *shared = shared_folder();
    int status = g_mkdir(shared, 0700);
    g_free(shared);
    if (status != 0) return FALSE;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char *path = socket_path();
    gboolean is_short = strlen(path) < sizeof address.sun_path;
    if (is_short) strcpy(address.sun_path, path);
    g_free(path);
    int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (!is_short || file < 0 || bind(file, (struct sockaddr *)&address, sizeof address) != 0) return FALSE;
    if (listen(file, 64) != 0) return FALSE;
    g_unix_fd_add(file, G_IO_IN, accept_extension, NULL);
    return TRUE;
}

void pages_throttle(void) {
    GHashTableIter each;
    gpointer value;
    if (wire_unsent(yabbi) > UNSENT_LIMIT / 2) return;
    g_hash_table_iter_init(&each, pages);
    while (g_hash_table_iter_next(&each, NULL, &value)) {
        const Page *page = value;
        if (page->extension) wire_pause(page->extension, FALSE);
    }
}

// MARK: What a page tries

static void send_event(const char *name, const Page *page, const char *first, const char *second) {
    GByteArray *event = event_begin(name, page->number);
    wire_add_text(event, first);
    wire_add_text(event, second);
    wire_send(yabbi, event);
}

// Whether WebKit loads an address itself; others would start another program.
static gboolean is_loadable(const char *address) {
    static const char *const schemes[] = {"http", "https", "about", "data", "blob", "javascript"};
    char *scheme = g_uri_parse_scheme(address);
    gboolean is_known = FALSE;
    for (gsize i = 0; scheme && i < G_N_ELEMENTS(schemes); i++) is_known |= g_ascii_strcasecmp(scheme, schemes[i]) == 0;
    g_free(scheme);
    return is_known;
}

static gboolean decide_policy(WebKitWebView *view, WebKitPolicyDecision *decision, WebKitPolicyDecisionType type,
                              gpointer data) {
    (void)view;
    const Page *page = data;
    if (type == WEBKIT_POLICY_DECISION_TYPE_RESPONSE) {
        WebKitResponsePolicyDecision *response = WEBKIT_RESPONSE_POLICY_DECISION(decision);
        if (webkit_response_policy_decision_is_mime_type_supported(response)) return FALSE;
        WebKitURIRequest *request = webkit_response_policy_decision_get_request(response);
        send_event("download", page, webkit_uri_request_get_uri(request), NULL);
        webkit_policy_decision_ignore(decision);
        return TRUE;
    }
    WebKitNavigationAction *action =
        webkit_navigation_policy_decision_get_navigation_action(WEBKIT_NAVIGATION_POLICY_DECISION(decision));
    const char *address = webkit_uri_request_get_uri(webkit_navigation_action_get_request(action));
    const char *gesture = webkit_navigation_action_is_user_gesture(action) ? "1" : "0";
    gboolean is_window = type == WEBKIT_POLICY_DECISION_TYPE_NEW_WINDOW_ACTION;
    send_event(is_window ? "window" : "navigation", page, address, gesture);
    if (is_window || !is_loadable(address)) webkit_policy_decision_ignore(decision);
    else webkit_policy_decision_use(decision);
    return TRUE;
}

static GtkWidget *create(WebKitWebView *view, WebKitNavigationAction *action, gpointer data) {
    (void)view;
    const char *address = webkit_uri_request_get_uri(webkit_navigation_action_get_request(action));
    send_event("window", data, address, webkit_navigation_action_is_user_gesture(action) ? "1" : "0");
    return NULL;
}

static gboolean script_dialog(WebKitWebView *view, WebKitScriptDialog *dialog, gpointer data) {
    (void)view;
    static const char *const kinds[] = {"alert", "confirm", "prompt", "beforeunload"};
    Page *page = data;
    guint kind = (guint)webkit_script_dialog_get_dialog_type(dialog);
    // Nothing that navigates waits for a question.
    if (kind == WEBKIT_SCRIPT_DIALOG_BEFORE_UNLOAD_CONFIRM) webkit_script_dialog_confirm_set_confirmed(dialog, TRUE);
    if (page->dialog) webkit_script_dialog_unref(page->dialog);
    page->dialog = webkit_script_dialog_ref(dialog);
    const char *text = webkit_script_dialog_get_message(dialog);
    send_event("dialog", page, kind < G_N_ELEMENTS(kinds) ? kinds[kind] : "dialog", text);
    return TRUE;
}

static gboolean deny_permission(WebKitWebView *view, WebKitPermissionRequest *request, gpointer data) {
    (void)view;
    send_event("permission", data, G_OBJECT_TYPE_NAME(request), NULL);
    webkit_permission_request_deny(request);
    return TRUE;
}

static gboolean deny(void) { return TRUE; }

static gboolean deny_file(WebKitWebView *view, WebKitFileChooserRequest *request, gpointer data) {
    (void)view, (void)data;
    webkit_file_chooser_request_cancel(request);
    return TRUE;
}

static gboolean deny_authentication(WebKitWebView *view, WebKitAuthenticationRequest *request, gpointer data) {
    (void)view, (void)data;
    webkit_authentication_request_cancel(request);
    return TRUE;
}

static void download_started(WebKitWebContext *context, WebKitDownload *download, gpointer data) {
    (void)context;
    const char *address = webkit_uri_request_get_uri(webkit_download_get_request(download));
    send_event("download", data, address, NULL);
    webkit_download_cancel(download);
}

static void process_ended(WebKitWebView *view, WebKitWebProcessTerminationReason reason, gpointer data) {
    (void)view;
    static const char *const reasons[] = {"crashed", "memory", "terminated"};
    send_event("crashed", data, (guint)reason < G_N_ELEMENTS(reasons) ? reasons[reason] : "crashed", NULL);
}

// MARK: Loading

static void load_changed(WebKitWebView *view, WebKitLoadEvent event, gpointer data) {
    (void)view;
    Page *page = data;
    if (event != WEBKIT_LOAD_COMMITTED) return;
    reply(page->loading, "done", NULL);
    page->loading = 0;
}

static gboolean load_failed(WebKitWebView *view, WebKitLoadEvent event, char *address, GError *error, gpointer data) {
    (void)view, (void)event, (void)address;
    Page *page = data;
    reply(page->loading, "failed", error->message);
    page->loading = 0;
    // No page of WebKit's replaces it.
    return TRUE;
}

// MARK: The life of a page

static void initialize_extensions(WebKitWebContext *context, gpointer data) {
    const Page *page = data;
    char *path = socket_path();
    char *number = g_strdup_printf("%" G_GINT64_FORMAT, page->number);
    webkit_web_context_set_web_extensions_directory(context, extension_folder);
    GVariant *start = g_variant_new("(sss)", path, number, page->secret);
    webkit_web_context_set_web_extensions_initialization_user_data(context, start);
    g_free(number);
    g_free(path);
}

// Turns off what bypasses the proxy, or slows a page down that is not visible.
static void set_features(WebKitSettings *settings) {
    static const char *const refused[] = {
        "DOMTimersThrottling",  "HiddenPageCSSAnimationSuspension", "HiddenPageDOMTimerThrottling",
        "LinkDNSPrefetch",      "LinkPreconnect",                   "LinkPreconnectEarlyHints",
        "ServiceWorkers",       "UsesBackForwardCache",
    };
    WebKitFeatureList *features = webkit_settings_get_all_features();
    for (gsize i = 0; i < webkit_feature_list_get_length(features); i++) {
        WebKitFeature *feature = webkit_feature_list_get(features, i);
        for (gsize j = 0; j < G_N_ELEMENTS(refused); j++) {
            if (strcmp(webkit_feature_get_identifier(feature), refused[j]) != 0) continue;
            webkit_settings_set_feature_enabled(settings, feature, FALSE);
        }
    }
    webkit_feature_list_unref(features);
}

static WebKitSettings *new_settings(const char *user_agent) {
    WebKitSettings *settings = webkit_settings_new();
    webkit_settings_set_hardware_acceleration_policy(settings, WEBKIT_HARDWARE_ACCELERATION_POLICY_NEVER);
    // Scripts may try, and yabbi decides.
    webkit_settings_set_javascript_can_open_windows_automatically(settings, TRUE);
    webkit_settings_set_enable_page_cache(settings, FALSE);
    webkit_settings_set_enable_webrtc(settings, FALSE);
    webkit_settings_set_enable_fullscreen(settings, FALSE);
    webkit_settings_set_enable_back_forward_navigation_gestures(settings, FALSE);
    if (*user_agent) webkit_settings_set_user_agent(settings, user_agent);
    set_features(settings);
    return settings;
}

// Makes the context with cookies, storage and caches of its own, none of which is written to a disk.
static WebKitWebContext *new_context(Page *page, const char *zone, const char *language) {
    WebKitWebsiteDataManager *data = webkit_website_data_manager_new_ephemeral();
    WebKitWebContext *context = g_object_new(WEBKIT_TYPE_WEB_CONTEXT, "website-data-manager", data,
                                             "process-swap-on-cross-site-navigation-enabled", FALSE,
                                             "time-zone-override", *zone ? zone : NULL, NULL);
    char *address = proxy_address(page->proxy);
    WebKitNetworkProxySettings *proxy = webkit_network_proxy_settings_new(address, NULL);
    webkit_website_data_manager_set_network_proxy_settings(data, WEBKIT_NETWORK_PROXY_MODE_CUSTOM, proxy);
    webkit_network_proxy_settings_free(proxy);
    g_free(address);
    // The proxy's certificate; yabbi itself checks those of servers.
    webkit_website_data_manager_set_tls_errors_policy(data, WEBKIT_TLS_ERRORS_POLICY_IGNORE);
    g_object_unref(data);
    webkit_web_context_set_sandbox_enabled(context, TRUE);
    char *shared = shared_folder();
    webkit_web_context_add_path_to_sandbox(context, shared, TRUE);
    g_free(shared);
    webkit_web_context_add_path_to_sandbox(context, extension_folder, TRUE);
    webkit_web_context_set_cache_model(context, WEBKIT_CACHE_MODEL_DOCUMENT_VIEWER);
    if (*language) {
        const char *languages[] = {language, NULL};
        webkit_web_context_set_preferred_languages(context, languages);
    }
    g_signal_connect(context, "initialize-web-extensions", G_CALLBACK(initialize_extensions), page);
    g_signal_connect(context, "download-started", G_CALLBACK(download_started), page);
    return context;
}

static WebKitWebView *new_view(Page *page, const char *user_agent) {
    WebKitSettings *settings = new_settings(user_agent);
    WebKitWebsitePolicies *policies =
        webkit_website_policies_new_with_policies("autoplay", WEBKIT_AUTOPLAY_ALLOW_WITHOUT_SOUND, NULL);
    WebKitWebView *view = g_object_new(WEBKIT_TYPE_WEB_VIEW, "web-context", page->context, "settings", settings,
                                       "website-policies", policies, "is-muted", TRUE, NULL);
    g_object_unref(policies);
    g_object_unref(settings);
    static const struct {
        const char *name;
        GCallback handler;
    } handlers[] = {
        {"decide-policy", G_CALLBACK(decide_policy)},
        {"create", G_CALLBACK(create)},
        {"script-dialog", G_CALLBACK(script_dialog)},
        {"permission-request", G_CALLBACK(deny_permission)},
        {"run-file-chooser", G_CALLBACK(deny_file)},
        {"authenticate", G_CALLBACK(deny_authentication)},
        {"context-menu", G_CALLBACK(deny)},
        {"print", G_CALLBACK(deny)},
        {"enter-fullscreen", G_CALLBACK(deny)},
        {"show-option-menu", G_CALLBACK(deny)},
        {"show-notification", G_CALLBACK(deny)},
        {"load-changed", G_CALLBACK(load_changed)},
        {"load-failed", G_CALLBACK(load_failed)},
        {"web-process-terminated", G_CALLBACK(process_ended)},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(handlers); i++) {
        g_signal_connect(view, handlers[i].name, handlers[i].handler, page);
    }
    return view;
}

static void send_focus(const Page *page) {
    GdkEvent *event = gdk_event_new(GDK_FOCUS_CHANGE);
    event->focus_change.window = g_object_ref(gtk_widget_get_window(page->window));
    event->focus_change.in = TRUE;
    gtk_widget_event(page->window, event);
    gdk_event_free(event);
}

static void close_page(Page *page) {
    g_hash_table_remove(pages, &page->number);
    g_signal_handlers_disconnect_by_data(page->view, page);
    g_signal_handlers_disconnect_by_data(page->context, page);
    if (page->dialog) webkit_script_dialog_unref(page->dialog);
    gtk_widget_destroy(page->window);
    g_object_unref(page->context);
    proxy_free(page->proxy);
    reply(page->opening, "failed", "the page was closed");
    reply(page->loading, "failed", "the page was closed");
    g_free(page->secret);
    g_free(page);
}

// Opens a page: width, height, User-Agent, time zone, language; the last three may be empty.
static void open_page(gint64 number, gint64 answer, const WireMessage *message) {
    Page *old = g_hash_table_lookup(pages, &number);
    if (old) close_page(old);
    Page *page = g_new0(Page, 1);
    page->number = number;
    page->opening = answer;
    page->secret = g_uuid_string_random();
    page->proxy = proxy_new(number, page->secret);
    if (!page->proxy) {
        g_free(page->secret);
        g_free(page);
        return reply(answer, "failed", "the system has no port left for the proxy of a page");
    }
    page->context = new_context(page, wire_text(message, 6), wire_text(message, 7));
    page->view = new_view(page, wire_text(message, 5));
    // A window without a frame: its content has its size.
    page->window = gtk_window_new(GTK_WINDOW_POPUP);
    gtk_container_add(GTK_CONTAINER(page->window), GTK_WIDGET(page->view));
    gtk_window_resize(GTK_WINDOW(page->window), (int)wire_integer(message, 3), (int)wire_integer(message, 4));
    gtk_widget_show_all(page->window);
    gtk_widget_grab_focus(GTK_WIDGET(page->view));
    send_focus(page);
    g_hash_table_insert(pages, &page->number, page);
    webkit_web_view_load_uri(page->view, "about:blank");
}

// MARK: Commands

typedef struct {
    gint64 number;
    int x, y, width, height;
    gboolean is_webp;
} Capture;

static cairo_status_t append(void *bytes, const unsigned char *data, unsigned size) {
    g_byte_array_append(bytes, data, size);
    return CAIRO_STATUS_SUCCESS;
}

static void reply_with_picture(const Capture *capture, cairo_surface_t *picture) {
    if (capture->is_webp) {
        cairo_surface_flush(picture);
        guint8 *bytes = NULL;
        gsize size = WebPEncodeBGRA(cairo_image_surface_get_data(picture), cairo_image_surface_get_width(picture),
                                    cairo_image_surface_get_height(picture), cairo_image_surface_get_stride(picture),
                                    82, &bytes);
        reply_bytes(capture->number, "picture", bytes, size);
        WebPFree(bytes);
        return;
    }
    GByteArray *bytes = g_byte_array_new();
    cairo_surface_write_to_png_stream(picture, append, bytes);
    reply_bytes(capture->number, "picture", bytes->data, bytes->len);
    g_byte_array_unref(bytes);
}

static void captured(GObject *view, GAsyncResult *result, gpointer data) {
    Capture *capture = data;
    GError *error = NULL;
    cairo_surface_t *whole = webkit_web_view_get_snapshot_finish(WEBKIT_WEB_VIEW(view), result, &error);
    if (!whole) {
        reply(capture->number, "failed", error->message);
        g_error_free(error);
        g_free(capture);
        return;
    }
    // The snapshot has the pixels of the screen, and the command has points.
    int scale = gtk_widget_get_scale_factor(GTK_WIDGET(view));
    cairo_surface_set_device_scale(whole, 1, 1);
    int width = capture->width > 0 ? scale * capture->width : cairo_image_surface_get_width(whole);
    int height = capture->height > 0 ? scale * capture->height : cairo_image_surface_get_height(whole);
    cairo_surface_t *part =
        cairo_surface_create_for_rectangle(whole, scale * capture->x, scale * capture->y, width, height);
    cairo_surface_t *picture = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height);
    cairo_t *drawing = cairo_create(picture);
    cairo_set_source_rgb(drawing, 1, 1, 1);
    cairo_paint(drawing);
    cairo_set_source_surface(drawing, part, 0, 0);
    cairo_paint(drawing);
    cairo_destroy(drawing);
    reply_with_picture(capture, picture);
    cairo_surface_destroy(picture);
    cairo_surface_destroy(part);
    cairo_surface_destroy(whole);
    g_free(capture);
}

static void capture(const Page *page, gint64 number, const WireMessage *message) {
    Capture *capture = g_new0(Capture, 1);
    *capture = (Capture){
        number, (int)wire_integer(message, 3), (int)wire_integer(message, 4), (int)wire_integer(message, 5),
        (int)wire_integer(message, 6), strcmp(wire_text(message, 7), "webp") == 0,
    };
    webkit_web_view_get_snapshot(page->view, WEBKIT_SNAPSHOT_REGION_VISIBLE, WEBKIT_SNAPSHOT_OPTIONS_NONE, NULL,
                                 captured, capture);
}

static void evaluated(GObject *view, GAsyncResult *result, gpointer data) {
    gint64 *number = data;
    GError *error = NULL;
    JSCValue *value = webkit_web_view_call_async_javascript_function_finish(WEBKIT_WEB_VIEW(view), result, &error);
    char *json = value ? jsc_value_to_json(value, 0) : NULL;
    if (error) reply(*number, "exception", error->message);
    else reply(*number, "value", json ? json : "null");
    g_free(json);
    if (value) g_object_unref(value);
    g_clear_error(&error);
    g_free(number);
}

// Runs a script in the host's world of the main frame, as if by a user's gesture.
static void run(const Page *page, gint64 number, const char *script) {
    GVariantBuilder arguments;
    g_variant_builder_init(&arguments, G_VARIANT_TYPE_VARDICT);
    g_variant_builder_add(&arguments, "{sv}", "script", g_variant_new_string(script));
    webkit_web_view_call_async_javascript_function(page->view, "return await (0, eval)(script)", -1,
                                                   g_variant_builder_end(&arguments), "yabbi", "yabbi:script", NULL,
                                                   evaluated, g_memdup2(&number, sizeof number));
}

static void cleared(GObject *manager, GAsyncResult *result, gpointer data) {
    gint64 *number = data;
    gboolean is_cleared =
        webkit_website_data_manager_clear_finish(WEBKIT_WEBSITE_DATA_MANAGER(manager), result, NULL);
    reply(*number, is_cleared ? "done" : "failed", is_cleared ? NULL : "the page's storage can't be cleared");
    g_free(number);
}

static void clear_data(const Page *page, gint64 number) {
    WebKitWebsiteDataManager *data = webkit_web_context_get_website_data_manager(page->context);
    webkit_website_data_manager_clear(data, WEBKIT_WEBSITE_DATA_ALL, 0, NULL, cleared,
                                      g_memdup2(&number, sizeof number));
}

static void list_cookies(GObject *manager, GAsyncResult *result, gpointer data) {
    gint64 *number = data;
    GList *cookies = webkit_cookie_manager_get_all_cookies_finish(WEBKIT_COOKIE_MANAGER(manager), result, NULL);
    GString *text = g_string_new(NULL);
    for (GList *each = cookies; each; each = each->next) {
        g_string_append_printf(text, "%s\t%s\n", soup_cookie_get_name(each->data), soup_cookie_get_domain(each->data));
    }
    reply(*number, "cookies", text->str);
    g_string_free(text, TRUE);
    g_list_free_full(cookies, (GDestroyNotify)soup_cookie_free);
    g_free(number);
}

static void read_cookies(const Page *page, gint64 number) {
    WebKitCookieManager *manager = webkit_web_context_get_cookie_manager(page->context);
    webkit_cookie_manager_get_all_cookies(manager, NULL, list_cookies, g_memdup2(&number, sizeof number));
}

static void dismiss_dialog(Page *page) {
    if (!page->dialog) return;
    webkit_script_dialog_close(page->dialog);
    webkit_script_dialog_unref(page->dialog);
    page->dialog = NULL;
}

// Passes a command on to the page's extension: its name, the number of the reply, and its other fields.
static void pass_on(const Page *page, gint64 number, const WireMessage *message) {
    if (!page->extension) return reply(number, "failed", "the page's process has ended");
    GByteArray *copy = wire_begin(wire_text(message, 3));
    wire_add_integer(copy, number);
    for (guint i = 4; i < message->count; i++) wire_add(copy, message->fields[i], message->sizes[i]);
    wire_send(page->extension, copy);
}

static void load(Page *page, gint64 number, const char *address) {
    reply(page->loading, "failed", "another address is loaded instead");
    page->loading = number;
    webkit_web_view_load_uri(page->view, address);
}

static void resize(const Page *page, int width, int height) {
    gtk_window_resize(GTK_WINDOW(page->window), MAX(1, width), MAX(1, height));
}

typedef struct {
    gint64 number;
    int rounds;
} Settling;

static void settled(GObject *view, GAsyncResult *result, gpointer data) {
    Settling *settling = data;
    WebKitUserMessage *answer = webkit_web_view_send_message_to_page_finish(WEBKIT_WEB_VIEW(view), result, NULL);
    if (answer) g_object_unref(answer);
    if (answer && --settling->rounds > 0) {
        WebKitUserMessage *next = webkit_user_message_new("yabbi", NULL);
        webkit_web_view_send_message_to_page(WEBKIT_WEB_VIEW(view), next, NULL, settled, settling);
        return;
    }
    reply(settling->number, "done", NULL);
    g_free(settling);
}

// Replies when the page has handled an input event. WebKit sends the next event when the page has handled the last one,
// so a press after a move needs two rounds.
static void reply_when_settled(const Page *page, gint64 number) {
    if (number == 0) return;
    Settling *settling = g_new0(Settling, 1);
    *settling = (Settling){number, 2};
    WebKitUserMessage *first = webkit_user_message_new("yabbi", NULL);
    webkit_web_view_send_message_to_page(page->view, first, NULL, settled, settling);
}

// Handles input; FALSE for other commands.
static gboolean handle_input(const Page *page, const char *name, const WireMessage *message) {
    GtkWidget *view = GTK_WIDGET(page->view);
    const char *kind = wire_text(message, 3);
    double first = wire_number(message, 4), second = wire_number(message, 5);
    if (strcmp(name, "mouse") == 0) input_mouse(view, kind, first, second);
    else if (strcmp(name, "touch") == 0) input_touch(view, kind, first, second);
    else if (strcmp(name, "wheel") == 0) {
        input_wheel(view, wire_number(message, 3), first, second, wire_number(message, 6));
    } else if (strcmp(name, "key") == 0) {
        const char *text = wire_text(message, 5);
        input_key(view, strcmp(kind, "down") == 0, wire_text(message, 4), text, (guint)wire_integer(message, 6));
    } else return FALSE;
    return TRUE;
}

void pages_handle(const WireMessage *message) {
    const char *name = wire_text(message, 0);
    gint64 number = wire_integer(message, 1);
    gint64 id = wire_integer(message, 2);
    if (strcmp(name, "open") == 0) return open_page(id, number, message);
    Page *page = g_hash_table_lookup(pages, &id);
    if (!page) return reply(number, "failed", "the page does not exist");
    if (strcmp(name, "script") == 0) return pass_on(page, number, message);
    if (strcmp(name, "answer") == 0) return proxy_answer(page->proxy, message, 3);
    if (strcmp(name, "fail") == 0) return proxy_fail(page->proxy, wire_integer(message, 3));
    if (strcmp(name, "run") == 0) return run(page, number, wire_text(message, 3));
    if (strcmp(name, "load") == 0) return load(page, number, wire_text(message, 3));
    if (strcmp(name, "capture") == 0) return capture(page, number, message);
    if (strcmp(name, "clear") == 0) return clear_data(page, number);
    if (strcmp(name, "cookies") == 0) return read_cookies(page, number);
    if (handle_input(page, name, message)) return reply_when_settled(page, number);
    if (strcmp(name, "screen") == 0) {
        resize(page, (int)wire_integer(message, 3), (int)wire_integer(message, 4));
    } else if (strcmp(name, "agent") == 0) {
        webkit_settings_set_user_agent(webkit_web_view_get_settings(page->view), wire_text(message, 3));
    } else if (strcmp(name, "dismiss") == 0) {
        dismiss_dialog(page);
    } else if (strcmp(name, "terminate") == 0) {
        webkit_web_view_terminate_web_process(page->view);
    } else if (strcmp(name, "close") == 0) {
        close_page(page);
    } else {
        return reply(number, "failed", "the helper does not know this command");
    }
    reply(number, "done", NULL);
}
