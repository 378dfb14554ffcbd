/// Cases from real tags and creatives: former false findings, and mistakes that were missed.
extension LintCase {
    private static func link(_ address: String) -> String { "<a href=\"\(address)\" target=\"_blank\"><b>Tea</b></a>" }

    private static func handler(_ code: String) -> String { "<b onclick=\"\(code)\">Tea</b>" }

    static let field: [LintCase] = macros + syntax + scripts + hosts + layout + fieldDocuments

    private static let macros: [LintCase] = [
        .whole(
            "html-macro-click",
            link("{clickurl}https://shop.example.com/"),
            not: link("https://shop.example.com/{id}")
        ),
        .whole(
            "html-macro-click",
            link("__CLICK__https://shop.example.com/"),
            not: link("https://shop.example.com/__a__")
        ),
        .whole(
            "html-macro-click",
            link("##CLICK##https://shop.example.com/"),
            not: link("https://shop.example.com/#click")
        ),
        .whole(
            "html-macro-click",
            link("[CLICKTRACKER]https://shop.example.com/"),
            not: link("%%CLICK_URL_UNESC%%https://s.example.com/")
        ),
        .whole(
            "html-macro-click",
            link("https://c.example.com/?u={{CLICK_MACRO}}"),
            not: link("https://c.example.com/?u=%c")
        ),
        .whole("html-macro-click", link("INSERT_CLICK_HERE"), not: link("https://shop.example.com/INSERT_COIN")),
        .whole(
            "html-macro-click",
            link("@@CLICK@@https://shop.example.com/"),
            not: link("https://shop.example.com/@me")
        ),
        .whole("html-macro-click", link("$CLICK$https://shop.example.com/"), not: link("https://shop.example.com/$5")),
        .whole(
            "html-macro-click",
            LintSamples.script(
                "document.onclick = function () { window.open('{{CLICK_MACRO}}https://shop.example.com/'); };"
            ),
            not: LintSamples.script("var s = document.querySelector('[click]'), t = '{{title}}';")
        ),
        .whole(
            "html-macro-unresolved",
            LintSamples.script("new Image().src = 'https://t.example.com/?c=[CACHEBUSTER]';"),
            not: LintSamples.script("new Image().src = 'https://t.example.com/?c=[0]';")
        ),
        .whole("macro-serving", link("https://shop.example.com/?r=%n"), not: link("https://shop.example.com/?r=%6e")),
        .whole(
            "macro-serving",
            link("https://shop.example.com/?p=%epid!"),
            not: link("https://shop.example.com/?p=%65pid!")
        ),
        .whole(
            "macro-serving",
            link("https://shop.example.com/;ord=[timestamp]?"),
            not: link("https://shop.example.com/?a[timestamp]=1")
        ),
        .whole(
            "macro-serving",
            link("%%CLICK_URL_UNESC%%https://shop.example.com/"),
            not: link("https://shop.example.com/")
        ),
        .whole(
            "macro-serving",
            LintSamples.script("var c = '${CLICK_URL}https://shop.example.com/';"),
            not: LintSamples.script("var c = `${CLICK}https://shop.example.com/`;")
        ),
        .vast("macro-serving", "view?r=[CACHEBUSTING]", "view?p=${AUCTION_PRICE}"),
        .vast("macro-vendor", "view?r=[CACHEBUSTING]", "view?r=[AD_MT]&v=[VIEWABILITY]"),
        .vast("macro-vendor", "view?r=[CACHEBUSTING]", "view?u=[UACH]"),
        .vast("macro-unresolved", "view?r=[CACHEBUSTING]", "view?r=##RANDOM##"),
        .answer(
            "html-macro-unresolved",
            "https://i.example.com/tea.png",
            "https://i.example.com/tea.png?p=${AUCTION_PRICE}"
        ),
    ]

