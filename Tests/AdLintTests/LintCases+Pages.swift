/// Markup and scripts of banners.
extension LintCase {
    private static let link = "<a href=\"https://shop.example.com/\" target=\"_blank\">"
    private static let picture = "<img src=\"https://i.example.com/tea.png\" alt=\"Tea\" width=\"320\" height=\"50\">"
    private static let pixel = "<img src=\"https://t.example.com/view\" width=\"1\" height=\"1\" alt=\"\">"

    static let pages: [LintCase] = [
        .whole(
            "html-error-page",
            "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>",
            not: "<html><head><title>500 teas</title></head><body><h1>404 ways to make tea</h1></body></html>"
        ),
        .whole("html-error-page", "<h1>Error 404 (Not Found)!!1</h1>", not: "<h1>404</h1>"),
        .whole("html-error-page", "404 page not found", not: "404 teas found, and none is like this one"),
        .whole(
            "html-error-page",
            "<br />\n<b>Warning</b>:  Undefined variable $a in <b>/a.php</b> on line <b>2</b><br />",
            not: "<b>Warning</b>: hot tea"
        ),
        .whole("html-error-page", "Fatal error: Uncaught Error in /a.php", not: "Tea: no fatal error: ever"),
        .whole("html-empty", "<div style=\"display:none\">x</div>", not: "<div>x</div>"),
        .whole(
            "html-empty",
            "<img src=\"https://t.example.com/\" width=\"1\" height=\"1\" alt=\"\" onload=\"this.style.display='none'\">",
            not:
                "<a href=\"https://shop.example.com/\"><div style=\"width:300px;height:250px;background:#fc0\"></div></a>"
        ),
        .whole(
            "html-too-complex",
            String(repeating: "<div>", count: 500),
            not: String(repeating: "<div></div>", count: 500)
        ),
        .whole(
            "html-link-missing",
            "<b>Tea</b>",
            not: "<b onclick=\"window.open('https://shop.example.com/')\">Tea</b>"
        ),
        .html("html-link-dead", "https://shop.example.com/", "#", not: "https://shop.example.com/#top"),
        .html("html-link-javascript", "https://shop.example.com/", "javascript:buy()"),
        .html("html-link-insecure", "https://shop.example.com/", "http://shop.example.com/"),
        .html(
            "html-address-relative",
            "https://i.example.com/tea.png",
            "tea.png",
            not: "data:image/gif;base64,R0lGODlhAQABAAAAACw="
        ),
        .html("html-resource-insecure", "https://i.example.com/tea.png", "http://i.example.com/tea.png"),
        .html(
            "html-script-insecure",
            "<title>",
            "<script src=\"http://s.example.com/a.js\"></script><title>",
            not: "<script src=\"https://s.example.com/a.js\"></script><title>"
        ),
        .html(
            "html-refresh",
            "<title>",
            "<meta http-equiv=\"refresh\" content=\"1; url=https://shop.example.com/\"><title>"
        ),
        .html(
            "html-pixel-twice",
            pixel,
            pixel + pixel,
            not: pixel + pixel.split(separator: "view").joined(separator: "seen")
        ),
        .html("html-macro-unresolved", "https://shop.example.com/", "https://shop.example.com/?p=${OUR_PRICE}"),
        .html(
            "html-plugin",
            "<p>",
            "<object type=\"application/x-shockwave-flash\" data=\"https://i.example.com/a.swf\"></object><p>"
        ),
        .html(
            "html-autoplay-sound",
            "<p>",
            "<video autoplay playsinline src=\"https://i.example.com/a.mp4\"></video><p>",
            not: "<video autoplay muted playsinline src=\"https://i.example.com/a.mp4\"></video><p>"
        ),
        .html(
            "html-audio-autoplay",
            "<p>",
            "<audio autoplay src=\"https://i.example.com/a.mp3\"></audio><p>",
            not: "<audio controls src=\"https://i.example.com/a.mp3\"></audio><p>"
        ),
        .html(
            "html-playsinline-missing",
            "<p>",
            "<video src=\"https://i.example.com/a.mp4\"></video><p>",
            not: "<video playsinline src=\"https://i.example.com/a.mp4\"></video><p>"
        ),
        .html(
            "html-frame-hidden",
            "<p>",
            "<iframe src=\"https://sync.example.com/\" width=\"0\" height=\"0\"></iframe><p>",
            not: "<iframe src=\"https://sync.example.com/\" width=\"300\" height=\"50\"></iframe><p>"
        ),
        .html(
            "html-form-insecure",
            "<p>",
            "<form action=\"http://f.example.com/\"></form><p>",
            not: "<form action=\"https://f.example.com/\"></form><p>"
        ),
        .html("html-input-private", "<p>", "<input type=\"password\"><p>", not: "<input type=\"email\"><p>"),
        .whole("html-charset-missing", page("\u{422}\u{435}\u{430}"), not: page("Tea")),
        .html("html-doctype-missing", "<!DOCTYPE html>", ""),
        .html("html-heavy", "<p>", "<p>" + String(repeating: "tea ", count: 60_000)),
        .html(
            "html-data-heavy",
            "https://i.example.com/tea.png",
            "data:image/png;base64," + String(repeating: "A", count: 120_000)
        ),
        .html(
            "html-scripts-many",
            "<title>",
            (1...12).map { "<script src=\"https://s.example.com/\($0).js\"></script>" }.joined() + "<title>"
        ),
        .html("html-image-alt-missing", " alt=\"Tea\"", "", not: " alt=\"\""),
        .html("html-target-top", "target=\"_blank\"", "target=\"_top\""),
        .html("html-size-unreadable", "width=320,height=50", "320x50"),
        .whole(
            "mraid-not-loaded",
            "<script src=\"mraid2.js\"></script>"
                + LintSamples.script("document.onclick = function () { mraid.open(u); };"),
            not: LintSamples.mraid("").replacingFirst("mraid.js", with: "MRAID.JS")
        )
        .also("html-address-relative"),
        .html("html-tag-truncated", "</body></html>", "<b class=\"x"),
        .html("html-content-unclosed", "</body></html>", "<!-- end"),
        .html("html-attribute-twice", "alt=\"Tea\"", "alt=\"Tea\" alt=\"Mint\""),
        .html("html-element-misplaced", "<p>", "<td>x</td><html><p>"),
        .html("html-element-unclosed", "<p>", "<div><b>x</div><p>", not: "<div><b>x</b></div><p>"),
        .html("html-end-tag-stray", "<p>", "</b><p>"),
        .html("html-control-characters", "Tea &amp;", "Tea \u{1} &amp;"),
        .html("html-character-wrong", "Tea &amp; more", "Tea &copy more", not: "Tea &copy; more"),
        .whole(
            "mraid-not-loaded",
            LintSamples.script("document.onclick = function () { mraid.open('https://shop.example.com/'); };"),
            not: LintSamples.mraid("")
        ),
        .whole(
            "mraid-unused",
            "<script src=\"mraid.js\"></script><a href=\"https://shop.example.com/\">Tea</a>",
            not: LintSamples.mraid("")
        ),
        .whole(
            "mraid-address",
            "<script src=\"https://cdn.example.com/mraid.js\"></script><a href=\"https://shop.example.com/\">Tea</a>",
            not: LintSamples.mraid("")
        ),
        .whole(
            "mraid-ready-only",
            "<script src=\"mraid.js\"></script><b>Tea</b><script>mraid.addEventListener('ready', begin);</script>",
            not: LintSamples.mraid("")
        ),
        .mraid(
            "mraid-film-insecure",
            "document.onclick = function () { mraid.playVideo('http://m.example.com/tea.mp4'); };",
            not: "document.onclick = function () { mraid.playVideo('https://m.example.com/tea.mp4'); };"
        ),
        .html("mraid-scheme", "https://shop.example.com/", "mraid://open?url=https://shop.example.com/"),
        .whole(
            "mraid-no-ready",
            "<script src=\"mraid.js\"></script><b>Tea</b><script>mraid.setOrientationProperties({});</script>",
            not: LintSamples.mraid("")
        ),
    ]

