import AdCore
import Testing

@testable import YabbiPlay

@Suite("Values of macros")
struct MacroValueTests {
    private func filled(_ text: String, _ values: (String, String)...) -> String {
        String(decoding: self.filled(Array(text.utf8), values), as: UTF8.self)
    }

    private func filled(_ bytes: [UInt8], _ values: [(String, String)]) -> [UInt8] {
        values.compactMap { MacroValue(named: $0.0, $0.1) }.filled(bytes)
    }

    @Test("every spelling of a macro is filled")
    func spellings() {
        #expect(self.filled("<p>%%A%% [A] ${A} {A} A [AB]", ("A", "1")) == "<p>1 1 1 1 A [AB]")
    }

    @Test("in XML a value is escaped outside of CDATA, and can't end it inside; in JSON it is escaped as text")
    func escaping() {
        let vast = "<VAST><A>[X]</A><B><![CDATA[[X]]]></B></VAST>"
        #expect(
            self.filled(vast, ("X", "a&b]]>c"))
                == "<VAST><A>a&amp;b]]&gt;c</A><B><![CDATA[a&bc]]></B></VAST>"
        )
        #expect(self.filled(#"{"url":"%%X%%"}"#, ("X", #"a"b"#)) == #"{"url":"a\"b"}"#)
    }

    @Test("a document that is not UTF-8 keeps its bytes")
    func otherEncoding() {
        let latin = Array("<p title='".utf8) + [0xE9] + Array("'>[X]".utf8)
        #expect(self.filled(latin, [("X", "1")]) == Array("<p title='".utf8) + [0xE9] + Array("'>1".utf8))
    }

    @Test("in a URL a value is percent-encoded, but not a URL that the tag begins with")
    func urls() {
        let values = [MacroValue(named: "CLICK", "https://c.example/?u="), MacroValue(named: "X", "a&b")]
        #expect(
            values.compactMap(\.self).filled(url: "%%CLICK%%https://a.example/?x=[X]")
                == "https://c.example/?u=https://a.example/?x=a%26b"
        )
    }

    @Test("the spellings are found also where a parsed URL has them percent-encoded")
    func encoded() {
        let values = [MacroValue(named: "A", "1")].compactMap(\.self)
        #expect(
            values.filled(url: "https://a.example/?a=%25%25A%25%25&b=%24%7BA%7D&c=%7BA%7D&d=%5BA%5D&e=$%7BA%7D")
                == "https://a.example/?a=1&b=1&c=1&d=1&e=1"
        )
    }

    @Test("a name that can't be one is refused")
    func names() {
        for name in ["", "A B", "[A]", String(repeating: "A", count: 101)] {
            #expect(MacroValue(named: name, "x") == nil)
        }
    }
}