    private static let syntax: [LintCase] =
        [
            ("function go() { window.open(u)", "function go() { window.open(u) }"),
            ("if (a { b(); }", "if (a) { b(); }"),
            ("var a = [1, 2;", "var a = [1, 2];"),
            ("var a = 'Tea;\nb();", "var a = 'Tea\\\n'; b();"),
            ("var a = `Tea; b();", "var a = `Tea\n${b()}`;"),
            ("var a = /tea; b();", "var a = /[/]tea\\//g; b();"),
            ("/* Tea", "/* Tea */"),
            ("var a = 1 + ;", "var a = 1 + -b;"),
            ("else { a(); }", "if (b) c(); else { a(); }"),
            ("function (a) { b(); }", "(function (a) { b(); });"),
            ("function go({ return 1 }", "function go({a}) { return 1 }"),
            ("var a = {b: 1 c: 2};", "var a = {b: 1, c: 2,};"),
            ("a b;", "a\nb;"),
            ("} a();", "{ } a();"),
            ("for (var i = 0; i < 3) { a(); }", "for (var i = 0; i < 3;) { i++; }"),
            ("var w = 300px;", "var w = '300px';"),
            ("var a = \u{201C}Tea\u{201D};", "var a = '\u{201C}Tea\u{201D}';"),
            ("return 1;", "(() => { return 1; })();"),
            ("try { a(); } b();", "try { a(); } catch { b(); }"),
            ("catch (e) { }", "try { } catch (e) { }"),
            ("switch (a) { b(); }", "switch (a) { case 1: b(); }"),
            ("var if = 1;", "var a = {if: 1}; a.if = 2;"),
            ("a(1, 2", "a(1, 2,)"),
            ("var f = () =>;", "var f = async (a, ...b) => a;"),
            ("class A { b() { }", "class A { b() { } static #c = 1 }"),
            ("a = b ? c;", "a = b ? c : d;"),
            ("do { a(); } (b);", "do { a(); } while (b) c();"),
            ("a..b;", "a.b?.c?.[1]?.();"),
            ("let a = (1, 2;", "let a = (1, 2);"),
            ("new;", "new A; new A.B(1);"),
            ("throw;", "throw new A;"),
            ("`${a`;", "`${a}`;"),
            ("for (let of xs) { a(); }", "for (let of of xs) { a(of); } let of = 1;"),
        ]
        .map { .script("script-syntax", $0.0, not: $0.1) } + [
            .whole(
                "script-syntax",
                handler("window.open('https://shop.example.com/'"),
                not: handler("window.open('https://shop.example.com/'); return false")
            ),
            .whole(
                "script-syntax",
                "<a href=\"javascript:void(window.open(u)\">Tea</a>",
                not: "<a href=\"javascript:void(window.open(u))\">Tea</a>"
            ),
            .whole(
                "script-syntax",
                "<a href=\"javascript:window.open(%27https://shop.example/\">Tea</a>",
                not: "<a href=\"javascript:window.open(%27https://shop.example/%27)\">Tea</a>"
            ),
            .whole(
                "script-syntax",
                "<b>Tea</b><script>\n#!a b\n</script>",
                not: "<b>Tea</b><script>#!a b\na()</script>"
            )
            .also("html-link-missing"),
            .script("script-syntax", "var a = %%CACHEBUSTER;", not: "var a = %%CACHEBUSTER%%, b = {{B}}, c = ##C##;"),
        ]

    private static let scripts: [LintCase] = [
        .script(
            "script-busy-loop",
            "var t = Date.now(); while (Date.now() - t < 3000) { }",
            not: "while (queue.length) { queue.pop(); }"
        ),
        .script("script-busy-loop", "for (var i = 0; i < 1e9; i++) {}", not: "for (var i = 0; i < 10; a[i++] = 0);"),
        .script(
            "script-busy-loop",
            "for (var end = +new Date() + 500; new Date() < end;);",
            not: "do { b(); } while (Date.now() < t);"
        ),
        .script(
            "script-request-insecure",
            "navigator.sendBeacon('http://t.example.com/x');",
            not: "navigator.sendBeacon('https://t.example.com/x');"
        ),
        .script(
            "script-request-insecure",
            "fetch('http://t.example.com/x');",
            not: "fetch('/x'); shop.fetch('http://t.example.com/x');"
        ),
        .script(
            "script-request-insecure",
            "var r = new XMLHttpRequest(); r.open('GET', 'http://t.example.com/x', true);",
            not: "var r = new XMLHttpRequest(); r.open('GET', 'https://t.example.com/x', true);"
        ),
        .script(
            "html-script-insecure",
            "document.write(\"<scr\" + \"ipt src='http://cdn.example.com/x.js'></scr\" + \"ipt>\");",
            not: "document.write(\"<scr\" + \"ipt src='https://cdn.example.com/x.js'></scr\" + \"ipt>\");"
        )
        .also("script-document-write"),
        .script(
            "html-resource-insecure",
            "document.write('<img src=\"http://cdn.example.com/x.png\" alt=\"\">');",
            not: "document.write('<b>http://cdn.example.com/x.png</b>');"
        )
        .also("script-document-write"),
        .script(
            "script-window-open-at-load",
            "window.open('https://pop.example.com/');",
            not: "function go() { window.open('https://pop.example.com/')"
        ),
        .html(
            "html-link-javascript",
            "https://shop.example.com/",
            "javascript:buy()",
            not: "javascript:window.open(window.clickTag)"
        ),
    ]

