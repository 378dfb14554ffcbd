// The life of a page: its context, settings and view.

#include "page.h"

#include <ftw.h>
#include <stdio.h>
#include <string.h>

static void load_changed(WebKitWebView *view, WebKitLoadEvent event, gpointer data) {
    Page *page = data;
    // Each page begins with the empty document.
    if (!page->has_document) {
        page->has_document = event == WEBKIT_LOAD_FINISHED;
        if (page->has_document) page->history = webkit_web_view_get_session_state(view);
        return page_opened(page);
    }
    if (event == WEBKIT_LOAD_STARTED) page->has_started = TRUE;
    gboolean is_over = event == WEBKIT_LOAD_FINISHED && page->has_started;
    if (event != WEBKIT_LOAD_COMMITTED && !is_over) return;
    // WebKit refuses some addresses without a failure, such as those with the ports of other protocols.
    reply(page->loading, is_over ? "failed" : "done", is_over ? "WebKit does not load this address" : NULL);
    page->loading = 0;
}

void page_opened(Page *page) {
    if (!page->extension || !page->has_document) return;
    reply(page->opening, "done", NULL);
    page->opening = 0;
}

static gboolean load_failed(WebKitWebView *view, WebKitLoadEvent event, char *address, GError *error, gpointer data) {
    (void)view, (void)event, (void)address;
    Page *page = data;
    reply(page->loading, "failed", error->message);
    page->loading = 0;
    // No page of WebKit's replaces it.
    return TRUE;
}

void page_load(Page *page, gint64 number, const char *address) {
    reply(page->loading, "failed", "another address is loaded instead");
    page->loading = number;
    page->has_started = FALSE;
    webkit_web_view_load_uri(page->view, address);
}

static void initialize_extensions(WebKitWebContext *context, gpointer data) {
    const Page *page = data;
    char *path = extensions_socket();
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
        const char *name = webkit_feature_get_identifier(feature);
        for (gsize j = 0; j < G_N_ELEMENTS(refused); j++) {
            if (strcmp(name, refused[j]) == 0) webkit_settings_set_feature_enabled(settings, feature, FALSE);
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

static int remove_file(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void)status, (void)type, (void)place;
    return remove(path);
}

static gboolean remove_later(gpointer data) {
    char *path = data;
    nftw(path, remove_file, 8, FTW_DEPTH | FTW_PHYS);
    if (g_file_test(path, G_FILE_TEST_EXISTS)) return G_SOURCE_CONTINUE;
    g_free(path);
    return G_SOURCE_REMOVE;
}

// Makes cookies, storage and caches in a folder of the page: WebKit reports no errors of pages without one.
static WebKitWebsiteDataManager *new_data(Page *page) {
    static guint64 last = 0;
    char *name = g_strdup_printf("data-%" G_GUINT64_FORMAT, ++last);
    page->data_folder = g_build_filename(folder, name, NULL);
    g_free(name);
    return webkit_website_data_manager_new("base-data-directory", page->data_folder, "base-cache-directory",
                                           page->data_folder, NULL);
}

static WebKitWebContext *new_context(Page *page, const char *zone, const char *language) {
    WebKitWebsiteDataManager *data = new_data(page);
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
    // Yabbi decides on requests without TLS; WebKit would refuse them without a word, also those to this computer.
    webkit_security_manager_register_uri_scheme_as_secure(webkit_web_context_get_security_manager(context), "http");
    webkit_web_context_set_sandbox_enabled(context, is_sandboxed);
    char *shared = extensions_folder();
    webkit_web_context_add_path_to_sandbox(context, shared, TRUE);
    g_free(shared);
    webkit_web_context_add_path_to_sandbox(context, extension_folder, TRUE);
    webkit_web_context_set_cache_model(context, WEBKIT_CACHE_MODEL_DOCUMENT_VIEWER);
    if (*language) {
        const char *languages[] = {language, NULL};
        webkit_web_context_set_preferred_languages(context, languages);
    }
    g_signal_connect(context, "initialize-web-extensions", G_CALLBACK(initialize_extensions), page);
    return context;
}

// Hides scroll bars, as phones do: a press near the edge of a page would be one on its scroll bar, and no click.
static WebKitUserContentManager *new_contents(void) {
    WebKitUserContentManager *contents = webkit_user_content_manager_new();
    WebKitUserStyleSheet *sheet = webkit_user_style_sheet_new(
        "::-webkit-scrollbar { display: none !important }", WEBKIT_USER_CONTENT_INJECT_ALL_FRAMES,
        WEBKIT_USER_STYLE_LEVEL_USER, NULL, NULL);
    webkit_user_content_manager_add_style_sheet(contents, sheet);
    webkit_user_style_sheet_unref(sheet);
    return contents;
}

static WebKitWebView *new_view(Page *page, const char *user_agent) {
    WebKitSettings *settings = new_settings(user_agent);
    WebKitUserContentManager *contents = new_contents();
    WebKitWebsitePolicies *policies =
        webkit_website_policies_new_with_policies("autoplay", WEBKIT_AUTOPLAY_ALLOW_WITHOUT_SOUND, NULL);
    WebKitWebView *view = g_object_new(WEBKIT_TYPE_WEB_VIEW, "web-context", page->context, "settings", settings,
                                       "website-policies", policies, "is-muted", TRUE,
                                       "user-content-manager", contents, NULL);
    g_object_unref(contents);
    g_object_unref(policies);
    g_object_unref(settings);
    g_signal_connect(view, "load-changed", G_CALLBACK(load_changed), page);
    g_signal_connect(view, "load-failed", G_CALLBACK(load_failed), page);
    g_signal_connect(view, "draw", G_CALLBACK(pictures_drawn), page);
    return view;
}

static void send_focus(const Page *page) {
    GdkEvent *event = gdk_event_new(GDK_FOCUS_CHANGE);
    event->focus_change.window = g_object_ref(gtk_widget_get_window(page->window));
    event->focus_change.in = TRUE;
    gtk_widget_event(page->window, event);
    gdk_event_free(event);
}

void page_close(Page *page) {
    g_hash_table_remove(pages, &page->number);
    g_signal_handlers_disconnect_by_data(page->view, page);
    g_signal_handlers_disconnect_by_data(page->context, page);
    // A connection that waits would not notice its end.
    if (page->extension) wire_pause(page->extension, FALSE);
    page->extension = NULL;
    extensions_release(page);
    if (page->dialog) webkit_script_dialog_unref(page->dialog);
    gtk_widget_destroy(page->window);
    if (page->history) webkit_web_view_session_state_unref(page->history);
    g_object_unref(page->context);
    // The network process still writes to it for a moment.
    nftw(page->data_folder, remove_file, 8, FTW_DEPTH | FTW_PHYS);
    g_timeout_add_seconds(2, remove_later, page->data_folder);
    proxy_free(page->proxy);
    reply(page->opening, "failed", "the page was closed");
    reply(page->loading, "failed", "the page was closed");
    g_free(page->secret);
    g_free(page);
}

void page_open(gint64 number, gint64 answer, const WireMessage *message) {
    Page *old = g_hash_table_lookup(pages, &number);
    if (old) page_close(old);
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
    attempts_connect(page);
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
