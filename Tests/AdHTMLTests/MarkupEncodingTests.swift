import AdCore
import AdHTML
import AdMarkup
import Testing

@Suite("Encodings of markup")
struct MarkupEncodingTests {
    @Test(
        "UTF-8 is assumed, declared, or set by the content type or a byte order mark",
        arguments: [
            ([], nil, "utf-8", MarkupEncoding.Evidence.assumption), ([0xEF, 0xBB, 0xBF], nil, "utf-8", .byteOrderMark),
            ([], "UTF-8", "utf-8", .transport), ([], " utf8 ", "utf-8", .transport),
            (Array("<meta charset=utf-8>".utf8), nil, "utf-8", .declaration),
            (
                Array("<META http-equiv=content-type content='text/html; charset = UTF-8'>".utf8), nil, "utf-8",
                .declaration
            ),
            (Array("<meta charset=utf-16>".utf8), nil, "utf-8", .declaration),
        ]
    )
    func utf8(prefix: [UInt8], charset: String?, name: String, evidence: MarkupEncoding.Evidence) throws {
        let banner = try HTMLDocument(parsing: prefix + Array("<p>日本 é".utf8), charset: charset)
        #expect(banner.encoding.name == name)
        #expect(banner.encoding.evidence == evidence)
        #expect(banner.markup.hasSuffix("<p>日本 é"))
        #expect(!banner.markup.unicodeScalars.contains("\u{FEFF}"))
        #expect(banner.issues == [])
    }

    @Test(
        "legacy encodings are decoded by libxml2",
        arguments: [
            ("windows-1251", [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2], "Привет"), ("koi8-r", [0xF0, 0xD2, 0xC9], "При"),
            ("latin1", [0x80, 0xE9], "€é"), ("ISO-8859-2", [0xB1], "ą"), ("Shift_JIS", [0x93, 0xFA], "日"),
            ("gbk", [0xC4, 0xE3], "你"), ("big5", [0xA7, 0x41], "你"), ("euc-kr", [0xB0, 0xA1], "가"),
            ("ibm866", [0x8F], "П"),
            ("x-mac-roman", [0x8E], "é"), ("windows-874", [0xA1], "ก"),
        ]
    )
    func legacy(label: String, bytes: [UInt8], text: String) throws {
        let declared = try HTMLDocument(parsing: Array("<title>".utf8) + bytes, charset: label)
        #expect(declared.markup == "<title>" + text)
        #expect(declared.encoding.evidence == .transport)
        let inMarkup = try HTMLDocument(
            parsing: Array("<meta charset='\(label)'><title>".utf8) + bytes + Array("</title>".utf8)
        )
        #expect(inMarkup.title == text)
        #expect(inMarkup.encoding.evidence == .declaration)
        #expect(inMarkup.issues == [])
    }

    @Test("UTF-16 is recognized by its byte order mark, also if it is truncated", arguments: [true, false])
    func utf16(isLittleEndian: Bool) throws {
        var bytes: [UInt8] = []
        for unit in "\u{FEFF}<title>😀</title>".utf16 {
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
            bytes += isLittleEndian ? [low, high] : [high, low]
        }
        let banner = try HTMLDocument(parsing: bytes)
        #expect(banner.title == "😀")
        #expect(banner.encoding.evidence == .byteOrderMark)
        #expect(banner.encoding.name == (isLittleEndian ? "utf-16le" : "utf-16be"))
        #expect(try HTMLDocument(parsing: Array(bytes.dropLast())).issues.map(\.code).contains("encoding.replaced"))
    }

    @Test("invalid UTF-8 becomes U+FFFD, and the issue has the first line")
    func invalid() throws {
        let banner = try HTMLDocument(parsing: Array("a\n\n".utf8) + [0xFF] + Array("é".utf8) + [0xC3])
        #expect(banner.markup == "a\n\n\u{FFFD}é\u{FFFD}")
        #expect(banner.issues.map(\.code) == ["encoding.replaced"])
        #expect(banner.issues.first?.place == .line(3))
    }

    @Test("an unknown or wrong encoding is an issue, and the bytes are read as UTF-8")
    func unknown() throws {
        let unknown = try HTMLDocument(parsing: Array("é".utf8), charset: "utf-7")
        #expect(unknown.markup == "é")
        #expect(unknown.issues.map(\.code) == ["encoding.unknown"])
        let wrong = try HTMLDocument(parsing: [UInt8](repeating: 0xFF, count: 5000), charset: "euc-jp")
        #expect(wrong.issues.map(\.code) == ["encoding.wrong", "encoding.replaced"])
        #expect(wrong.encoding.name == "utf-8")
        let some = try HTMLDocument(parsing: [0xC6, 0xFC, 0xFF, 0x41], charset: "euc-jp")
        #expect(some.markup == "日\u{FFFD}A")
        #expect(some.issues.map(\.code) == ["encoding.replaced"])
    }

    @Test("a charset in a text that is already decoded is ignored")
    func text() throws {
        let banner = try HTMLDocument(parsing: "\u{FEFF}<meta charset=windows-1251><title>Привет</title>")
        #expect(banner.title == "Привет")
        #expect(banner.encoding.evidence == .text)
        #expect(banner.markup.hasPrefix("<meta"))
    }

    @Test(
        "a charset outside a meta element or in a comment is ignored",
        arguments: [
            "<!-- <meta charset=koi8-r> --><p>é", "<p charset=koi8-r>é", "charset=koi8-r é",
            String(repeating: " ", count: 1100) + "<meta charset=koi8-r>é", "<meta charset>é", "<meta charset=>é",
        ]
    )
    func noDeclaration(markup: String) throws {
        let banner = try HTMLDocument(parsing: Array(markup.utf8))
        #expect(banner.markup == markup)
        #expect(banner.encoding.evidence == .assumption)
    }
}
