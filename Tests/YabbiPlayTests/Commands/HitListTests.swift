import AdCore
import PlaySupport
import Testing

@testable import PlayReconcile
@testable import YabbiPlay

@Suite("A list of hits")
struct HitListTests {
    private func read(_ text: String) throws(HitListError) -> HitList { try HitListReader.read(Array(text.utf8)) }

    @Test("is read in any order of members, with white space and with brackets and quotation marks in strings")
    func reads() throws {
        let list = try self.read(
            """
            \u{FEFF} { "dropped" : 3 , "more":{"a":[1,{"b":"]}"}]},
              "hits" : [ {"n":1,"at":1700000000123,"path":"/t/\\"]}","key":"k\\\\","fault":null,"counted":false,
                "headers":{"host":"a.example"},"body":"{\\"hits\\":["} ,
              {"at":2.0e1,"n":2,"path":"/t/b"} ] }

            """
        )
        #expect(list.dropped == 3)
        #expect(
            list.arrivals == [
                .sample(1, key: "k\\", at: 1_700_000_000_123, path: "/t/\"]}", host: "a.example", isCounted: false),
                .sample(2, key: nil, at: 20, path: "/t/b", host: nil),
            ]
        )
        #expect(try self.read("{\"hits\":[]}").arrivals.isEmpty)
    }

    @Test("without \"counted\" the fault decides")
    func older() throws {
        for (fault, isCounted) in [
            ("null", true), ("\"status\"", false), ("\"redirectLoop\"", false), ("\"dropBeforeReply\"", true),
        ] {
            let list = try self.read("{\"hits\":[{\"n\":1,\"at\":0,\"path\":\"/t/\",\"fault\":\(fault)}]}")
            #expect(list.arrivals.map(\.isCounted) == [isCounted])
        }
    }

    @Test(
        "an error has its line",
        arguments: [
            ("", "unexpected end, expected \u{201C}{\u{201D} on line 1"),
            ("[]", "expected \u{201C}{\u{201D} on line 1"),
            ("{}", "the member \"hits\" is missing"),
            ("{\"hits\":{}}", "expected \u{201C}[\u{201D} on line 1"),
            ("{\"hits\":[\n1]}", "hits[0] must be an object, not a number on line 2"),
            ("{\"hits\":[{}]}", "hits[0].path is missing on line 1"),
            (
                "{\"hits\":[{\"n\":1,\"at\":1,\"path\":\"/t/\"},\n{\"n\":1.5,\"at\":1,\"path\":\"/t/\"}]}",
                "hits[1].n must be an integer on line 2"
            ),
            ("{\"hits\":[{\"n\":1,\"path\":\"/\"}]}", "hits[0].at is missing on line 1"),
            (
                "{\"hits\":[{\"n\":1,\"at\":1,\"path\":\"/\",\"key\":1}]}",
                "hits[0].key must be a string, not a number on line 1"
            ),
            (
                "{\"hits\":[{\"path\":\"/\",\"counted\":\"yes\"}]}",
                "hits[0].counted must be true or false, not a string on line 1"
            ),
            ("{\"hits\":[],\n\"dropped\":-1}", "\"dropped\" must be an integer on line 2"),
            ("{\"hits\":[]} x", "unexpected text after the list on line 1"),
            ("{\"hits\":[],,}", "there is nothing to read on line 1"),
            ("{1:2}", "the name of a member is missing on line 1"),
        ]
    )
    func mistakes(text: String, message: String) {
        #expect(throws: HitListError(message: message)) { try self.read(text) }
    }

    @Test("every truncated list is an error")
    func cut() throws {
        let text = #"{"hits":[{"n":1,"at":1,"path":"/t/\\\"","headers":{"host":"h"}}],"dropped":0}"#
        #expect(try self.read(text).arrivals.count == 1)
        for count in 0..<text.utf8.count {
            #expect(throws: HitListError.self) { try HitListReader.read(Array(text.utf8.prefix(count))) }
        }
    }

    @Test("a list with more values than the JSON parser's limit is read")
    func many() throws {
        let fields = (1...40).map { "\"x-\($0)\":\"\"" }.joined(separator: ",")
        let hit = "{\"n\":1,\"at\":1,\"path\":\"/t/\",\"headers\":{\(fields)}}"
        let count = AdJSON.maximumValues / 40
        let text = "{\"hits\":[" + Array(repeating: hit, count: count).joined(separator: ",") + "],\"dropped\":0}"
        #expect(throws: AdJSON.ParseError.self) { try AdJSON(parsing: text) }
        #expect(try self.read(text).arrivals.count == count)
    }
}
