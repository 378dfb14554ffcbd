import AdCore
import AdHTML
import TestSupport
import Testing

@Suite("Banner HTML")
struct HTMLDocumentTests {
    @Test("a fragment has its link, image, pixel, script and size")
    func fragment() throws {
        let banner = try HTMLDocument(parsing: Banners.boots)
        #expect(banner.isFragment)
        #expect(banner.hasVisibleContent)
        #expect(banner.links.map(\.template.text) == ["https://click.example/go?campaign=7&c=12&p=${AUCTION_PRICE}"])
        #expect(banner.links.first?.target == "_blank")
        #expect(banner.links.first?.line == 3)
        #expect(banner.images.map(\.template.text) == ["https://cdn.example/i/320x50.png"])
        #expect(banner.images.first?.width == 320)
        #expect(banner.pixels.map(\.tracking?.http.text) == ["https://t.example/v?c=12&r=[CACHEBUSTER]"])
        #expect(banner.pixels.first?.line == 7)
        #expect(banner.scripts.map(\.line) == [8])
        #expect(banner.declaredSize?.evidence == .rootElement)
        #expect(banner.declaredSize?.width == 320)
        #expect(banner.declaredSize?.height == 50)
        #expect(banner.issues == [])
    }

    @Test("a whole document has the declarations of its head")
    func document() throws {
        let banner = try HTMLDocument(parsing: Banners.tea)
        #expect(!banner.isFragment)
        #expect(banner.title == "Three teas & a cup")
        #expect(banner.viewport?.width == .device)
        #expect(banner.viewport?.initialScale == 1.5)
        #expect(banner.viewport?.content == "width=device-width, initial-scale=1.5")
        #expect(banner.declaredSize?.evidence == .meta)
        #expect(banner.declaredSize?.width == 300)
        #expect(banner.declaredSize?.height == 250)
        #expect(banner.stylesheets.map(\.line) == [8, 9])
        #expect(banner.scripts.map(\.line) == [14, 21])
        #expect(banner.loadsMRAID)
        #expect(banner.callsMRAID)
        #expect(banner.images.map(\.role) == [.background, .picture])
        #expect(banner.images.map(\.line) == [11, 18])
        #expect(banner.pixels.map(\.template.text) == ["https://t.example/imp"])
        #expect(banner.insecureResources.map(\.kind) == [.font])
        #expect(banner.insecureResources.map(\.line) == [12])
        #expect(banner.links.map(\.clickThroughURL?.text) == ["https://shop.example/teas?from=ad#top"])
        #expect(banner.issues == [])
    }

    @Test("parts in noscript are listed as inert")
    func inert() throws {
        let banner = try HTMLDocument(parsing: Banners.tag)
        #expect(banner.links.map(\.isInert) == [true])
        #expect(banner.images.map(\.isInert) == [true])
        #expect(banner.pixels.map(\.isInert) == [true])
        #expect(banner.firstLink?.template.text == "https://click.example/nojs")
        #expect(banner.scripts.map(\.isData) == [false])
        #expect(banner.hasVisibleContent)
        let live = try HTMLDocument(parsing: Banners.tag + "<a href='https://live.example/'>x</a>")
        #expect(live.firstLink?.template.text == "https://live.example/")
    }

    @Test("media elements, drawings and frames are distinguished")
    func media() throws {
        let banner = try HTMLDocument(parsing: Banners.media)
        #expect(banner.embeds.map(\.kind) == [.video, .svg, .canvas, .object, .iframe, .iframe])
        #expect(banner.embeds.map(\.isHidden) == [false, false, false, false, true, false])
        #expect(banner.embeds.first?.template?.text == "https://cdn.example/v.mp4")
        #expect(banner.embeds.map(\.line) == [1, 3, 4, 4, 5, 5])
        #expect(banner.images.map(\.template.text) == ["https://cdn.example/s.png"])
        #expect(banner.links.map(\.isInert) == [true])
        #expect(banner.forms.map(\.action?.text) == ["https://mail.example/"])
        #expect(banner.insecureResources.map(\.kind) == [.image, .frame])
        #expect(banner.title == nil, "a title in SVG is not the document's title")
        #expect(banner.issues == [])
    }

