import AdCore
import AdHTML
import Testing

@Suite("Unreplaced macros")
struct PlaceholderTests {
    @Test(
        "a macro is found in attributes, texts, scripts and styles",
        arguments: [
            ("<a href='x?p=${AUCTION_PRICE}'>x</a>", "${AUCTION_PRICE}"),
            ("${AUCTION_PRICE:B64}", "${AUCTION_PRICE:B64}"),
            ("<img src='x?r=[CACHEBUSTER]'>", "[CACHEBUSTER]"),
            ("<p>%%CLICK_URL_ESC%%</p>", "%%CLICK_URL_ESC%%"),
            ("%%PATTERN:url%%", "%%PATTERN:url%%"),
            ("<script>var p='${AUCTION_ID}';</script>", "${AUCTION_ID}"),
            ("<script>u='https://x/?r=[RANDOM]&y'</script>", "[RANDOM]"),
            ("<style>a{background:url(x?[TIMESTAMP])}</style>[TIMESTAMP]", "[TIMESTAMP]"),
            ("${CLICK_URL}", "${CLICK_URL}"), ("$${A}", "${A}"), ("[[ABC]]", "[ABC]"), ("%%%A%%", "%%A%%"),
        ]
    )
    func found(markup: String, text: String) throws {
        #expect(try HTMLDocument(parsing: markup).placeholders.map(\.text) == [text])
    }

    @Test(
        "text that only looks like a macro is ignored",
        arguments: [
            "<script>`${name}${NAME}`; a[INDEX]; b = [FOO];</script>", "[x]", "[AB]", "[A B]", "${}", "${name}",
            "100%% sure%",
            "<!-- [CACHEBUSTER] ${AUCTION_PRICE} -->", "[ABC", "${ABC", "%%ABC%", "%%%%", "[1AB]", "${1}", "",
            "[" + String(repeating: "A", count: 100) + "]", "${AUCTION_PRICE:}",
        ]
    )
    func none(markup: String) throws {
        #expect(try HTMLDocument(parsing: markup).placeholders == [])
    }

    @Test("macros are in the order of the markup, each with its line")
    func order() throws {
        let found = try HTMLDocument(parsing: "[AAA]\n<script>\n'[BBB]'</script>\n<!-- -->%%CCC%%\n${DDD}").placeholders
        #expect(found.map(\.name) == ["AAA", "BBB", "CCC", "DDD"])
        #expect(found.map(\.line) == [1, 3, 4, 5])
        #expect(found.map(\.style) == [.brackets, .brackets, .percent, .dollar])
    }
}
