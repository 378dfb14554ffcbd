import AdCore
import LoopbackServer
import Testing

@testable import SandboxSSP

@Suite("The bill")
struct BillTests {
    private func state(_ faults: Sandbox.Fault...) throws -> SandboxState {
        var state = Samples.state()
        try state.setFaults(["/t/": faults])
        return state
    }

    private func call(_ state: inout SandboxState, _ target: String, key: String? = nil, at time: Int64 = 0) {
        let headers = key.map { ["idempotency-key": $0] } ?? [:]
        _ = state.request("GET", target, headers: headers, bytes: [], at: time)
    }

    /// The counts of the bill that are not 0.
    private func counts(_ state: inout SandboxState, _ query: String = "") throws -> [String: Double] {
        let bill = try #require(state.request("GET", "/sandbox/bill" + query).json)
        let names = ["billed", "views", "clicks", "counted", "repeats", "refused", "unkeyed", "dropped"]
        return Dictionary(uniqueKeysWithValues: names.map { ($0, bill[$0]?.number ?? -1) }).filter { $0.value != 0 }
    }

    @Test("the bill has exactly this JSON")
    func shape() throws {
        var state = try self.state(Sandbox.Fault(.status(503)))
        let key = "ad-1/-/view/0/0"
        self.call(&state, "/t/yabbi/view?ad=7&unit=a%20b", key: key, at: 10)
        self.call(&state, "/t/yabbi/view?ad=7&unit=a%20b", key: key, at: 20)
        self.call(&state, "/t/x", at: 30)
        #expect(
            state.request("GET", "/sandbox/bill").text
                == #"{"billed":2,"views":1,"clicks":0,"wins":0,"losses":0,"rewards":0,"counted":2,"repeats":0,"refused":1,"unkeyed":1,"dropped":0,"lines":["#
                + #"{"key":"ad-1/-/view/0/0","event":"view","path":"/t/yabbi/view","ad":"7","unit":"a b","first":2,"at":20,"hits":2,"repeats":0,"refused":1},"#
                + #"{"key":null,"event":"x","path":"/t/x","ad":null,"unit":null,"first":3,"at":30,"hits":1,"repeats":0,"refused":0}]}"#
        )
    }

    @Test(
        "a call is billed when the server accepted it, whatever happened to the response",
        arguments: [
            (nil, true), (.delay(milliseconds: 5), true), (.dropBeforeReply, true), (.truncate, true),
            (.garbage, true), (.slow(bytesPerSecond: 1), true), (.status(200), true), (.status(204), true),
            (.status(299), true), (.status(300), false), (.status(304), false), (.status(404), false),
            (.status(429, retryAfter: 1), false), (.status(503), false), (.redirectLoop, false),
        ] as [(Sandbox.Fault.Kind?, Bool)]
    )
    func faults(kind: Sandbox.Fault.Kind?, isCounted: Bool) throws {
        var state = Samples.state()
        if let kind { try state.setFaults(["/t/": [Sandbox.Fault(kind)]]) }
        self.call(&state, "/t/yabbi/view", key: "k")
        #expect(state.hits().map { $0["counted"] } == [.bool(isCounted)])
        #expect(
            try self.counts(&state) == (isCounted ? ["billed": 1, "views": 1, "counted": 1] : ["refused": 1])
        )
        // A retry is not billed again; only a server without idempotency keys would bill it twice.
        self.call(&state, "/t/yabbi/view", key: "k")
        let expected: [String: Double] =
            isCounted
            ? ["billed": 1, "views": 1, "counted": 2, "repeats": 1]
            : ["billed": 1, "views": 1, "counted": 1, "refused": 1]
        #expect(try self.counts(&state) == expected)
    }

    @Test("a key is billed once, for the first accepted call; without a key each call is billed")
    func keys() throws {
        var state = try self.state(Sandbox.Fault(.status(500), times: 2), Sandbox.Fault(.dropBeforeReply))
        for time in Int64(1)...5 { self.call(&state, "/t/yabbi/click", key: "k", at: time) }
        for _ in 0..<3 { self.call(&state, "/t/yabbi/view") }
        self.call(&state, "/t/yabbi/view", key: "")
        let expected: [String: Double] = [
            "billed": 5, "views": 4, "clicks": 1, "counted": 7, "repeats": 2, "refused": 2, "unkeyed": 4,
        ]
        #expect(try self.counts(&state) == expected)
        let bill = Sandbox.Bill(state.log.hits, dropped: 0)
        #expect(bill.lines.map(\.key) == ["k", nil, nil, nil, nil])
        let line = try #require(bill.lines.first)
        #expect(line.first == 3 && line.at?.milliseconds == 3)
        #expect(line.hits == 5 && line.counted == 3 && line.repeats == 2 && line.refused == 2)
    }

    @Test("a key whose calls were all refused has a line and is not billed")
    func refusedOnly() throws {
        var state = try self.state(Sandbox.Fault(.status(503), times: 9))
        self.call(&state, "/t/yabbi/view?ad=3", key: "k")
        self.call(&state, "/t/yabbi/view?ad=3", key: "k")
        let line = try #require(Sandbox.Bill(state.log.hits, dropped: 0).lines.first)
        #expect(line.first == nil && line.at == nil && !line.isBilled)
        #expect(line.hits == 2 && line.refused == 2 && line.repeats == 0 && line.ad == "3")
    }

    @Test(
        "the event is that of the key, or else the last part of the path",
        arguments: [
            ("a1/-/view/0/0", "/t/x", "view"), ("a1/load/impression/0/2", "/t/click", "impression"),
            ("a1/ad-2/linear/progress-5/1/0", "/t/x", "progress-5"), ("a1/-/pause/3/0", "/t/x", "pause"),
            ("ceed:17:req-9", "/t/a/view", "view"), ("a/b/c/d/e", "/t/view", "view"), ("1/2", "/t/view", "view"),
            ("a1/-//0/0", "/t/view", "view"), (nil, "/t/vast/chain/error/", "error"), (nil, "/t/", "t"),
        ] as [(String?, String, String)]
    )
    func events(key: String?, path: String, event: String) {
        #expect(Sandbox.Bill.event(key: key, path: path) == event)
    }

    @Test("views are ad views and VAST impressions, clicks are clicks on links")
    func kinds() throws {
        var state = Samples.state()
        for event in ["view", "impression", "viewable", "click", "clickTracking", "companion-click", "start", "error"] {
            self.call(&state, "/t/vast/\(event)", key: "a/-/\(event)/0/0")
        }
        let expected: [String: Double] = ["billed": 8, "views": 2, "clicks": 2, "counted": 8]
        #expect(try self.counts(&state) == expected)
    }

    @Test("only trackers are billed, and a path prefix selects some of them")
    func paths() throws {
        var state = Samples.state()
        for path in ["/landing", "/loop", "/t/yabbi/view", "/t/openrtb/view", "/t/yabbi/click", "/nowhere", "/t"] {
            self.call(&state, path)
        }
        #expect(try self.counts(&state)["billed"] == 3)
        #expect(try self.counts(&state, "?path=/t/yabbi/")["billed"] == 2)
        #expect(try self.counts(&state, "?path=%2Fnowhere").isEmpty)
        #expect(state.request("POST", "/sandbox/bill").status == 405)
    }

    @Test("a reset empties the bill")
    func reset() throws {
        var state = Samples.state()
        self.call(&state, "/t/view", key: "k")
        _ = state.request("POST", "/sandbox/reset")
        #expect(try self.counts(&state).isEmpty)
        self.call(&state, "/t/view", key: "k")
        #expect(try self.counts(&state) == ["billed": 1, "views": 1, "counted": 1])
    }

    @Test("dropped hits are not billed but counted as dropped")
    func dropped() throws {
        var state = SandboxState(base: Samples.base, limits: .init(hits: 2))
        for number in 1...5 { self.call(&state, "/t/view", key: "k\(number)") }
        #expect(try self.counts(&state) == ["billed": 2, "views": 2, "counted": 2, "dropped": 3])
    }

    @Test("the bill is the same over HTTP and in the process")
    func overWire() throws {
        let sandbox = try Samples.sandbox()
        try sandbox.setFaults(["/t/": [Sandbox.Fault(.dropBeforeReply)]])
        let wire = try Wire(sandbox.port)
        wire.request("GET", "/t/view", headers: ["Idempotency-Key": "k"])
        #expect(try wire.readToEnd().isEmpty)
        #expect(try fetch(sandbox.port, "GET", "/t/view", headers: ["Idempotency-Key": "k"]).status == 200)
        let bill = sandbox.bill()
        #expect(bill.billed == 1 && bill.counted == 2 && bill.repeats == 1)
        #expect(try fetch(sandbox.port, "GET", "/sandbox/bill").body == bill.bytes)
        sandbox.reset()
        #expect(sandbox.bill().lines.isEmpty)
    }
}
