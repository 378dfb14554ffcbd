import AdMarkup
import Testing

@Suite("Markup kinds")
struct MarkupKindTests {
    @Test(
        "the beginning decides the kind",
        arguments: [
            ("", MarkupKind.empty), (" \r\n\t", .empty), ("\u{FEFF} ", .empty),
            ("<div>x</div>", .html), ("<!DOCTYPE html>", .html), ("<HTML>", .html), ("x <b>y</b>", .html),
            ("<!-- x -->", .html),
            ("<!-- x", .html), ("</div>", .html), ("<my-ad>", .html), ("<svg>", .html), ("<![CDATA[x]]>", .html),
            ("[x] <a>", .html),
            ("<?xml version='1.0'?><!DOCTYPE html PUBLIC 'x'><html>", .html), ("<?xml version='1.0'?><html>", .html),
            ("<VAST version='4.2'>", .vast), ("\u{FEFF}<?xml version='1.0'?>\n<!-- c > -->\n<VAST/>", .vast),
            ("<vast>", .vast),
            ("<ns:VAST xmlns:ns='x'>", .vast), ("<VideoAdServingTemplate>", .vast),
            ("<!DOCTYPE VAST [<!ENTITY a 'b'>]><VAST>", .vast),
            ("<vmap:VMAP xmlns:vmap='x'>", .vmap), ("<VMAP>", .vmap),
            ("<?xml version='1.0'?><svg>", .xml(root: "svg")), ("<Response>", .xml(root: "Response")), ("<a:b>", .html),
            ("<x:Ad1>", .xml(root: "Ad1")),
            ("{\"a\":1}", .json), (" {}", .json), ("[]", .json), ("[1]", .json), ("[ true]", .json), ("[{}]", .json),
            ("{x}", .text), ("[MACRO]", .text), ("https://a.example/vast.xml", .text), ("a < b", .text), ("<", .text),
            ("<3", .text),
            ("\0\0", .binary), ("\u{89}PNG\r\n\u{1A}\n\0", .binary), ("{", .text), ("[", .text), ("<?", .html),
            ("\u{7F}ELF\u{2}\0 <b>", .binary), ("x <b>\0", .binary),
            ("<\0<b>", .binary), ("<p>\0</p>", .html),
            ("<!", .html),
            ("\"<VAST version=\\\"3.0\\\"><Ad>\"", .vast), (" \"\\n<?xml version=\\\"1.0\\\"?>\\n<VAST/>\"", .vast),
            ("<?xml version=\\\"1.0\\\"?>\\n<VAST>", .vast),
            ("\"\\u003cVAST\\u003e\"", .vast), ("\"<vmap:VMAP>\"", .vmap), ("\"<div>x</div>\"", .html),
            ("\"Tea\"", .text), ("\"", .text), ("\"\\u003c", .text),
        ]
    )
    func kinds(text: String, kind: MarkupKind) {
        #expect(MarkupKind(sniffing: text) == kind)
        #expect(MarkupKind(sniffing: Array(text.utf8)) == kind)
    }

    @Test("UTF-16 is recognized with and without a byte order mark", arguments: [true, false], [true, false])
    func utf16(isLittleEndian: Bool, isMarked: Bool) {
        var bytes: [UInt8] = []
        for unit in (isMarked ? "\u{FEFF}<VAST é>" : "<VAST é>").utf16 {
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
            bytes += isLittleEndian ? [low, high] : [high, low]
        }
        #expect(MarkupKind(sniffing: bytes) == .vast)
    }

    @Test("bytes beyond the look-ahead are not checked")
    func lookAhead() {
        let blank = String(repeating: " ", count: MarkupKind.lookAhead)
        #expect(MarkupKind(sniffing: blank + "<VAST>") == .empty)
        let comment = "<!--" + String(repeating: "-", count: MarkupKind.lookAhead) + "-->"
        #expect(MarkupKind(sniffing: comment + "<VAST>") == .html)
        let long = "<" + String(repeating: "A", count: 1000) + ">"
        #expect(MarkupKind(sniffing: long) == .xml(root: String(repeating: "A", count: 256)))
    }

    @Test("no prefix or suffix of a sample crashes the detection of its kind")
    func prefixes() {
        let text = "\u{FEFF}<?xml version='1.0'?><!DOCTYPE VAST [<!ENTITY a 'b'>]><!-- c --><vmap:VMAP>{\"a\":[true]}"
        let bytes = Array(text.utf8)
        for count in 0...bytes.count {
            _ = MarkupKind(sniffing: Array(bytes.prefix(count)))
            _ = MarkupKind(sniffing: Array(bytes.suffix(count)))
        }
    }
}
