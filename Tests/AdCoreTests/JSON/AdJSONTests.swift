import AdCore
import Testing

@Suite("JSON")
struct JSONTests {
    @Test(
        "a value is parsed and written without changing a byte",
        arguments: [
            "null", "true", "false", "0", "-0", "1.50", "1e+300", "18446744073709551615", #""""#, #""é\n\"\\/""#, "[]",
            "{}",
            #"{"b":1,"a":[null,{"c":"d"}]}"#,
        ]
    )
    func roundTrip(text: String) throws {
        #expect(try AdJSON(parsing: text).text() == text)
    }

    @Test(
        "invalid JSON is refused with line and column",
        arguments: [
            ("", 1, 1), ("{", 1, 2), ("[1,]", 1, 4), ("{\n  \"a\" 1}", 2, 7), ("01", 1, 3), ("nul", 1, 1),
            ("\"\u{1}\"", 1, 2),
            (#""\x""#, 1, 3), ("1 2", 1, 3), ("<html>", 1, 1), ("NaN", 1, 1),
        ]
    )
    func parseErrors(text: String, line: Int, column: Int) {
        #expect {
            try AdJSON(parsing: text)
        } throws: { error in
            guard let error = error as? AdJSON.ParseError else { return false }
            return error.line == line && error.column == column
        }
    }

    @Test("depth and number of values are limited")
    func bounds() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(throws: AdJSON.ParseError.self) { try AdJSON(parsing: deep) }
        let many = "[" + String(repeating: "1,", count: AdJSON.maximumValues) + "1]"
        #expect(throws: AdJSON.ParseError.self) { try AdJSON(parsing: many) }
    }

    @Test("escapes, surrogate pairs and lone surrogates become text")
    func escapes() throws {
        #expect(try AdJSON(parsing: #""\ud83d\ude00\u0041\/""#).string == "😀A/")
        #expect(try AdJSON(parsing: #""\ud83dx""#).string == "\u{FFFD}x")
        #expect(try AdJSON(parsing: #""\udc00""#).string == "\u{FFFD}")
    }

    @Test("the last of two members with the same name counts, and both are kept")
    func repeatedNames() throws {
        let value = try AdJSON(parsing: #"{"a":1,"a":2}"#)
        #expect(value["a"]?.number == 2)
        #expect(value.text() == #"{"a":1,"a":2}"#)
    }

    @Test("sorted writing does not depend on the order of members")
    func sorted() throws {
        #expect(try AdJSON(parsing: #"{"b":{"z":1,"y":2},"a":0}"#).text(.sorted) == #"{"a":0,"b":{"y":2,"z":1}}"#)
    }

    @Test("NaN and infinities become null, and integral numbers have no decimal point")
    func numbers() {
        #expect(AdJSON.double(.nan) == .null)
        #expect(AdJSON.double(-.infinity) == .null)
        #expect(AdJSON.double(320).text() == "320")
        #expect(AdJSON.double(-9_223_372_036_854_775_808).text() == "-9.223372036854776e+18")
        #expect(AdJSON.double(9_007_199_254_740_991).text() == "9007199254740991")
        #expect(AdJSON.double(0.25).text() == "0.25")
    }
}
