import Testing

@testable import AdCore

@Suite("HTTP values")
struct HTTPTests {
    @Test(
        "an invalid header is refused",
        arguments: [
            ("X-A", "a\r\nX-B: b"), ("X A", "b"), ("", "b"), ("X-A", "\u{0}"), ("X-Ä", "b"), ("X:", "b"),
        ]
    )
    func injection(name: String, value: String) {
        var headers = AdHTTPHeaders()
        let isAdded = headers.add(name, value)
        #expect(!isAdded)
        headers[name] = value
        #expect(headers.fields.isEmpty)
    }

    @Test("a literal with data in it crashes nothing: space around a value is removed, an invalid field is left out")
    func literal() {
        let token = "secret\n"
        let headers: AdHTTPHeaders = ["Authorization": "Bearer \(token)", "X-A": "a\r\nX-B: b", "X-C": " c "]
        #expect(headers.fields.map(\.name) == ["Authorization", "X-C"])
        #expect(headers["Authorization"] == "Bearer secret" && headers["X-C"] == "c")
    }

    @Test("names are case-insensitive, and setting replaces all fields of a name")
    func names() {
        var headers: AdHTTPHeaders = ["Accept": "a"]
        headers.add("ACCEPT", "b")
        headers["accept"] = "c"
        #expect(headers["Accept"] == "c")
        #expect(headers.fields.count == 1)
    }

    @Test(
        "HTTP dates are parsed",
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777_000),
            ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000_000),
        ]
    )
    func dates(text: String, milliseconds: Int64) {
        #expect(HTTPDate.wallTime(text) == WallTime(milliseconds: milliseconds))
    }

    @Test(
        "invalid HTTP dates are refused",
        arguments: ["", "soon", "Thu, 32 Jan 1970 00:00:00 GMT", "Thu, 01 Jan 1970 00:00:00"]
    )
    func noDates(text: String) {
        #expect(HTTPDate.wallTime(text) == nil)
    }
}
