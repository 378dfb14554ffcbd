import AdCore
import LoopbackServer
import Testing

@testable import SandboxSSP

@Suite("The fault table")
struct FaultTableTests {
    private static func kinds(_ table: inout FaultTable, _ path: String, _ count: Int) -> [String?] {
        (0..<count).map { _ in table.next(for: path)?.name }
    }

    @Test("a list is used up in order, each fault as often as it says, then responses are normal")
    func order() throws {
        var table = FaultTable()
        try table.set(["/t/": [Sandbox.Fault(.status(503), times: 2), Sandbox.Fault(.garbage)]])
        #expect(Self.kinds(&table, "/t/view", 5) == ["status", "status", "garbage", nil, nil])
    }

    @Test("the longest prefix decides, even when its list is used up or empty")
    func longest() throws {
        var table = FaultTable()
        let many = [Sandbox.Fault(.garbage, times: 100)]
        try table.set(["/": many, "/t/": [Sandbox.Fault(.truncate)], "/t/quiet/": []])
        #expect(Self.kinds(&table, "/t/view", 2) == ["truncate", nil])
        #expect(Self.kinds(&table, "/t/quiet/view", 1) == [nil])
        #expect(Self.kinds(&table, "/yabbi/load", 1) == ["garbage"])
    }

    @Test("setting a prefix again replaces its list and keeps the others")
    func replaced() throws {
        var table = FaultTable()
        try table.set(["/a": [Sandbox.Fault(.garbage)], "/b": [Sandbox.Fault(.garbage)]])
        try table.set(["/a": [Sandbox.Fault(.truncate)]])
        #expect(Self.kinds(&table, "/a", 2) == ["truncate", nil])
        #expect(Self.kinds(&table, "/b", 2) == ["garbage", nil])
    }

    @Test(
        "an invalid fault is refused, and the table stays unchanged",
        arguments: [
            ("t/", Sandbox.Fault(.garbage)), ("", Sandbox.Fault(.garbage)), ("/sandbox/", Sandbox.Fault(.garbage)),
            ("/sandbox", Sandbox.Fault(.garbage)), ("/t", Sandbox.Fault(.garbage, times: 0)),
            ("/t", Sandbox.Fault(.status(100))), ("/t", Sandbox.Fault(.status(600))),
            ("/t", Sandbox.Fault(.status(503, retryAfter: -1))),
            ("/t", Sandbox.Fault(.status(503, headers: ["Content-Length": "1"]))),
            ("/t", Sandbox.Fault(.status(503, headers: ["A": "b\r\nC: d"]))),
            ("/t", Sandbox.Fault(.delay(milliseconds: -1))),
            ("/t", Sandbox.Fault(.delay(milliseconds: .max))), ("/t", Sandbox.Fault(.slow(bytesPerSecond: 0))),
        ]
    )
    func refused(prefix: String, fault: Sandbox.Fault) {
        var table = FaultTable()
        #expect(throws: FieldError.self) { try table.set(["/ok": [Sandbox.Fault(.garbage)], prefix: [fault]]) }
        #expect(table == FaultTable())
    }

    @Test("the numbers of prefixes and faults are limited")
    func bounded() {
        var table = FaultTable()
        let many = (0...FaultTable.maxPrefixes).map { ("/\($0)", [Sandbox.Fault]()) }
        #expect(throws: FieldError.self) { try table.set(Dictionary(uniqueKeysWithValues: many)) }
        let long = [Sandbox.Fault](repeating: Sandbox.Fault(.garbage), count: FaultTable.maxFaults + 1)
        #expect(throws: FieldError.self) { try table.set(["/": long]) }
    }
}