    private static let hosts: [LintCase] = [
        .mraid(
            "mraid-open-relative",
            "document.onclick = function () { mraid.open('shop.example.com/tea'); };",
            not: "document.onclick = function () { mraid.open('${CLICK_URL}https://shop.example.com/'); };"
        ),
        .mraid(
            "mraid-expand-insecure",
            "document.onclick = function () { mraid.expand('http://shop.example.com/two.html'); };",
            not: "document.onclick = function () { mraid.expand('two.html'); };"
        ),
        .mraid(
            "mraid-property-wrong",
            "mraid.setOrientationProperties({forceOrientation: 'landscpe'});",
            not: "mraid.setOrientationProperties({forceOrientation: 'landscape'});"
        ),
        .mraid(
            "mraid-property-wrong",
            "document.onclick = function () { mraid.setResizeProperties({customClosePosition: 'middle'}); };",
            not: "document.onclick = function () { mraid.setResizeProperties({customClosePosition: 'center'}); };"
        ),
        .mraid(
            "mraid-supports-missing",
            "document.onclick = function () { mraid.storePicture('https://i.example.com/p.png'); };",
            not:
                "document.onclick = function () { mraid.supports('storePicture') && mraid.storePicture('https://i.example.com/p.png'); };"
        ),
        .mraid(
            "mraid-supports-missing",
            "document.onclick = function () { mraid.createCalendarEvent({}); };",
            not: "document.onclick = function () { if (mraid.supports('calendar')) mraid.createCalendarEvent({}); };"
        ),
        .mraid(
            "mraid-window-open",
            "document.onclick = function () { window.location = 'https://shop.example.com/'; };",
            not: "document.onclick = function () { var here = window.location; mraid.open(here.href); };"
        ),
        .mraid(
            "mraid-window-open",
            "a.onclick = function () { mraid.open(u); }; b.onclick = function () { window.location = u; };",
            not:
                "a.onclick = function () { window.mraid ? mraid.open(u) : setTimeout(function () { location.href = u; }); };"
        ),
        .script(
            "html-link-insecure",
            "document.onclick = function () { window.open('http://shop.example.com/'); };",
            not: "document.onclick = function () { window.open('https://shop.example.com/'); };"
        ),
        .mraid(
            "html-link-insecure",
            "document.onclick = function () { mraid.open('http://shop.example.com/'); };",
            not: "document.onclick = function () { mraid.open('https://shop.example.com/'); };"
        ),
        .mraid(
            "url-scheme-wrong",
            "document.onclick = function () { mraid.open('file:///etc/passwd'); };",
            not: "document.onclick = function () { mraid.open('tel:+49123'); };"
        ),
    ]

