import AdCore
import Testing

@Suite("Repairs of JSON")
struct JSONRepairTests {
    private func repairs(_ bytes: [UInt8]) throws -> [String] {
        try AdJSON.reading(bytes).repairs.map { "\($0.code) \($0.place)" }
    }

    @Test(
        "each repair is an issue with its line",
        arguments: [
            ("{\"a\":1,\n\"b\":2,\n\"a\":3}", ["json.duplicate line 3"]),
            ("[\n{\"a\":{\"a\":1}},{\"a\":1}]", []),
            (
                "[\"\\ud83d\",\n\"\\udc00\\ud83dx\"]",
                ["json.surrogate line 1", "json.surrogate line 2", "json.surrogate line 2"]
            ),
            (#"["\ud83d\ude00","\ufffd","é😀"]"#, []),
            (#"{"\u0061":1,"a":2}"#, ["json.duplicate line 1"]), (#"{"a":1,"\u0061":2}"#, ["json.duplicate line 1"]),
            (#"{"":1,"x":0,"":2}"#, ["json.duplicate line 1"]),
        ]
    )
    func places(text: String, issues: [String]) throws {
        #expect(try self.repairs(Array(text.utf8)) == issues)
        #expect(try AdJSON.reading(Array(text.utf8)).json == AdJSON(parsing: text))
    }

    @Test(
        "invalid UTF-8 is one issue with the line of the first invalid byte",
        arguments: [[0xFF], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xC0, 0xAF], [0xED, 0xA0, 0x80]]
    )
    func encoding(invalid: [UInt8]) throws {
        let bytes = Array("[\"é\",\n\"".utf8) + invalid + Array("\"]".utf8)
        #expect(try self.repairs(bytes) == ["json.utf8 line 2"])
    }

    @Test("a repeated member is named", arguments: [2, 11, 12, 13, 40])
    func names(count: Int) throws {
        let members = (0..<count).map { "\"name\($0)\":0" } + ["\"name1\":1"]
        let repairs = try AdJSON.reading(Array("{\(members.joined(separator: ","))}".utf8)).repairs
        #expect(repairs.map(\.code) == ["json.duplicate"])
        #expect(repairs.first?.message.contains("\u{201C}name1\u{201D}") == true)
    }

    @Test(
        "a trailing comma is ignored, with an issue with its line",
        arguments: [
            ("{\"a\":1,}", "{\"a\":1}", ["json.comma line 1"]), ("[1,2\n,\n]", "[1,2]", ["json.comma line 2"]),
            (
                "{\"a\":[{},],\n\"b\":{\"c\":null , } }", "{\"a\":[{}],\"b\":{\"c\":null}}",
                ["json.comma line 1", "json.comma line 2"]
            ),
        ]
    )
    func commas(text: String, repaired: String, issues: [String]) throws {
        let (json, repairs) = try AdJSON.reading(Array(text.utf8))
        #expect(json == (try AdJSON(parsing: repaired)))
        #expect(repairs.map { "\($0.code) \($0.place)" } == issues)
        #expect(throws: AdJSON.ParseError.self, "parsing without repairs refuses it") { try AdJSON(parsing: text) }
    }

    @Test(
        "other commas are not repaired",
        arguments: ["{,}", "[,]", "[1,,]", "{\"a\":1,,}", "{\"a\",}", "[1,2", "[1,"]
    )
    func wrongCommas(text: String) {
        #expect(throws: AdJSON.ParseError.self) { try AdJSON.reading(Array(text.utf8)) }
    }

    @Test("the number of listed repairs is limited")
    func bounded() throws {
        let text = "{" + Array(repeating: "\"a\":\"\\ud800\"", count: 5000).joined(separator: ",") + "}"
        let repairs = try AdJSON.reading(Array(text.utf8)).repairs
        #expect(repairs.count == 21)
        #expect(repairs.last?.code == "json.repairs.more")
        #expect(repairs.last?.message.contains("9979") == true)
    }
}
