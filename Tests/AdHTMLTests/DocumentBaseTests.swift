import AdCore
import AdHTML
import Testing

@Suite("Relative links")
struct DocumentBaseTests {
    @Test(
        "a relative link is resolved against the document's base",
        arguments: [
            ("x", "https://e.example/d/x"), ("../x?a=1#y z", "https://e.example/x?a=1#y%20z"),
            ("/x", "https://e.example/x"), ("?q", "https://e.example/d/?q"), ("//o.example/x", "https://o.example/x"),
            ("http://o.example/x", "http://o.example/x"), ("tel:+1", "tel:+1"), (" x ", "https://e.example/d/x"),
            ("a&#9;b", "https://e.example/d/ab"), ("#top", "https://e.example/d/#top"),
            ("javascript:go()", nil), ("java&#9;script:go()", nil), ("data:text/html,x", nil),
        ] as [(String, String?)]
    )
    func references(reference: String, whole: String?) throws {
        let banner = try HTMLDocument(parsing: "<base href='https://e.example/d/'><a href='\(reference)'>x</a>")
        #expect(banner.firstLink?.clickThroughURL?.text == whole)
    }

    @Test(
        "the base element is used before the URL of the markup",
        arguments: [
            ("<a href=x>y</a>", "http://came.example/from/x"), ("<a href=//o.example>y</a>", "http://o.example/"),
            ("<a href='#top'>y</a>", nil), ("<base target=_top><a href=x>y</a>", "http://came.example/from/x"),
            ("<a href=x>y</a><base href=https://e.example/>", "https://e.example/x"),
            ("<base href=https://e.example/><base href=https://f.example/><a href=x>y</a>", "https://e.example/x"),
            ("<base href=/d/><a href=x>y</a>", "http://came.example/d/x"),
            ("<base href=/d/><a href='#top'>y</a>", "http://came.example/d/#top"),
            ("<base href=data:x><a href=x>y</a>", "http://came.example/from/x"),
            ("<template><base href=https://e.example/></template><a href=x>y</a>", "http://came.example/from/x"),
            ("<svg><base href=https://e.example/></svg><a href=x>y</a>", "http://came.example/from/x"),
        ] as [(String, String?)]
    )
    func given(markup: String, whole: String?) throws {
        let came = try HTTPURL(parsing: "http://came.example/from/tag.html")
        #expect(try HTMLDocument(parsing: markup, base: came).firstLink?.clickThroughURL?.text == whole)
        #expect(try HTMLDocument(parsing: Array(markup.utf8), base: came).firstLink?.clickThroughURL?.text == whole)
    }

    @Test(
        "without a base a relative link has no click-through URL",
        arguments: ["x", "/x", "#x", "?x", "${X}https://a.example/"]
    )
    func unknown(reference: String) throws {
        let banner = try HTMLDocument(parsing: "<a href='\(reference)'>y</a>")
        #expect(banner.base == nil)
        #expect(banner.links.map(\.clickThroughURL) == [nil])
    }

    @Test("the URL of a pixel is resolved against the base, too")
    func pixels() throws {
        let banner = try HTMLDocument(parsing: "<base href=https://e.example/d/><img src=p width=1 height=1>x")
        #expect(banner.pixels.map(\.tracking?.http.text) == ["https://e.example/d/p"])
    }

    @Test("an unusable base is an issue with its line")
    func unusable() throws {
        let banner = try HTMLDocument(parsing: "\n<base href='ftp://e.example/'><a href=x>y</a>")
        #expect(banner.issues.map(\.description).first?.hasPrefix("html.base.unusable (line 2)") == true)
        #expect(banner.links.map(\.clickThroughURL) == [nil])
    }
}
