/// Banners without mistakes.
extension CleanCreative {
    private static func page(_ size: String, _ body: String, head: String = "") -> String {
        let parts = size.split(separator: "x")
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8">
            <meta name="ad.size" content="width=\(parts[0]),height=\(parts[1])">
            <title>Harbour Books</title>\(head)
            </head><body>
            \(body)
            </body></html>
            """
    }

    private static func adaptive(_ body: String, head: String = "") -> String {
        """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Harbour Books</title>\(head)
        </head><body>
        \(body)
        </body></html>
        """
    }

    private static let image =
        "<img src=\"https://img.harbour.example/sale.jpg\" alt=\"Sale\" width=\"300\" height=\"250\">"
    private static let link = "<a href=\"https://harbour.example/sale\" target=\"_blank\">"

    static let banners: [CleanCreative] = [
        CleanCreative("image banner 300x250", page("300x250", "\(link)\(image)</a>")),
        CleanCreative(
            "image banner 320x50",
            page(
                "320x50",
                "\(link)<img src=\"https://img.harbour.example/b.png\" alt=\"Sale\" width=\"320\" height=\"50\"></a>"
            )
        ),
        CleanCreative(
            "image banner 728x90",
            page(
                "728x90",
                "\(link)<img src=\"https://img.harbour.example/l.png\" alt=\"Sale\" width=\"728\" height=\"90\"></a>"
            )
        ),
        CleanCreative("fragment with an image", "\(link)\(image)</a>"),
        CleanCreative(
            "fragment with a pixel",
            "\(link)\(image)</a><img src=\"https://t.harbour.example/i?id=7\" width=\"1\" height=\"1\" alt=\"\">"
        ),
        CleanCreative("text fragment", "\(link)<b>Books by the sea</b></a>"),
        CleanCreative("adaptive text", adaptive("\(link)<h1>Books by the sea</h1></a>")),
        CleanCreative(
            "blocks within a link",
            adaptive("\(link)<div><h2>Books</h2><p>by the sea</p><table><tr><td>9.90</td></tr></table></div></a>")
        ),
        CleanCreative(
            "omitted optional end tags",
            adaptive("\(link)<ul><li>Novels<li>Maps</ul><p>and more</a>")
        ),
        CleanCreative(
            "clickTag of Google Ad Manager",
            page(
                "300x250",
                "<a href=\"javascript:window.open(window.clickTag)\"><div id=\"c\"><h1>Books</h1></div></a>",
                head: "<script>var clickTag = \"https://harbour.example/\";</script>"
            )
        ),
        CleanCreative(
            "clickTag with void",
            page(
                "320x50",
                "<a href=\"javascript:void(window.open(clickTag))\">\(image.replacingFirst("250", with: "50"))</a>",
                head: "<script>var clickTag = \"https://harbour.example/\";</script>"
            )
        ),
        CleanCreative(
            "clickTag from the query",
            page(
                "300x250",
                "<div id=\"ad\">Books</div><script>var m = /clickTag=([^&]+)/.exec(location.search);\n"
                    + "var clickTag = m ? decodeURIComponent(m[1]) : 'https://harbour.example/';\n"
                    + "document.getElementById('ad').addEventListener('click', function () { window.open(clickTag); });</script>"
            )
        ),
        CleanCreative(
            "handler attribute",
            page("300x250", "<div onclick=\"window.open('https://harbour.example/')\">\(image)</div>")
        ),
        CleanCreative(
            "handler that returns",
            page("300x250", "<a href=\"https://harbour.example/\" onclick=\"track(this); return true\">\(image)</a>")
        ),
        CleanCreative(
            "animation that ends",
            page(
                "728x90",
                "\(link)<div class=\"train\">Books</div></a>",
                head:
                    "<style>@keyframes go{from{left:0}to{left:600px}} .train{position:relative;animation:go 3s ease 3}</style>"
            )
        ),
        CleanCreative(
            "animation by requestAnimationFrame",
            page(
                "300x250",
                "\(link)<canvas id=\"c\" width=\"300\" height=\"250\"></canvas></a><script>(() => {\n"
                    + "const c = document.querySelector('#c').getContext('2d'); let n = 0;\n"
                    + "const draw = (t = 0) => { c.fillRect(n++ % 300, 0, 1, 250); if (n < 900) requestAnimationFrame(draw); };\n"
                    + "draw();\n})();</script>"
            )
        ),
        CleanCreative(
            "modern script",
            adaptive(
                "<a id=\"a\" href=\"https://harbour.example/\">Books</a>",
                head: """
                    <script type="module">
                    class Shelf {
                      #books = []; static size = 3;
                      get first() { return this.#books?.[0] ?? null }
                      async *walk() { for await (const b of this.#books) yield `${b.name}: ${b.price ?? `${0}`}` }
                      static { this.ready = true }
                    }
                    const { a = 1, ...rest } = {}, [b, , c = 2] = [1, 2, 3];
                    const half = 10 / 2, pattern = /[/\\]"']+/gi.test('a') ? 1_000n : .5e-3;
                    label: for (let i = 0, j = 9; i < j; i++, j--) { if (i in rest) continue label; else break label }
                    export default new Shelf
                    </script>
                    """
            )
        ),
        CleanCreative(
            "old script",
            adaptive(
                "\(link)Books</a>",
                head: """
                    <script type="text/javascript">
                    <!--
                    var a = 1, b = a ++
                    function f(x) { if (x) return x / 2 / 3
                      else return -x }
                    var r = f(4);
                    /re/.test('x')
                    do a--; while (a > 0) b = a ? f : null
                    switch (b) { case 1: case 2: f(); break; default: }
                    try { f() } catch (e) { } finally { a = void 0 }
                    var o = { 'a': 1, b: 2, get c() { return 3 }, d: function () { }, if: 4, }
                    //-->
                    </script>
                    """
            )
        ),
        CleanCreative(
            "data in a script",
            adaptive(
                "\(link)Books</a>",
                head: "<script type=\"application/ld+json\">{\"@type\": \"Product\", \"name\": \"Books\"}</script>"
            )
        ),
        CleanCreative(
            "picture with sources",
            adaptive(
                "\(link)<picture><source srcset=\"https://img.harbour.example/w.webp\" type=\"image/webp\">"
                    + "<img src=\"https://img.harbour.example/w.jpg\" alt=\"Sale\"></picture></a>"
            )
        ),
        CleanCreative(
            "video in a banner",
            page(
                "300x250",
                "\(link)<video src=\"https://img.harbour.example/v.mp4\" autoplay muted playsinline loop width=\"300\"></video></a>"
            )
        ),
        CleanCreative(
            "drawing",
            page(
                "320x50",
                "<svg width=\"320\" height=\"50\" viewBox=\"0 0 320 50\"><a href=\"https://harbour.example/\">"
                    + "<rect width=\"320\" height=\"50\" fill=\"#036\"/><text x=\"9\" y=\"30\">Books</text></a></svg>"
            )
        ),
        CleanCreative(
            "form",
            page(
                "300x250",
                "<form action=\"https://harbour.example/find\"><input name=\"q\"><button>Find</button></form>"
            )
        ),
        CleanCreative(
            "telephone and stores",
            adaptive(
                "<a href=\"tel:+4912345\">Call</a> <a href=\"market://details?id=example.harbour\">Install</a>"
                    + " <a href=\"itms-apps://apps.apple.com/app/id1\">App Store</a>"
            )
        ),
        CleanCreative(
            "frame",
            "<iframe src=\"https://ads.harbour.example/render?w=300&amp;h=250\" width=\"300\" height=\"250\"></iframe>"
        ),
        CleanCreative(
            "image with an error handler",
            "<div><img src=\"data:image/png,x\" style=\"display:none\" onerror=\"(function (img) { var s = document.createElement('script');"
                + " s.src = 'https://cdn.vendor.example/web.js'; img.parentNode.insertBefore(s, img); })(this);\"/></div>"
        ),
        CleanCreative(
            "script of a vendor",
            "<script async src=\"https://cdn.vendor.example/tag.js?id=7&w=300\"></script>"
        ),
        CleanCreative(
            "non-ASCII text",
            adaptive("<a href=\"https://harbour.example/\">\u{41A}\u{43D}\u{438}\u{433}\u{438}</a>")
        ),
    ]
}