@Suite("Faults, as JSON")
struct FaultReadingTests {
    @Test(
        "every kind is parsed and listed as it was set",
        arguments: [
            #"{"kind":"status","status":503,"times":2}"#,
            #"{"kind":"status","status":429,"retryAfter":3,"headers":{"X-Why":"busy"},"times":1}"#,
            #"{"kind":"delay","ms":300,"times":1}"#, #"{"kind":"dropBeforeReply","times":1}"#,
            #"{"kind":"truncate","times":4}"#, #"{"kind":"garbage","times":1}"#,
            #"{"kind":"slow","bytesPerSecond":50,"times":1}"#, #"{"kind":"redirectLoop","times":1}"#,
        ]
    )
    func roundTrip(fault: String) {
        var state = Samples.state()
        let body = Array(#"{"/t/":[\#(fault)]}"#.utf8)
        let response = state.request("POST", "/sandbox/faults", bytes: body)
        #expect(response.status == 200)
        #expect(response.text == #"{"faults":{"/t/":[\#(fault)]}}"#)
        #expect(state.request("GET", "/sandbox/faults").text == response.text)
    }

    @Test("an unknown kind is refused, and the error lists the known ones")
    func unknownKind() throws {
        var state = Samples.state()
        let response = state.request("POST", "/sandbox/faults", ["/t/": [["kind": "explode"]]])
        #expect(response.status == 400)
        #expect(response.json?["field"]?.string == "/t/[0].kind")
        let message = try #require(response.json?["error"]?.string)
        for name in Sandbox.Fault.Kind.names { #expect(message.contains(name)) }
    }

    @Test(
        "the error names an invalid member of a fault",
        arguments: [
            ("[]", nil), ("{", nil), (#"{"/t/":{}}"#, "/t/"), (#"{"/t/":[1]}"#, "/t/[0]"),
            (#"{"/t/":[{}]}"#, "/t/[0].kind"),
            (#"{"/t/":[{"kind":"delay"}]}"#, "/t/[0].ms"), (#"{"/t/":[{"kind":"delay","ms":"300"}]}"#, "/t/[0].ms"),
            (#"{"/t/":[{"kind":"delay","ms":0.5}]}"#, "/t/[0].ms"),
            (#"{"/t/":[{"kind":"delay","ms":1e9}]}"#, "/t/[0].ms"),
            (#"{"/t/":[{"kind":"garbage"},{"kind":"garbage","time":2}]}"#, "/t/[1].time"),
            (#"{"/t/":[{"kind":"garbage","times":0}]}"#, "/t/[0].times"),
            (#"{"/t/":[{"kind":"status"}]}"#, "/t/[0].status"),
            (#"{"/t/":[{"kind":"status","status":200,"headers":{"Connection":"x"}}]}"#, "/t/[0].headers.Connection"),
            (#"{"/t/":[{"kind":"slow","bytesPerSecond":0}]}"#, "/t/[0].bytesPerSecond"),
            (#"{"t":[]}"#, "t"), (#"{"/sandbox/hits":[]}"#, "/sandbox/hits"),
        ] as [(String, String?)]
    )
    func mistakes(body: String, field: String?) {
        var state = Samples.state()
        let response = state.request("POST", "/sandbox/faults", bytes: Array(body.utf8))
        #expect(response.status == 400)
        #expect(response.json?["field"]?.string == field)
    }

    @Test("a fault is recorded in its hit, and control endpoints have none")
    func recorded() throws {
        var state = Samples.state()
        try state.setFaults(["/": [Sandbox.Fault(.dropBeforeReply, times: 2)]])
        #expect(state.request("GET", "/t/view").ending == .dropped)
        #expect(state.hits().map { $0["fault"] } == ["dropBeforeReply"])
        #expect(state.request("POST", "/yabbi/load", Samples.load("leaf")).ending == .dropped)
        #expect(state.request("GET", "/sandbox/requests").json?["requests"]?.array?.count == 1)
        #expect(state.request("GET", "/t/view").status == 200)
        #expect(state.hits().map { $0["fault"] } == ["dropBeforeReply", "dropBeforeReply", .null])
    }

    @Test("a truncated response declares more bytes than it sends", arguments: ["leaf", "nofill", "nofill-empty"])
    func truncation(unit: String) throws {
        var state = Samples.state()
        try state.setFaults(["/": [Sandbox.Fault(.truncate)]])
        let response = state.request("POST", "/yabbi/load", Samples.load(unit))
        guard case .cut(let after, let declared) = response.ending else {
            Issue.record("the response is not cut off")
            return
        }
        #expect(after < declared && after <= response.body.count && response.status == 200)
    }

    @Test(
        "a refused request stays refused, whatever a fault does to its response",
        arguments: [.dropBeforeReply, .garbage, .truncate, .delay(milliseconds: 5)] as [Sandbox.Fault.Kind]
    )
    func refused(kind: Sandbox.Fault.Kind) throws {
        var state = Samples.state()
        try state.setFaults(["/": [Sandbox.Fault(kind, times: 3)]])
        _ = state.request("GET", "/nowhere")
        _ = state.request("POST", "/yabbi/load", Samples.load("leave"))
        _ = state.request("POST", "/yabbi/load", Samples.load("leaf"))
        #expect(state.hits().map { $0["counted"] } == [false, false, true])
    }

    @Test("garbage is neither JSON nor UTF-8")
    func garbage() {
        let bytes = Sandbox.Fault.Kind.garbageBytes
        #expect(throws: AdJSON.ParseError.self) { try AdJSON(parsing: bytes) }
        #expect(!String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes))
    }
}

@Suite("Faults, over the network")
struct FaultWireTests {
    private static func sandbox(_ faults: Sandbox.Fault...) throws -> Sandbox {
        let sandbox = try Samples.sandbox()
        try sandbox.setFaults(["/t/": faults])
        return sandbox
    }

    @Test("a status fault has its headers and repeats as often as set")
    func status() throws {
        let fault = Sandbox.Fault(.status(503, retryAfter: 7, headers: ["X-Why": "busy"]), times: 2)
        let sandbox = try Self.sandbox(fault)
        for _ in 0..<2 {
            let answer = try fetch(sandbox.port, "GET", "/t/x")
            #expect(answer.status == 503)
            #expect(answer.headers["retry-after"] == "7" && answer.headers["x-why"] == "busy")
        }
        #expect(try fetch(sandbox.port, "GET", "/t/x").status == 200)
        #expect(sandbox.hits().map(\.fault) == ["status", "status", nil])
    }

    @Test("a status without a body is sent without one", arguments: [204, 304])
    func emptyStatus(status: Int) throws {
        let sandbox = try Self.sandbox(Sandbox.Fault(.status(status)))
        let wire = try Wire(sandbox.port)
        wire.request("GET", "/t/x")
        #expect(try wire.response().status == status)
        wire.request("GET", "/t/x")
        #expect(try wire.response().body == TrackerEndpoints.pixel)
    }

    @Test("a delayed response does not delay others")
    func delay() throws {
        let sandbox = try Self.sandbox(Sandbox.Fault(.delay(milliseconds: 400)))
        let start = ContinuousClock.now
        let late = try Wire(sandbox.port)
        late.request("GET", "/t/late")
        try awaitHits(1, of: sandbox)
        for _ in 0..<20 { #expect(try fetch(sandbox.port, "GET", "/t/prompt").status == 200) }
        let prompt = ContinuousClock.now - start
        #expect(try late.response().status == 200)
        let end = ContinuousClock.now - start
        #expect(end >= .milliseconds(400))
        #expect(prompt < end)
    }

    @Test("a dropped request is a hit, and no byte is sent back")
    func drop() throws {
        let sandbox = try Self.sandbox(Sandbox.Fault(.dropBeforeReply))
        let wire = try Wire(sandbox.port)
        wire.request("POST", "/t/x", body: Array("paid".utf8))
        #expect(try wire.readToEnd().isEmpty)
        #expect(sandbox.hits().map(\.body) == [Array("paid".utf8)])
    }

    @Test("a truncated response declares more than it sends, and the connection closes")
    func truncate() throws {
        let sandbox = try Self.sandbox(Sandbox.Fault(.truncate, times: 2))
        let wire = try Wire(sandbox.port)
        wire.request("GET", "/t/x")
        let answer = try wire.response()
        #expect(answer.status == 200 && !answer.isWhole)
        #expect(answer.headers["content-length"] == "43" && answer.body.count == 21)
        #expect(try wire.isClosed())
        let empty = try fetch(sandbox.port, "POST", "/t/x")
        #expect(empty.status == 200 && !empty.isWhole && empty.body.isEmpty)
    }

    @Test("garbage is sent with status 200")
    func garbage() throws {
        let sandbox = try Self.sandbox(Sandbox.Fault(.garbage))
        let answer = try fetch(sandbox.port, "GET", "/t/x")
        #expect(answer.status == 200 && answer.isWhole && answer.body == Sandbox.Fault.Kind.garbageBytes)
    }

    @Test("a slow response takes the time of its rate and is complete")
    func slow() throws {
        let sandbox = try Self.sandbox(Sandbox.Fault(.slow(bytesPerSecond: 200)))
        let start = ContinuousClock.now
        let answer = try fetch(sandbox.port, "GET", "/t/x")
        #expect(answer.isWhole && answer.body == TrackerEndpoints.pixel)
        #expect(ContinuousClock.now - start >= .milliseconds(43 * 1000 / 200))
    }

    @Test("a redirect loop never ends, and every redirect is a hit")
    func redirectLoop() throws {
        let sandbox = try Self.sandbox(Sandbox.Fault(.redirectLoop))
        let prefix = "http://127.0.0.1:\(sandbox.port)"
        var target = "/t/x"
        for _ in 0..<12 {
            let answer = try fetch(sandbox.port, "GET", target)
            #expect(answer.status == 302)
            let location = try #require(answer.headers["location"])
            #expect(location == prefix + "/loop?from=%2Ft%2Fx")
            target = String(location.dropFirst(prefix.count))
        }
        #expect(sandbox.hits().count == 12)
    }

    @Test("faults are set and listed over HTTP")
    func overHTTP() throws {
        let sandbox = try Samples.sandbox()
        let body = #"{"/t/":[{"kind":"status","status":500}]}"#
        #expect(try fetch(sandbox.port, "POST", "/sandbox/faults", body: body).status == 200)
        #expect(try fetch(sandbox.port, "GET", "/t/x").status == 500)
        #expect(try fetch(sandbox.port, "GET", "/sandbox/faults").text == #"{"faults":{"/t/":[]}}"#)
    }

    @Test(
        "the pace allows the due bytes, and its next time allows more",
        arguments: [1, 7, 50, 1000, 999_983, 1_000_000_000]
    )
    func pace(bytesPerSecond: Int) {
        let pace = Pace(bytesPerSecond: bytesPerSecond)
        #expect(pace.allowance(after: .zero) == 0)
        #expect(pace.allowance(after: .seconds(2)) == 2 * bytesPerSecond)
        var position = 0
        var rounds = 0
        while position < 2 * bytesPerSecond, rounds < 1000 {
            let due = pace.due(after: position)
            let allowed = pace.allowance(after: due)
            #expect(allowed > position)
            #expect(Double(allowed) <= due.inSeconds * Double(bytesPerSecond) + 1)
            position = allowed
            rounds += 1
        }
        #expect(rounds <= 2 * min(bytesPerSecond, 40))
    }
}