    @Test(
        "a link with control characters has the URL that a browser opens",
        arguments: [
            ("<a href=\"https://e.example/\u{1}x\">", "https://e.example/%01x"),
            ("<a title='\u{2}' HREF = https://e.example/\u{1}x?a&amp;b\u{1F}>", "https://e.example/%01x?a&b"),
            ("<a href='https://e.example/\u{7F}\u{1}&amp;\u{3}x'>", "https://e.example/%7F%01&%03x"),
            ("<a / \u{4} href='https://e.example/\0x'>", "https://e.example/%EF%BF%BDx"),
            ("<a href='https://e.example/\u{FFFE}x\u{8}y'>", "https://e.example/%EF%BF%BEx%08y"),
            ("<svg><a xlink:href='https://e.example/\u{1}x'/></svg>", "https://e.example/%01x"),
            // A DEL in the markup can't be distinguished from the one that replaces a control character.
            ("<a href='https://e.example/&#127;\u{1}x'>", "https://e.example/%7F%7Fx"),
        ]
    )
    func controls(markup: String, landing: String) throws {
        let banner = try HTMLDocument(parsing: markup + "y</a>")
        #expect(banner.links.map(\.clickThroughURL?.text) == [landing])
        #expect(banner.issues.contains { $0.code == "html.character.control" })
    }

    @Test(
        "the first link is the first with a click-through URL",
        arguments: [
            (
                "<a href='#'>x</a><a href='javascript:go()'>x</a><a href='https://a.example/x'>x</a>",
                "https://a.example/x"
            ),
            ("<a href='//a.example/x'>x</a>", "https://a.example/x"),
            ("<a href=' tel:+123 '>x</a>", "tel:+123"),
            ("<map><area href=https://a.example/></map>", "https://a.example/"),
            ("<svg><a xlink:href='https://a.example/s'/></svg>", "https://a.example/s"),
            ("<a href='data:text/html,x'>x</a>", nil),
            ("<a href='${CLICK_URL}https://a.example/'>x</a>", nil),
            ("<a>x</a><a href>x</a><a href=''>x</a>", nil),
        ]
    )
    func firstLink(markup: String, landing: String?) throws {
        #expect(try HTMLDocument(parsing: markup).firstLink?.clickThroughURL?.text == landing)
    }

    @Test("a link without a target has the target of the base element")
    func baseTarget() throws {
        let banner = try HTMLDocument(parsing: "<base target=_top><a href=a>1</a><a href=b target=_self>2</a>")
        #expect(banner.links.map(\.target) == ["_top", "_self"])
    }

    @Test(
        "an invisible image is a pixel",
        arguments: [
            ("<img src=x width=1 height=1>", true),
            ("<img src=x width='0'>", true),
            ("<img src=x height=1px>", true),
            ("<img src=x width=1 height=250>", false),
            ("<img src=x width=300 height=0>", true),
            ("<img src=x style='width:1px;height:1px'>", true),
            ("<img src=x width=300 height=250 style='width:1px;height:1px'>", true),
            ("<img src=x style='WIDTH : 0 ; height:auto'>", true),
            ("<img src=x style='width:1%;height:1%'>", false),
            ("<img src=x style='width:1em;height:1em'>", false),
            ("<img src=x style='display:none'>", true),
            ("<img src=x style='color:red;Display: NONE !important'>", true),
            ("<img src=x style='visibility:hidden'>", true),
            ("<img src=x style=\"background:url('a;display:none')\">", false),
            ("<div style='display:none'><p><img src=x></p></div>", true),
            ("<div style='display:none'></div><img src=x>", false),
            ("<img src=x hidden>", true),
            ("<img src=x width='100%' height=1>", true),
            ("<img srcset='x 1x, y 2x'>", false),
            ("<input type=image src=x width=1 height=1>", true),
            ("<img src=x>", false),
        ]
    )
    func pixels(markup: String, isPixel: Bool) throws {
        let banner = try HTMLDocument(parsing: markup)
        #expect(banner.pixels.map(\.template.text) == (isPixel ? ["x"] : []))
        #expect(banner.images.filter { $0.role == .picture }.map(\.template.text) == (isPixel ? [] : ["x"]))
    }