    private static func page(_ text: String) -> String {
        "<!DOCTYPE html><html><head><meta name=\"viewport\" content=\"width=device-width\"></head><body><a href=\"https://shop.example.com/\">\(text)</a></body></html>"
    }

    static let code: [LintCase] = [
        .script(
            "script-window-open-at-load",
            "window.open('https://shop.example.com/');",
            not: "document.onclick = function () { window.open('https://shop.example.com/'); };"
        ),
        .script(
            "script-window-open-at-load",
            "function go() { window.open('https://x.example.com/'); } setTimeout(go, 500);",
            not: "function go() { window.open('https://x.example.com/'); } document.addEventListener('click', go);"
        ),
        .script(
            "script-window-open-at-load",
            "(function () { window.open('https://x.example.com/'); })();",
            not: "document.addEventListener('touchend', () => window.open('https://x.example.com/'));"
        ),
        .script(
            "script-redirect-at-load",
            "window.onload = function () { location.href = 'https://shop.example.com/'; };",
            not: "button.addEventListener('click', function () { location.href = 'https://shop.example.com/'; });"
        ),
        .script(
            "script-redirect-at-load",
            "location.replace('https://shop.example.com/')",
            not: "if (location.href == 'x') { location.hash = 'y'; }"
        ),
        .script(
            "script-top-navigation",
            "link.onclick = function () { top.location = 'https://shop.example.com/'; };",
            not: "var here = top.location;"
        ),
        .script(
            "script-parent-access",
            "parent.document.body.className = 'x';",
            not: "parent.postMessage('x', '*'); node.parent.document = 'x';"
        ),
        .script(
            "script-self-click",
            "document.getElementById('a').click();",
            not: "button.onclick = function () { link.click(); };"
        ),
        .script(
            "script-document-write",
            "document.write('<b>Tea</b>');",
            not: "// document.write('x');\nlog.write('x');"
        ),
        .script("script-dialog", "alert('Tea!');", not: "var alert = 'no'; toast.alert('x');"),
        .script("script-eval", "eval('1 + 1');", not: "model.eval('x'); var s = 'eval(1)';"),
        .script("script-timer-text", "setTimeout('go()', 100);", not: "setTimeout(go, 100);"),
        .script("script-timer-fast", "setInterval(draw, 5);", not: "setInterval(draw, 1000);"),
        .script("script-endless-loop", "while (true) { draw(); }", not: "while (true) { if (done) break; }"),
        .script(
            "script-storage",
            "localStorage.setItem('a', 'b');",
            not: "try { localStorage.setItem('a', 'b'); } catch (e) {}"
        ),
        .script("script-cookie", "document.cookie = 'a=b';", not: "jar.cookie = 'a';"),
        .script("script-geolocation", "navigator.geolocation.getCurrentPosition(f);", not: "var geolocation = 1;"),
        .script(
            "script-camera",
            "navigator.mediaDevices.getUserMedia({ video: true });",
            not: "var media = 'getUserMedia';"
        ),
        .script(
            "script-notification",
            "Notification.requestPermission();",
            not: "DeviceOrientationEvent.requestPermission();"
        ),
        .script("script-clipboard", "navigator.clipboard.readText();", not: "document.execCommand('bold');"),
        .script("script-vibrate", "navigator.vibrate(200);", not: "phone.vibrate(200);"),
        .script(
            "script-audio-at-load",
            "var a = new Audio('https://s.example.com/a.mp3'); a.play();",
            not: "var a = new Audio('https://s.example.com/a.mp3'); document.onclick = function () { a.play(); };"
        ),
        .script(
            "script-fullscreen-at-load",
            "document.body.requestFullscreen();",
            not: "document.onclick = function () { document.body.requestFullscreen(); };"
        ),
        .script(
            "script-synchronous-request",
            "var r = new XMLHttpRequest(); r.open('GET', 'https://s.example.com/', false);",
            not: "var r = new XMLHttpRequest(); r.open('GET', 'https://s.example.com/', true);"
        ),
        .script(
            "script-unload-handler",
            "window.addEventListener('beforeunload', stay);",
            not: "window.addEventListener('pagehide', stop);"
        ),
        .script("script-history", "history.pushState({}, '', '#a');", not: "var history = []; history.push(1);"),
        .script("script-worker-service", "navigator.serviceWorker.register('sw.js');", not: "new Worker('w.js');"),
        .script("script-debugger", "debugger;", not: "var text = 'debugger';"),
        .script("script-console", "console.log('Tea');", not: "/* console.log('Tea'); */"),
        .mraid(
            "mraid-method-unknown",
            "document.onclick = function () { mraid.opne('https://shop.example.com/'); };",
            not: "document.onclick = function () { mraid.open('https://shop.example.com/'); };"
        ),
        .mraid(
            "mraid-event-unknown",
            "mraid.addEventListener('visible', begin);",
            not: "mraid.addEventListener('exposureChange', begin);"
        ),
        .mraid(
            "mraid-deprecated",
            "mraid.addEventListener('viewableChange', begin);",
            not: "mraid.addEventListener('exposureChange', begin);"
        ),
        .mraid(
            "mraid-open-at-load",
            "mraid.addEventListener('ready', function () { mraid.open('https://shop.example.com/'); });",
            not: "document.body.ontouchend = function () { mraid.open('https://shop.example.com/'); };"
        ),
        .mraid("mraid-expand-at-load", "mraid.expand();", not: "document.onclick = function () { mraid.expand(); };"),
        .mraid("mraid-close-at-load", "mraid.close();", not: "document.onclick = function () { mraid.close(); };"),
        .mraid(
            "mraid-open-empty",
            "document.onclick = function () { mraid.open(); };",
            not: "document.onclick = function () { mraid.open(link); };"
        ),
        .mraid(
            "mraid-resize-unprepared",
            "document.onclick = function () { mraid.resize(); };",
            not: "document.onclick = function () { mraid.setResizeProperties({}); mraid.resize(); };"
        ),
        .mraid(
            "mraid-window-open",
            "document.onclick = function () { window.open('https://shop.example.com/'); };",
            not: "document.onclick = function () { window.mraid ? mraid.open(l) : window.open(l); };"
        ),
    ]
}