    private static let layout: [LintCase] = [
        .html(
            "html-image-size",
            "width=\"320\" height=\"50\"",
            "width=\"320\" height=\"80\"",
            not: "width=\"300\" height=\"50\""
        ),
        .html(
            "html-animation-endless",
            "a { color: #123 }",
            "a { animation: spin 1s linear infinite }",
            not: "a { animation: spin 1s linear 3; --animation-infinite: 1 }"
        ),
        .html("html-animation-endless", "<p>", "<p style=\"animation: spin 1s infinite\">"),
        .html("html-target-self", "target=\"_blank\"", "target=\"_self\""),
        .whole(
            "html-empty",
            "<div></div>",
            not: "<img src=\"data:image/png,x\" style=\"display:none\" onerror=\"draw(this)\">"
        ),
        .whole(
            "html-viewport-missing",
            "<!DOCTYPE html><html><head><meta charset=\"utf-8\"></head><body>\(link("https://shop.example.com/"))</body></html>",
            not:
                "<!DOCTYPE html><html><head><meta charset=\"utf-8\"><meta name=\"ad.size\" content=\"width=300,height=250\"></head>"
                + "<body>\(link("https://shop.example.com/"))</body></html>"
        ),
        .whole(
            "html-element-unclosed",
            "<div><a href=\"https://shop.example.com/\">Tea</div>",
            not: "<a href=\"https://shop.example.com/\"><table><tr><td>Tea</td></tr></table><h1>Tea</h1></a>"
        ),
        .whole(
            "html-end-tag-stray",
            "<b>Tea</b></a>",
            not: "<a href=\"https://shop.example.com/\"><h1>Tea</h1><div><p>Mint</div></a>"
        )
        .also("html-link-missing"),
        .html("url-scheme-wrong", "https://shop.example.com/", "file:///etc/passwd", not: "tel:+49123"),
    ]

    private static let fieldDocuments: [LintCase] = [
        .vast(
            "xml-cdata-unclosed",
            "code=[ERRORCODE]]]></Error>",
            "code=[ERRORCODE]&x=1</Error>",
            not: "code=[ERRORCODE]&x=1]]></Error>"
        ),
        .whole(
            "xml-quotes-escaped",
            LintSamples.vast.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\""),
            not: LintSamples.vast
        ),
        .whole("xml-quotes-escaped", LintSamples.json(LintSamples.vast, slash: "\\/"), not: LintSamples.vast),
        .vast("xml-not-well-formed", "<AdTitle>Tea", "<AdTitle>T\0ea", not: "<AdTitle>Tea"),
        .vast("xml-text-stray", "<AdTitle>", "Tea <AdTitle>", not: "<!-- Tea --><AdTitle>"),
        .whole("xml-text-stray", "<VAST version=\"4.2\">video ad</VAST>", not: "<VAST version=\"4.2\"> </VAST>"),
        .vast(
            "xml-text-stray",
            "offset=\"00:00:01\" duration=\"00:00:10\">",
            "offset=\"00:00:01\" duration=\"00:00:10\">https://i.example.com/x.png"
        ),
        .vast(
            "companion-size-zero",
            "width=\"300\" height=\"250\" renderingMode",
            "width=\"0\" height=\"0\" renderingMode"
        ),
        .vast(
            "url-characters",
            "<ClickThrough>https://shop.example.com/",
            "<ClickThrough>https://shop.example.com/?a=b|c",
            not: "<ClickThrough>https://shop.example.com/?a=b%7Cc"
        ),
        .vast(
            "url-characters",
            "https://t.example.com/25",
            "https://t.example.com/25?a={1}",
            not: "https://t.example.com/25?a=[ADPLAYHEAD]"
        ),
        .vast(
            "url-scheme-wrong",
            "<ClickThrough>https://shop.example.com/",
            "<ClickThrough>file:///etc/passwd",
            not: "<ClickThrough>tel:+49123"
        ),
        .vast("event-misspelt", "event=\"complete\"", "event=\"compleet\""),
        .vast("duration-milliseconds", "00:00:30", "00:00:30000"),
        .whole("attribute-misspelt", creative("3.0", "adid"), not: creative("3.0", "AdID")),
        .whole(
            "answer-foreign",
            "{\"error\": \"no ad\"}",
            not: "{\"bids\": [{\"cpm\": 1, \"ad\": \"<a href='https://s.example.com/'>Tea</a>\"}]}"
        ),
    ]

    private static func creative(_ version: String, _ attribute: String) -> String {
        LintSamples.wrapper.replacingFirst("<Creative>", with: "<Creative \(attribute)=\"7\">").replacingFirst(
            "version=\"3.0\"",
            with: "version=\"\(version)\""
        )
    }
}