    @Test(
        "the size is that of a meta element, of the only root element, or of the only image",
        arguments: [
            ("<meta name=AD.SIZE content='width = 728 ; height=90'><div style='width:1px'></div>", 728, 90),
            ("<div style='width: 300px; height:250.4px'>x</div>", 300, 250),
            (
                "<style></style><script></script><!-- c --><iframe width=320 height=50></iframe><img src=p width=1 height=1>",
                320, 50
            ),
            ("<a href=x><img src=y width=300 height=600></a>", 300, 600),
            ("<body><table width=468 height=60><tr><td>x</table></body>", 468, 60),
            ("<img src=x width='300' height='250' style='width:320px'>", 320, 250),
            ("<meta name=ad.size content='width=300px,height=250px'>", 300, 250),
            // Links and similar elements are only wrappers.
            ("<a href=x><div style='width:300px;height:250px'>x</div></a>", 300, 250),
            ("<a href=x> <video width=300 height=250></video>\n<script></script><style></style></a>", 300, 250),
            ("<a href=x><svg width=300 height=250></svg></a>", 300, 250),
            ("<a href=x><iframe width=300 height=600></iframe></a>", 300, 600),
            ("<center><a href=x><div style='width:300px;height:250px'></div></a></center>", 300, 250),
            ("<body><a href=x><div style='width:300px;height:250px'></div></a></body>", 300, 250),
            // The size is in a simple style rule.
            ("<style>#a{width:300px;height:250px}</style><div id=a>x</div>", 300, 250),
            ("<div class='b a'>x</div><style>p{width:1px} .c, .a { height: 250px } .a{width:300px}</style>", 300, 250),
            ("<style>.a{width:9px;height:9px}#b{width:300px;height:250px}</style><div id=b class=a></div>", 300, 250),
            ("<style>#a{width:300px}</style><div id=a style='height:250px'></div>", 300, 250),
            ("<style>.ad{display:block;width:320px;height:50px}</style><a class=ad href=x>Tea</a>", 320, 50),
        ]
    )
    func size(markup: String, width: Int, height: Int) throws {
        let size = try HTMLDocument(parsing: markup).declaredSize
        #expect(size?.width == width)
        #expect(size?.height == height)
    }

    @Test(
        "without a size, or with several, no size is declared",
        arguments: [
            "<div>x</div>", "<div style='width:100%;height:250px'>x</div>", "<p>a</p><p>b</p>",
            "<div style='width:300px;height:250px'></div><div style='width:300px;height:250px'></div>",
            "text <div style='width:300px;height:250px'></div>",
            "<img src=a width=9 height=9><img src=b width=9 height=9>",
            "<div style='width:99999999px;height:250px'></div>", "<meta name=ad.size content='300x250'>", "",
            "<a href=x>Tea <div style='width:300px;height:250px'></div></a>",
            "<a href=x><div style='width:9px;height:9px'></div></a><a href=y><div style='width:9px;height:9px'></div></a>",
            "<p>x</p><a href=x><div style='width:9px;height:9px'></div></a>",
            "<style>#a b{width:9px;height:9px} @media print{#a{width:9px;height:9px}}</style><div id=a>x</div>",
            "<style>/*#a{width:9px;height:9px}*/#a{width:50%;height:9px}</style><div id=a>x</div>",
            "<meta name=ad.size content='width=100%,height=250'>",
            "<meta name=ad.size content='width=30em,height=250'>",
        ]
    )
    func noSize(markup: String) throws {
        #expect(try HTMLDocument(parsing: markup).declaredSize == nil)
    }

    @Test(
        "a viewport may have any separators, and invalid values are ignored",
        arguments: [
            ("width=320", HTMLDocument.Viewport.Width.pixels(320), nil),
            ("initial-scale = 2;WIDTH=Device-Width", .device, 2),
            ("width=320 initial-scale=.5", .pixels(320), 0.5),
            ("width=auto,initial-scale=x,=,,;", nil, nil),
            ("", nil, nil),
        ]
    )
    func viewport(content: String, width: HTMLDocument.Viewport.Width?, scale: Double?) throws {
        let viewport = try HTMLDocument(parsing: "<meta name=viewport content='\(content)'>").viewport
        #expect(viewport?.width == width)
        #expect(viewport?.initialScale == scale)
    }

    @Test(
        "a refresh has its delay and its URL",
        arguments: [
            ("0;url=https://a.example/", 0, "https://a.example/"),
            ("5; URL = 'https://a.example/' ", 5, "https://a.example/"),
            ("3", 3, nil), ("1.5,https://a.example/", 1.5, "https://a.example/"),
        ]
    )
    func refresh(content: String, delay: Double, url: String?) throws {
        let refresh = try HTMLDocument(parsing: "<meta http-equiv=Refresh content=\"\(content)\">").refresh
        #expect(refresh?.delay == delay)
        #expect(refresh?.template?.text == url)
    }

