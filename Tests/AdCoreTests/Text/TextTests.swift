import Testing

@testable import AdCore

@Suite("Text helpers")
struct TextTests {
    @Test("characters with a meaning in HTML are escaped, and all others are unchanged")
    func html() {
        #expect(HTMLText.escaped("<a href=\"x\">&'</a>") == "&lt;a href=&quot;x&quot;&gt;&amp;&#39;&lt;/a&gt;")
        #expect(HTMLText.escaped("Tee, \u{FC}ber\n\u{1F375}") == "Tee, \u{FC}ber\n\u{1F375}")
        #expect(HTMLText.escaped("<\u{301}") == "&lt;\u{301}", "a character with a combining mark is escaped, too")
    }

    @Test("text is replaced byte by byte")
    func replacing() {
        #expect("aXbXXc".replacing("X", by: "--") == "a--b----c")
        #expect("&amp;\u{301}".replacing("&amp;", by: "&") == "&\u{301}")
        #expect("aab".replacing("ab", by: "c") == "ac")
        #expect("abc".replacing("", by: "x") == "abc")
    }

    @Test("checksums are the published FNV-1a values")
    func sums() {
        #expect(Checksum.of("") == 0xCBF2_9CE4_8422_2325)
        #expect(Checksum.of("a") == 0xAF63_DC4C_8601_EC8C)
        #expect(Checksum.of("foobar") == 0x8594_4171_F739_67E8)
    }

    @Test("URL-safe Base64 has no characters with a meaning in URLs")
    func addresses() {
        #expect(Base64.addressText([0xFB, 0xFF, 0xFE]) == "-__-")
        #expect(Base64.addressText([0xFF]) == "_w")
    }
}

@Suite("The first occurrence of a text")
struct FirstRangeTests {
    @Test(
        "it is found byte by byte",
        arguments: [
            ("a&amp;b", "&amp;", 1), ("a&am", "&amp;", nil), ("aab", "ab", 1), ("", "a", nil), ("a", "", 0),
            ("ab", "b", 1),
            // A letter with an accent contains its letter, and a line end its halves.
            ("e\u{301}x", "e", 0), ("a\r\nb", "\n", 2), ("\u{e9}-\u{e9}", "-", 2),
        ] as [(String, String, Int?)]
    )
    func found(text: String, wanted: String, offset: Int?) {
        let range = text.firstRange(of: wanted)
        #expect(range.map { text.utf8.distance(from: text.startIndex, to: $0.lowerBound) } == offset)
        #expect(range.map { String(text[$0]) == wanted } ?? (offset == nil))
        let part = ("xy" + text).dropFirst(2)
        let inner = part.firstRange(of: wanted)
        #expect(inner.map { part.utf8.distance(from: part.startIndex, to: $0.lowerBound) } == offset)
    }
}
