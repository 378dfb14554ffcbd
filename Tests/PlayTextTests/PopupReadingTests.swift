import Testing

@testable import PlayText

@Suite("Reading a popup's template without a browser")
struct PopupReadingTests {
    @Test(
        "the text has one line per block, without invisible elements",
        arguments: [
            ("<h1>A</h1><p>b <b>c</b>\n d</p>", ["A", "b c d"]), ("one<br>two<hr/>three", ["one", "two", "three"]),
            ("<style>p{}</style><script>if (a<b) x()</script><!-- no --><p>yes</p>", ["yes"]),
            ("a &amp; b &lt;c&gt; &#228;&#xDF; &nope; &", ["a & b <c> äß &nope; &"]),
            ("1 < 2 and 3 > 2", ["1 < 2 and 3 > 2"]),
            ("<p title='a > b'>c", ["c"]), ("<SCRIPT>x", []), ("<!-- ", []), ("<", ["<"]), ("", []),
        ]
    )
    func text(html: String, lines: [String]) { #expect(PopupReading(html).lines == lines) }

    @Test(
        "an element with data-dp is a link with its own text",
        arguments: [
            ("<a data-dp='dp:x'><b>Go</b> on</a>", ["Go on dp:x"]), ("<button DATA-DP=dp:x>Go</button>", ["Go dp:x"]),
            ("<div data-dp=\" dp:x \"><div>a</div>b</div><p>c</p>", ["a b dp:x"]),
            ("<img data-dp='dp:x' alt='Pic'><img data-dp='dp:y'>", ["Pic dp:x", "dp:y dp:y"]),
            ("<a data-dp='dp:x'>open", ["open dp:x"]), ("<a data-dp=''>none</a><a data-dpx='dp:x'>none</a>", []),
            ("<a data-dp='dp:a&amp;b'>&times;</a>", ["× dp:a&b"]),
        ]
    )
    func links(html: String, links: [String]) {
        #expect(PopupReading(html).links.map { "\($0.text) \($0.dp)" } == links)
    }

    @Test("a click opens the first link with an action, or else the first link")
    func first() {
        #expect(PopupReading("<a data-dp='dp:ok'>1</a><a data-dp='dp:gf'>2</a>").firstLink?.text == "2")
        #expect(PopupReading("<a data-dp='dp:ok'>1</a><a data-dp='dp:close'>2</a>").firstLink?.text == "1")
        #expect(PopupReading("<p>nothing</p>").firstLink == nil)
    }

    @Test("a hostile template is read up to the limits")
    func bounded() {
        let many = PopupReading(String(repeating: "<p>x<a data-dp='dp:x'>y</a>", count: 10_000))
        #expect(many.lines.count == PopupReading.limits.parts && many.links.count == PopupReading.limits.parts)
        let deep = PopupReading(String(repeating: "<div data-dp='dp:x'>", count: 100_000) + "in")
        #expect(deep.links.count == 1)
        #expect(PopupReading(String(repeating: "<script>", count: 50_000)).lines.isEmpty)
        #expect(PopupReading(String(repeating: "&", count: 100_000)).lines.count == 1)
    }
}
