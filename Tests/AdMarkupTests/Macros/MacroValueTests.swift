import AdCore
import TestSupport
import Testing

@testable import AdMarkup

@Suite("Macro values")
struct MacroValueTests {
    private func template(_ text: String) throws -> URLTemplate { try #require(URLTemplate(text)) }

    @Test(
        "each value is percent-encoded separately, except for the commas of a list",
        arguments: [
            (.text("a b&c=d/e?f#g"), "a%20b%26c%3Dd%2Fe%3Ff%23g"),
            (.text("é茶"), "%C3%A9%E8%8C%B6"),
            (.text("a,b"), "a%2Cb"),
            (.text("100%"), "100%25"),
            (.text("%41"), "%2541"),
            (.text("-._~"), "-._~"),
            (.text(""), ""),
            (.list(["a", "b c", "d,e"]), "a,b%20c,d%2Ce"),
            (.list([]), ""),
            (.list(["7"]), "7"),
            (.text("[ERRORCODE]"), "%5BERRORCODE%5D"),
            (.text("%%TIMESTAMP%%"), "%25%25TIMESTAMP%25%25"),
            (.text("\u{0}\n"), "%00%0A"),
        ] as [(MacroValues.Value, String)]
    )
    func encoding(value: MacroValues.Value, wanted: String) throws {
        var values = MacroValues.error(900)
        values[.contentID] = value
        let template = try self.template("https://t.example/?x=[CONTENTID]&y=1")
        #expect(try values.finished(template).text == "https://t.example/?x=\(wanted)&y=1")
        // Replacing in two steps makes no difference, even if a value looks like a macro.
        #expect(try MacroValues.error(1).finished(values.filled(template)).text == "https://t.example/?x=\(wanted)&y=1")
    }

    @Test("macros with a value are replaced early, the others remain")
    func filled() throws {
        var values = MacroValues()
        values[.podSequence] = .text("2")
        let template = try self.template("https://t.example/[PODSEQUENCE]/[ERRORCODE]/[FOO]/%%TIMESTAMP%%")
        #expect(values.filled(template).text == "https://t.example/2/[ERRORCODE]/[FOO]/%%TIMESTAMP%%")
        let plain = try self.template("https://t.example/%41")
        #expect(values.filled(plain) == plain)
    }

    @Test("of two values for one macro the later one counts")
    func adding() throws {
        var first = MacroValues()
        first[.ifa] = .text("1")
        first[.domain] = .text("d")
        var second = MacroValues()
        second[.ifa] = .withheld
        let sum = first.adding(second)
        #expect(sum[.ifa] == .withheld)
        #expect(sum[.domain] == .text("d"))
        #expect(sum[.pageURL] == nil)
    }

    @Test(
        "URLs are completed and resolved",
        arguments: [
            ("//t.example/a", nil, "https://t.example/a"),
            ("//t.example/a", "http://s.example/", "http://t.example/a"),
            ("//t.example/a", "https://s.example/", "https://t.example/a"),
            ("/a?b=[REASON]", "https://s.example/x/y?z", "https://s.example/a?b=-1"),
            ("a/../b", "https://s.example/x/y?z", "https://s.example/x/b"),
            ("?q=1", "https://s.example/x/y?z", "https://s.example/x/y?q=1"),
            ("a", nil, nil),
            ("about:blank", nil, nil),
            ("about:blank", "https://s.example/", nil),
            ("javascript:alert(1)", "https://s.example/", nil),
            (
                "https://t.example/${AUCTION_ID}?a={b}|c d\"<>", nil,
                "https://t.example/$%7BAUCTION_ID%7D?a=%7Bb%7D%7Cc%20d%22%3C%3E"
            ),
            ("HTTPS://T.Example/%zz", nil, "https://t.example/%25zz"),
            ("https://[REASON].example/", nil, "https://-1.example/"),
            ("https://t.example/[a]", nil, "https://t.example/[a]"),
        ] as [(String, String?, String?)]
    )
    func addresses(text: String, base: String?, wanted: String?) throws {
        let url = try? MacroValues().finished(self.template(text), from: base.flatMap { HTTPURL($0) })
        #expect(url?.text == wanted)
    }

    @Test("a very long URL takes linear time")
    func hostile() throws {
        let start = ProcessorTime.now
        for morsel in ["[", "%", "%%", "[A", "[TIMESTAMP", "[ERRORCODE]", "%%TIMESTAMP", "]", "[[[[A_", "[ERROR_CODE"] {
            let text = "https://t.example/?" + String(repeating: morsel, count: 1_000_000 / morsel.utf8.count)
            let template = try self.template(text)
            #expect(MacroValues.error(900).filled(template).text.utf8.count > 100_000)
            // Longer than any valid URL.
            #expect(throws: HTTPURL.ParseError.tooLong) { try MacroValues().finished(template) }
            _ = MacroScanner.names(text)
        }
        #expect(ProcessorTime.now - start < .timeout(20))
    }
}
