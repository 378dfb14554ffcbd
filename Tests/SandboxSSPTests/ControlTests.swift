import AdCore
import LoopbackServer
import Testing

@testable import SandboxSSP

@Suite("Hits, requests, reset")
struct ControlTests {
    @Test("a hit has everything of its request")
    func everything() throws {
        var state = Samples.state()
        let headers = ["idempotency-key": "k-1", "user-agent": "Test/1.0"]
        _ = state.request(
            "POST",
            "/t/a%20b?x=1&y=%26",
            headers: headers,
            bytes: Array("körper".utf8),
            at: 1_700_000_000_123
        )
        #expect(
            state.request("GET", "/sandbox/hits").text
                == #"{"hits":[{"n":1,"at":1700000000123,"method":"POST","path":"/t/a%20b","query":"x=1&y=%26","headers":{"idempotency-key":"k-1","user-agent":"Test/1.0"},"body":"körper","key":"k-1","fault":null,"counted":true}],"dropped":0}"#
        )
    }

    @Test(
        "a page in a browser can't read or change the log; a user who types the URL can",
        arguments: [
            (["origin": "null"], 403), (["origin": "http://127.0.0.1:9"], 403), (["sec-fetch-site": "cross-site"], 403),
            (["sec-fetch-site": "same-origin"], 403), (["sec-fetch-site": "none"], 200), ([:], 200),
        ] as [([String: String], Int)]
    )
    func pages(headers: [String: String], status: Int) {
        var state = Samples.state()
        _ = state.request("GET", "/t/view", headers: headers, bytes: [])
        let faults: AdJSON = ["/t/": [["kind": "status", "status": 503]]]
        for path in ["/sandbox/hits", "/sandbox/requests", "/sandbox/bill", "/sandbox/faults"] {
            let response = state.request("GET", path, headers: headers, bytes: [])
            #expect(response.status == status && response.headers["Access-Control-Allow-Origin"] == nil, "\(path)")
        }
        if status == 403 {
            #expect(state.request("POST", "/sandbox/faults", headers: headers, bytes: faults.bytes()).status == 403)
            let push: AdJSON = ["user": "u", "kind": "popup"]
            #expect(state.request("POST", "/sandbox/push", headers: headers, bytes: push.bytes()).status == 403)
        }
        #expect(state.request("POST", "/sandbox/reset", headers: headers, bytes: []).status == status)
        #expect(state.hits().count == (status == 200 ? 0 : 1))
        #expect(state.request("GET", "/t/view").status == 200)
    }

    @Test(
        "a body that is not UTF-8 is listed in Base64",
        arguments: [
            ([0xFF], "/w=="), ([0xFF, 0xFE], "//4="), ([0xFF, 0xFE, 0x00], "//4A"), ([0x80, 1, 2, 3], "gAECAw=="),
        ] as [([UInt8], String)]
    )
    func binary(body: [UInt8], text: String) throws {
        var state = Samples.state()
        _ = state.request("POST", "/t/x", bytes: body)
        let hit = try #require(state.hits().first)
        #expect(hit["body"]?.string == text)
        #expect(hit["bodyEncoding"]?.string == "base64")
    }

    @Test("hits are listed from a number on and below a path")
    func filtered() {
        var state = Samples.state()
        for path in ["/t/a", "/landing", "/t/b"] { _ = state.request("GET", path) }
        #expect(state.hits("?since=1").map { $0["n"] } == [2, 3])
        #expect(state.hits("?path=/t/").map { $0["n"] } == [1, 3])
        #expect(state.hits("?path=%2Ft%2F&since=2").map { $0["n"] } == [3])
        #expect(state.request("GET", "/sandbox/hits?since=x").status == 400)
        #expect(state.request("GET", "/sandbox/hits?since=-1").status == 400)
    }

    @Test("every request is a hit, also an unknown path; requests to control endpoints are none")
    func whatCounts() {
        var state = Samples.state()
        #expect(state.request("GET", "/nowhere").status == 404)
        #expect(state.request("PUT", "/yabbi/load").status == 405)
        for path in ["/sandbox/hits", "/sandbox/faults", "/sandbox/requests", "/sandbox/nowhere", "/sandbox"] {
            _ = state.request("GET", path)
        }
        #expect(state.hits().map { $0["path"] } == ["/nowhere", "/yabbi/load"])
    }

    @Test("ad requests are listed verbatim")
    func requests() throws {
        var state = Samples.state()
        let body = Samples.load("leaf")
        _ = state.request("POST", "/yabbi/load", body)
        _ = state.request("GET", "/t/view")
        _ = state.request("POST", "/openrtb2/auction", bytes: Array("{ oops".utf8))
        let requests = try #require(state.request("GET", "/sandbox/requests").json?["requests"]?.array)
        #expect(requests.map { $0["path"] } == ["/yabbi/load", "/openrtb2/auction"])
        #expect(requests.map { $0["body"] } == [.string(body.text()), "{ oops"])
        #expect(requests.map { $0["n"] } == [1, 3])
    }

    @Test("a reset removes hits and faults, and the numbering of ads continues")
    func reset() throws {
        var state = Samples.state()
        let old = state.request("POST", "/yabbi/load", Samples.load("leaf")).json?["tracker"]?["view"]
        try state.setFaults(["/": [Sandbox.Fault(.garbage, times: 9)]])
        #expect(state.request("POST", "/sandbox/reset").status == 200)
        #expect(state.hits().isEmpty)
        let new = state.request("POST", "/yabbi/load", Samples.load("leaf")).json?["tracker"]?["view"]
        #expect(new != nil && new != old)
        #expect(state.hits().map { $0["n"] } == [1])
    }

    @Test("control endpoints allow only their own methods")
    func methods() {
        var state = Samples.state()
        #expect(state.request("POST", "/sandbox/hits").status == 405)
        #expect(state.request("GET", "/sandbox/reset").status == 405)
        #expect(state.request("DELETE", "/sandbox/faults").headers["Allow"] == "GET, POST")
    }

    @Test("the index lists every endpoint, placement and fault")
    func index() {
        var state = Samples.state()
        let response = state.request("GET", "/")
        #expect(response.headers["Content-Type"] == "text/plain; charset=utf-8")
        for name in [
            "/yabbi/load", "/openrtb2/auction", "/t/", "/creatives/", "/vast/", "/sandbox/hits", "/sandbox/requests",
            "/sandbox/bill",
        ] {
            #expect(response.text.contains(name))
        }
        for name in Scenario.allCases.map(\.rawValue) + Sandbox.Fault.Kind.names + ["leaf  a leaf"] {
            #expect(response.text.contains(name))
        }
    }
}

