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
