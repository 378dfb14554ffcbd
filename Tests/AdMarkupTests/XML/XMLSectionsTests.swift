import TestSupport
import Testing

@testable import AdMarkup

@Suite("CDATA sections that need no parsing")
struct XMLSectionsTests {
    /// Records events as text.
    private struct Recorder: XMLEventSink {
        var events: [String] = []
        /// The text of the last event.
        private var openText: String?
        var isStopped: Bool { false }

        init() {}

        mutating func start(
            _ name: UnsafeBufferPointer<UInt8>,
            namespace: UnsafePointer<UInt8>?,
            _ attributes: XMLAttributes,
            at position: XMLPosition
        ) -> Bool {
            var text = "<\(String(decoding: name, as: UTF8.self))"
            attributes.each { name, value in text += " \(String(decoding: name, as: UTF8.self))=\(value.text)" }
            self.append("\(text)> \(position.line)")
            return true
        }

        mutating func end() { self.append("end") }

        mutating func text(_ bytes: UnsafeBufferPointer<UInt8>, at position: XMLPosition) {
            // How a text is divided depends on how the document is read.
            if self.openText != nil { self.events.removeLast() }
            let text = (self.openText ?? "") + String(decoding: bytes, as: UTF8.self)
            self.events.append("\(text) \(position.line)")
            self.openText = text
        }

        mutating func parseError(_ error: XMLParseError) { self.append("error \(error.code)") }

        private mutating func append(_ event: String) {
            self.events.append(event)
            self.openText = nil
        }
    }

    /// The document without the contents of its sections; nil if it is read as it is.
    private func cut(_ document: String) -> String? {
        Array(document.utf8).withUnsafeBufferPointer { bytes in
            guard let sections = XMLSections(of: bytes)?.sections else { return nil }
            return sections.withUnsafeBufferPointer {
                let read = XMLInputTests.read(XMLInput(document: bytes, sections: $0), by: 4_000)
                #expect(read.suffix(256).allSatisfy { $0 == 0x20 })
                return String(decoding: read.dropLast(256), as: UTF8.self)
            }
        }
    }

    /// The events with and without contents of sections; the second is nil if the document is read as it is.
    private func events(_ document: [UInt8]) -> (whole: [String], cut: [String]?) {
        document.withUnsafeBufferPointer { bytes in
            var (whole, short) = (Recorder(), Recorder())
            _ = XMLDriver.parse(bytes, recovers: false, into: &whole)
            guard let sections = XMLSections(of: bytes),
                XMLDriver.parse(sections, of: bytes, into: &short) == (true, true)
            else { return (whole.events, nil) }
            return (whole.events, short.events)
        }
    }

    @Test("the contents are cut out but for one byte, and the reader gets them")
    func cutting() {
        let document = "<a><b><![CDATA[https://a.example/?x=[Y]]]></b>\n<c><![CDATA[]]></c><d><![CDATA[z]]></d></a>"
        #expect(self.cut(document) == "<a><b><![CDATA[h]]></b>\n<c><![CDATA[]]></c><d><![CDATA[z]]></d></a>")
        let events = self.events(Array(document.utf8))
        #expect(events.cut == events.whole)
        #expect(events.cut?.contains("https://a.example/?x=[Y] 1") == true)
    }

    @Test(
        "contents with line ends, control characters or other letters stay",
        arguments: ["a\nb", "a\tb", "\u{e9}", "a\u{7f}", "\r\n", ""]
    )
    func kept(content: String) {
        let document = "<a><b><![CDATA[plain]]></b><b><![CDATA[\(content)]]></b></a>"
        #expect(self.cut(document) == "<a><b><![CDATA[p]]></b><b><![CDATA[\(content)]]></b></a>")
        let events = self.events(Array(document.utf8))
        #expect(events.cut == events.whole)
    }

    @Test(
        "a document in which something else could look like a section is read as it is",
        arguments: [
            "<a>no section</a>", "<a><![CDATA[open</a>", "<!DOCTYPE a><a><![CDATA[text]]></a>",
            "<?x <![CDATA[ ?><a>text<!-- ]]> --></a>", "<a><![CDATA[text]]><?x y?></a>",
            "<?xml version='1.0' encoding='iso-2022-jp'?><a><![CDATA[text]]></a>",
            "<?xml version='1.0' encoding = 'utf-8'?><a><![CDATA[text]]></a>", "<?xml <a><![CDATA[text]]></a>",
            "<?xml-x <![CDATA[ ?><a>text<!-- ]]> --></a>", "",
            "<", "<!", "<![CDATA[", "<!--", "text <![CDATA[text]]>",
        ]
    )
    func whole(document: String) { #expect(self.cut(document) == nil) }

    @Test(
        "sections in comments change nothing",
        arguments: ["<!-- <![CDATA[text]]> -->", "<!--><![CDATA[text]]>-->", "<!-- <!-- <![CDATA[text]]> -->"]
    )
    func comments(comment: String) {
        let events = self.events(Array("<a>\(comment)<b><![CDATA[plain]]></b>\(comment)</a>".utf8))
        #expect(events.cut ?? events.whole == events.whole)
    }

    @Test("a byte order mark and a declaration of UTF-8 are understood")
    func declared() {
        for start in [
            "\u{FEFF}", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", "<?xml version='1.0' encoding='utf-8'?>",
        ] {
            let events = self.events(Array("\(start)<a><b><![CDATA[plain]]></b></a>".utf8))
            #expect(events.cut == events.whole, "\(start)")
        }
    }

    @Test("a document in UTF-16 is read as it is")
    func utf16() {
        let bytes = Array("<a><![CDATA[plain]]></a>".utf16).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        #expect(bytes.withUnsafeBufferPointer { XMLSections(of: $0) } == nil)
    }

    @Test("the reader gets the same events as without cutting, whatever the document", .timeLimit(.minutes(1)))
    func random() {
        let seed = TestSeed.chosen ?? UInt64.random(in: 0...UInt64.max)
        var random = TestRandom(seed: seed)
        let parts = [
            "<![CDATA[", "]]>", "<a>", "</a>", "<b x='1'>", "</b>", "<!--", "-->", "<?x", "?>", "<!DOCTYPE a>", "text",
            "&amp;",
            "\n", " ", "\u{e9}", "]]", ">", "<a><![CDATA[x]]></a>", "<b><![CDATA[https://a.example/?b=[C]]]></b>",
            "<!-- -->",
        ]
        var count = 0
        for _ in 0..<20_000 {
            let inner = (0..<Int.random(in: 1...8, using: &random)).map { _ in parts.randomElement(using: &random) ?? ""
            }
            // Some are long enough to be read in several pieces.
            let filler = Bool.random(using: &random) ? 0 : Int.random(in: 3_800...4_000, using: &random)
            let comment = filler == 0 ? "" : "<!--\(String(repeating: "x", count: filler))-->"
            let events = self.events(Array("<r>\(comment)\(inner.joined())</r>".utf8))
            guard let cut = events.cut else { continue }
            count += 1
            #expect(cut == events.whole, "seed \(seed): \(inner)")
        }
        #expect(count > 100, "seed \(seed)")
    }
}
