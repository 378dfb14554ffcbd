import TestSupport
import Testing

@testable import AdMarkup

@Suite("What the XML parser reads")
struct XMLInputTests {
    /// All that is read from an input, in pieces of a size.
    static func read(_ input: XMLInput, by size: Int) -> [UInt8] {
        var input = input
        var all: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
        defer { buffer.deallocate() }
        while true {
            let count = input.read(into: buffer)
            if count == 0 { return all }
            all += buffer[..<count]
        }
    }

    @Test("the pieces of an input are the same bytes, whatever their size")
    func pieces() throws {
        let document = Array("<a><b><![CDATA[one]]></b>\n<c><![CDATA[2]]><![CDATA[three]]></c></a>".utf8)
        let expected = "<a><b><![CDATA[o]]></b>\n<c><![CDATA[2]]><![CDATA[t]]></c></a>"
        try document.withUnsafeBufferPointer { bytes in
            let sections = try #require(XMLSections(of: bytes)).sections
            sections.withUnsafeBufferPointer { sections in
                for size in [1, 2, 3, 7, 20, 64, 255, 4_000] {
                    let whole = Self.read(XMLInput(document: bytes), by: size)
                    #expect(whole == document)
                    let cut = Self.read(XMLInput(document: bytes, sections: sections), by: size)
                    #expect(String(decoding: cut, as: UTF8.self) == expected + String(repeating: " ", count: 256))
                }
            }
        }
    }

    @Test("no piece ends within the end of a section, which is an error in text")
    func brackets() {
        let document = Array("<a>\(String(repeating: " ", count: 90))]]>]]]]]]]>]</a>".utf8)
        document.withUnsafeBufferPointer { bytes in
            for size in 3...110 {
                var input = XMLInput(document: bytes)
                var (read, buffer) = ([UInt8](), [UInt8](repeating: 0, count: size))
                while true {
                    let count = buffer.withUnsafeMutableBytes { input.read(into: $0) }
                    if count == 0 { break }
                    read += buffer[..<count]
                    let rest = bytes.dropFirst(read.count)
                    let isWithin = rest.first == 0x3E && read.suffix(2) == [0x5D, 0x5D]
                    let isBefore = rest.starts(with: [0x5D, 0x3E]) && read.last == 0x5D
                    #expect(!isWithin && !isBefore, "pieces of \(size), after \(read.count)")
                }
                #expect(read == document)
            }
        }
    }

    @Test("the end of a section in text is an error wherever the parser has read the last piece")
    func endOfSectionInText() {
        for filler in 3_985...4_005 {
            let document = Array("<VAST>\(String(repeating: " ", count: filler))text ]]> text</VAST>".utf8)
            var sink = ErrorSink()
            let isWellFormed = document.withUnsafeBufferPointer {
                XMLDriver.parse($0, recovers: false, into: &sink)
            }
            #expect(!isWellFormed && sink.line == 1, "\(filler) blanks")
        }
    }

    @Test("long documents in other encodings are read as short ones", arguments: [0, 3_990, 3_991, 9_001])
    func encodings(filler: Int) throws {
        let blanks = String(repeating: " ", count: filler)
        func text(_ encoding: String) -> String {
            "<?xml version=\"1.0\" encoding=\"\(encoding)\"?>\(blanks)<VAST version=\"4.2\"><Ad><InLine>\(blanks)"
                + "<AdSystem>Größe</AdSystem><AdTitle>\(blanks)é</AdTitle><Impression><![CDATA[https://a.example/é]]>"
                + "</Impression><Creatives/></InLine></Ad></VAST>"
        }
        let utf16 = text("UTF-16").utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        let latin1 = text("ISO-8859-1").unicodeScalars.map { UInt8($0.value) }
        for document in [[0xFF, 0xFE] + utf16, latin1, Array(text("UTF-8").utf8)] {
            let ad = try #require(try VASTDocument(parsing: document).ads.first)
            #expect(ad.system?.name == "Größe")
            #expect(ad.inline?.title == "é")
            #expect(ad.impressions.count == 1)
        }
    }

    /// A document of two tags, a text and a section, which begin so many bytes after its start.
    private func document(_ content: String, after filler: Int) -> [UInt8] {
        let blanks = String(repeating: " ", count: filler)
        return Array(
            """
            <VAST version="4.2"><Ad id="1">\(blanks)<InLine><AdSystem version="1 &amp; 2">\(content)</AdSystem>
            <AdTitle>\(content)</AdTitle><Impression id="é"><![CDATA[https://a.example/i?\(content)]]></Impression>
            <Impression><![CDATA[https://a.example/j]]></Impression>
            <Creatives/></InLine></Ad></VAST>
            """.utf8
        )
    }

    @Test("an ad is the same wherever the parser has read the last piece", arguments: [4_000, 8_000])
    func boundaries(size: Int) throws {
        for content in ["Straße & €", "plain"] {
            let escaped = content.replacing("&", with: "&amp;")
            let first = try VASTDocument(parsing: self.document(escaped, after: 0)).ads
            #expect(first.first?.system?.name == content)
            #expect(first.first?.impressions.count == 2)
            for filler in size - 400...size + 40 {
                let ads = try VASTDocument(parsing: self.document(escaped, after: filler)).ads
                #expect(ads == first, "\(filler) blanks")
            }
        }
    }

    /// Keeps the line of the first error.
    private struct ErrorSink: XMLEventSink {
        var line: Int?
        var isStopped: Bool { false }

        mutating func start(
            _ name: UnsafeBufferPointer<UInt8>,
            namespace: UnsafePointer<UInt8>?,
            _ attributes: XMLAttributes,
            at position: XMLPosition
        ) -> Bool { true }

        mutating func end() {}

        mutating func text(_ bytes: UnsafeBufferPointer<UInt8>, at position: XMLPosition) {}

        mutating func parseError(_ error: XMLParseError) { self.line = self.line ?? error.line }
    }

    @Test("the line of an error is the same wherever the parser has read the last piece")
    func errors() {
        for filler in 3_900...4_050 {
            let blanks = String(repeating: "\n", count: 9) + String(repeating: " ", count: filler)
            let document = Array("<VAST>\(blanks)\n<Ad id='1'></Wrong></VAST>".utf8)
            var sink = ErrorSink()
            let isWellFormed = document.withUnsafeBufferPointer {
                XMLDriver.parse($0, recovers: false, into: &sink)
            }
            #expect(!isWellFormed)
            #expect(sink.line == 11, "\(filler) blanks")
        }
    }
}
