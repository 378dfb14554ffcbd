import TestSupport
import Testing

@testable import AdCore

@Suite("JSON objects as text")
struct JSONTextTests {
    @Test("a text that needs repairs is rewritten with the same numbers and order, and an ambiguous one is refused")
    func repaired() {
        #expect(
            JSONText(repairing: #"{ "n" : 18446744073709551615 , "a":1.50, }"#)?.text
                == #"{"n":18446744073709551615,"a":1.50}"#
        )
        #expect(JSONText(repairing: #"{ "a" : 1 }"#)?.text == #"{ "a" : 1 }"#, "a valid text is not changed")
        for text in [#"{"a":1,"a":2}"#, "[1,]", "{", "{\"a\":1,,}"] { #expect(JSONText(repairing: text) == nil) }
    }

    @Test(
        "a member is removed with its comma, and nothing else changes",
        arguments: [
            (#"{"a":1,"b":2,"c":3}"#, "a", #"{"b":2,"c":3}"#), (#"{"a":1,"b":2,"c":3}"#, "b", #"{"a":1,"c":3}"#),
            (#"{"a":1,"b":2,"c":3}"#, "c", #"{"a":1,"b":2}"#), (#"{"a":1}"#, "a", "{}"),
            (#"{ "a" : [1, {"b": 2}] , "b" : "x,}" }"#, "b", #"{ "a" : [1, {"b": 2}] }"#),
            (#"{"a\"":1,"\u0062":2}"#, "b", #"{"a\"":1}"#), (#"{"a":{"b":1}}"#, "b", #"{"a":{"b":1}}"#),
        ]
    )
    func remove(text: String, name: String, result: String) throws {
        var json = try #require(JSONText(text))
        json.remove(name)
        #expect(json.text == result)
        #expect(!json.has(name))
    }

    @Test("members are added before and after all others")
    func add() throws {
        var empty = try #require(JSONText(" { } "))
        empty.append("b", 2)
        empty.prepend("a", "x\n")
        #expect(empty.text == " {\"a\":\"x\\n\",\"b\":2 } ")
        var full = try #require(JSONText("{ \"n\" : 1e400 }"))
        full.prepend("a", nil)
        full.append("z", [])
        #expect(full.text == "{\"a\":null, \"n\" : 1e400,\"z\":[] }")
        #expect(full.has("n") && full.has("z") && !full.has("1e400"))
    }

    @Test(
        "other values than objects and ambiguous objects are refused",
        arguments: ["", "[]", "1", "{", #"{"a":1,"a":2}"#, #"{"a":"\ud800"}"#, "{\"a\":1} x"]
    )
    func none(text: String) { #expect(JSONText(text) == nil) }

    @Test("random removals and additions have the same result as on a plain object", arguments: 0..<40 as Range<UInt64>)
    func random(seed: UInt64) throws {
        var random = TestRandom(seed: TestSeed.chosen ?? seed)
        let values: [AdJSON] = [1, "a,b", nil, [1, "}"], ["x": ["y": "{"]], true, "\u{1F33F}"]
        var plain: [AdJSON.Member] = []
        var text = try #require(JSONText("{}"))
        for step in 0..<30 {
            let name = "k\(Int.random(in: 0..<8, using: &random))"
            if plain.contains(where: { $0.name == name }) {
                text.remove(name)
                plain.removeAll { $0.name == name }
            } else if Bool.random(using: &random), let value = values.randomElement(using: &random) {
                text.append(name, value)
                plain.append(.init(name, value))
            } else if let value = values.randomElement(using: &random) {
                text.prepend(name, value)
                plain.insert(.init(name, value), at: 0)
            }
            #expect(text.text == AdJSON.object(plain).text(), "seed \(seed), step \(step)")
        }
    }
}