@Suite("The hit log")
struct HitLogTests {
    private static func record(_ count: Int, in log: inout HitLog, bodyCount: Int = 0) {
        for _ in 0..<count {
            let body = [UInt8](repeating: 0, count: bodyCount)
            let request = ServerRequest(method: "GET", target: "/t/x", body: body)
            log.record(request, at: WallTime(milliseconds: 0), fault: nil, isCounted: true, isAdRequest: false)
        }
    }

    @Test("the newest hits are kept in order, the dropped ones are counted", arguments: [1, 2, 3, 10, 100])
    func bounded(limit: Int) {
        var log = HitLog(limits: .init(hits: limit))
        for round in 1...5 {
            Self.record(25, in: &log)
            let last = round * 25
            #expect(log.hits.map(\.n) == Array(max(1, last - limit + 1)...last))
            #expect(log.dropped == max(0, last - limit))
        }
    }

    @Test("the log is limited in size, too")
    func memory() {
        var log = HitLog(limits: .init(hits: 1000, bytes: 10_000))
        Self.record(10, in: &log)
        #expect(log.dropped == 0)
        Self.record(1, in: &log, bodyCount: 9000)
        #expect(log.hits.count < 4 && log.hits.last?.n == 11)
        Self.record(1, in: &log, bodyCount: 20_000)
        #expect(log.hits.isEmpty && log.dropped == 12)
    }
}
