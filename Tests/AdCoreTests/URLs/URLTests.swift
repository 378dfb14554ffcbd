import AdCore
import Testing

@Suite("URLs")
struct URLTests {
    @Test(
        "URLs of ad servers are escaped without changing their meaning",
        arguments: [
            ("http://a.example", "http://a.example/"),
            ("  HTTPS://A.Example/x \n", "https://a.example/x"),
            ("http://a.example:8080?q=1", "http://a.example:8080/?q=1"),
            ("http://a.example/a b%20c%zz", "http://a.example/a%20b%20c%25zz"),
            (
                "http://a.example/ü?ключ=знач",
                "http://a.example/%C3%BC?%D0%BA%D0%BB%D1%8E%D1%87=%D0%B7%D0%BD%D0%B0%D1%87"
            ),
            ("http://a.example/x#part", "http://a.example/x"),
            ("http://a.example/{macro}|[x]", "http://a.example/%7Bmacro%7D%7C[x]"),
            ("http://a.example/li\tne\nbreak", "http://a.example/linebreak"),
            ("http://[::1]:80/x", "http://[::1]:80/x"),
            ("http://bücher.example/", "http://xn--bcher-kva.example/"),
            ("http://яндекс.рф/", "http://xn--d1acpjx3f.xn--p1ai/"),
            ("http://a.example./", "http://a.example/"),
            ("http://a.example\\x", "http://a.example/%5Cx"),
            ("http://[1:2:3:4:5:6:7:8]/", "http://[1:2:3:4:5:6:7:8]/"), ("http://[1::]/", "http://[1::]/"),
            ("http://[::]/", "http://[::]/"), ("http://[FE80::1:2]/", "http://[fe80::1:2]/"),
            ("http://[::ffff:192.0.2.1]/", "http://[::ffff:192.0.2.1]/"),
            ("http://[1:2:3:4:5:6:192.0.2.1]/", "http://[1:2:3:4:5:6:192.0.2.1]/"),
        ]
    )
    func repaired(text: String, wire: String) {
        #expect(HTTPURL(text)?.text == wire)
    }

    @Test(
        "an invalid URL is refused with its error",
        arguments: [
            ("", HTTPURL.ParseError.notHTTP), ("//a.example", .notHTTP), ("ftp://a.example", .notHTTP),
            ("http://", .noHost),
            ("http:///x", .noHost), ("http://a b/", .badHost), ("http://a.example:0/", .badPort),
            ("http://a.example:99999/", .badPort), ("http://a.example:x/", .badPort),
            ("http://user:pass@a.example/", .hasUserName), ("http://a..example/", .badHost), ("http://[::1/", .badHost),
            ("http://\u{202E}.example/", .badHost), ("http://a.example%00.test/", .badHost),
            ("http://a.example/" + String(repeating: "x", count: 40_000), .tooLong),
            // The limit applies after escaping, so that an accepted URL can be parsed again.
            ("http://a.example/" + String(repeating: "\"", count: 20_000), .tooLong),
        ]
    )
    func refused(text: String, error: HTTPURL.ParseError) {
        #expect(throws: error) { try HTTPURL(parsing: text) }
    }

    @Test(
        "a host in brackets must be an IPv6 address",
        arguments: [
            ":", ":::", "1", "1:2", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "g::", ":1:2:3:4:5:6:7",
            "1:2:3:4:5:6:7:", "::1:", ":1::", "1::2:3:4:5:6:7:8", "192.0.2.1", "::192.0.2", "::192.0.2.256",
            "::192.0.2.01",
            "192.0.2.1::", "1:192.0.2.1::", "1:2:3:4:5:6:7:192.0.2.1", "fe80::1%25eth0", "", "::.", "::1.2.3.4.5",
        ]
    )
    func brackets(literal: String) {
        #expect(HTTPURL("http://[\(literal)]/") == nil)
    }