    @Test(
        "MRAID is found in scripts and event handlers, but not in similar names",
        arguments: [
            ("<script src='https://x.example/mraid.js?v=2'></script>", true, false),
            ("<script>mraid.open('x')</script>", false, true),
            ("<script>load('mraid.js')</script>", true, false), ("<script src='MRAID.JS'></script>", true, false),
            ("<script>MRAID.open()</script>", false, false),
            ("<a onclick='mraid.close()'>x</a>", false, true),
            ("<script>xmraid.open(); var mraid = 1; a.mraidx</script>", false, false),
            ("<p>mraid.open()</p>", false, false),
            ("<!-- <script src=mraid.js></script> -->", false, false),
            ("<script type='text/plain'>mraid.open()</script>", false, false),
        ]
    )
    func mraid(markup: String, loads: Bool, calls: Bool) throws {
        let banner = try HTMLDocument(parsing: markup)
        #expect(banner.loadsMRAID == loads)
        #expect(banner.callsMRAID == calls)
    }

    @Test(
        "a tag within a script, comment, style sheet, frame or text area is ignored",
        arguments: [
            "<script>'<a href=x>'</script>", "<style><a href=x></style>", "<iframe><a href=x></iframe>",
            "<textarea><a href=x></textarea>", "<!--> <!-- <a href=x> -->",
            "<script><!-- <script> </script> <a href=x> --></script>",
            "<? <a href=x", "<!doctype <a href=x", "<a href=x", "<a href='x", "</ <a href=x", "<xmp><a href=x></xmp>",
        ]
    )
    func hiddenTags(markup: String) throws {
        let banner = try HTMLDocument(parsing: markup)
        #expect(banner.links == [])
    }

    @Test(
        "a tag after the end of a comment or script, as browsers see it, is found",
        arguments: [
            "<!--><a href=x>", "<!---><a href=x>", "<!-- a --!><a href=x>", "<!-- --- --><a href=x>", "</><a href=x>",
            "</ x><a href=x>",
            "<!x><a href=x>", "<?x><a href=x>", "<script></script ><a href=x>", "<script><!-- </script><a href=x>",
            "<script><!-- <script> --> </script><a href=x>", "<script></scriptx></script><a href=x>", "<\0><a href=x>",
            "<<a href=x>",
            "< <a href=x>", "a<!-- -->b<a href=x>", "<svg><![CDATA[ <a href=y> ]]><a href=x></svg>", "<a\u{C}href=x>",
            "<svg><script/><a href=x></svg>", "<b//><a href=x>", "<source s=><a href=x>", "<wbr = ><a href=x>",
            "<\u{0}a href=y><a href=x>", "<A HREF=x>",
        ]
    )
    func visibleTags(markup: String) throws {
        #expect(try HTMLDocument(parsing: markup).links.map(\.template.text) == ["x"])
    }

    @Test("removing a comment does not make a tag of the text around it")
    func seams() throws {
        #expect(try HTMLDocument(parsing: "<<!-- -->a href=x>").links == [])
        #expect(try HTMLDocument(parsing: "<title>&<!-- -->amp;</title>").title != "&")
    }

    @Test("a void element of HTML has no content", arguments: ["wbr", "source", "track", "img", "br"])
    func voids(name: String) throws {
        let banner = try HTMLDocument(
            parsing: "<p>" + String(repeating: "<\(name) hidden src=x>", count: 1000) + "<img src=y></p>"
        )
        #expect(banner.images.map(\.template.text) == ["y"])
    }

    @Test("lines are counted across comments, scripts and long tags")
    func lines() throws {
        let markup =
            "\n<!--\n\n-->\n<script>\n\n</script>\n<a\n\n href=x\n>\n<img src=y>\n<style>\na{b:url(http://z)}</style><i>\n"
        let banner = try HTMLDocument(parsing: markup)
        #expect(banner.links.map(\.line) == [8])
        #expect(banner.images.map(\.line) == [12])
        #expect(banner.insecureResources.map(\.line) == [14])
        #expect(banner.issues.map(\.place) == [.line(8), .line(14)])
    }

    @Test("concurrent parsing gives the same results")
    func concurrency() async throws {
        let expected = try Banners.all.map { try HTMLDocument(parsing: $0) }
        await withTaskGroup(of: [HTMLDocument]?.self) { group in
            for _ in 0..<16 { group.addTask { try? Banners.all.map { try HTMLDocument(parsing: $0) } } }
            for await found in group { #expect(found == expected) }
        }
    }
}
