// What a page tries: to navigate, to open windows and dialogs, to load files down. Yabbi decides, or it is refused.

#include "page.h"

#include <string.h>

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
    char *text = g_strndup(webkit_script_dialog_get_message(dialog), 8u << 10);
    send_event("dialog", page, kind < G_N_ELEMENTS(kinds) ? kinds[kind] : "dialog", text);
    g_free(text);
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

void attempts_connect(Page *page) {
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
        {"web-process-terminated", G_CALLBACK(process_ended)},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(handlers); i++) {
        g_signal_connect(page->view, handlers[i].name, handlers[i].handler, page);
    }
    g_signal_connect(page->context, "download-started", G_CALLBACK(download_started), page);
}