    @Test("an IPv6 address without brackets is not a valid host", arguments: ["::1", "1:2:3:4:5:6:7:8", "a:b:80"])
    func noBrackets(host: String) {
        #expect(throws: HTTPURL.ParseError.badHost) { try HTTPURL(parsing: "http://\(host)/") }
    }

    @Test(
        "canonically equivalent host names are the same host",
        arguments: [
            ("bu\u{308}cher.example", "xn--bcher-kva.example"), ("BU\u{308}CHER.example", "xn--bcher-kva.example"),
            ("и\u{306}.example", "xn--i1a.example"), ("й.example", "xn--i1a.example"),
            ("\u{FF45}\u{FF58}ample\u{FF0E}com", "example.com"), ("\u{FF25}\u{FF38}AMPLE.com", "example.com"),
            ("か\u{3099}.example", "xn--v8j.example"), ("a\u{302}\u{301}.example", "xn--rkg.example"),
            ("\u{212B}.example", "xn--5ca.example"), ("faß.example", "xn--fa-hia.example"),
        ]
    )
    func spelling(host: String, wire: String) throws {
        #expect(try HTTPURL(parsing: "http://\(host)/").host == wire)
    }

    @Test(
        "a host name that can't be normalized is refused",
        arguments: [
            "x\u{301}.example", "a\u{323}\u{302}\u{300}\u{300}.example", "\u{1100}\u{1161}.example",
            "\u{1D41E}x.example",
            "\u{FF76}.example", "\u{FB01}.example", "\u{2460}.example", "a\u{FF0F}b.example", "\u{958}.example",
        ]
    )
    func unstable(host: String) {
        #expect(throws: HTTPURL.ParseError.badHost) { try HTTPURL(parsing: "http://\(host)/") }
    }

    @Test("a URL has an origin, a port and a target")
    func parts() throws {
        let url = try HTTPURL(parsing: "https://a.example/b/c?d=e")
        #expect(url.origin == "https://a.example:443")
        #expect(url.port == 443)
        #expect(url.target == "/b/c?d=e")
    }

    @Test(
        "URLs that run code or read files are not click-through URLs",
        arguments: [
            "javascript:alert(1)", " JavaScript:alert(1)", "data:text/html,x", "file:///etc/passwd", "about:blank",
            "blob:x",
            "", "no scheme", ":", "http://", "vbscript:x", "ws://a.example/",
        ]
    )
    func refusedLandings(text: String) {
        #expect(ClickThroughURL(text) == nil)
    }

    @Test(
        "a click-through URL keeps its fragment, and may have other schemes",
        arguments: [
            ("https://a.example/x#y z", "https://a.example/x#y%20z", "https"), ("tel:+100", "tel:+100", "tel"),
            ("ITMS-Apps://x/id1", "itms-apps://x/id1", "itms-apps"),
            ("intent://x#Intent;end", "intent://x#Intent;end", "intent"),
        ]
    )
    func landings(text: String, wire: String, scheme: String) {
        #expect(ClickThroughURL(text)?.text == wire)
        #expect(ClickThroughURL(text)?.scheme == scheme)
    }

    @Test(
        "the text of a parsed click-through URL can be parsed again",
        arguments: ["https://a.example/#", "https://a.example/?q=", "tel:", "myapp://open/"]
    )
    func longLandings(beginning: String) {
        for count in [1, 100, 5_000, 14_000, 40_000] {
            guard let landing = ClickThroughURL(beginning + String(repeating: "\u{FC}", count: count)) else { continue }
            #expect(ClickThroughURL(landing.text) == landing, "\(count)")
        }
        #expect(ClickThroughURL(beginning + String(repeating: "\u{FC}", count: 100)) != nil)
    }

    @Test("secrets in a query are redacted")
    func redaction() {
        let text = "https://a.example/x?unit=1&IFA=abc&api%5Fkey=k&q"
        #expect(Redaction.address(text) == "https://a.example/x?unit=1&IFA=***&api%5Fkey=***&q")
    }
}
