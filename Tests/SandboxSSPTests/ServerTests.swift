import AdCore
import LoopbackServer
import SystemSupport
import TestSupport
import Testing

@testable import SandboxSSP

@Suite("The server")
struct ServerTests {
    @Test("an ad is loaded and its trackers are called, over the network")
    func loadAndTrack() throws {
        let sandbox = try Samples.sandbox()
        let answer = try fetch(sandbox.port, "POST", "/yabbi/load", body: Samples.load("leaf").text())
        #expect(answer.headers["content-type"] == "application/json")
        let view = try #require(answer.json?["tracker"]?["view"]?.string.flatMap { HTTPURL($0) })
        #expect(view.port == sandbox.port && view.host == "127.0.0.1")
        let pixel = try fetch(sandbox.port, "GET", String(view.target), headers: ["Idempotency-Key": "k-9"])
        #expect(pixel.status == 200 && pixel.body == TrackerEndpoints.pixel && pixel.body.count == 43)
        #expect(pixel.headers["content-type"] == "image/gif" && pixel.headers["cache-control"] == "no-store")
        let posted = try fetch(sandbox.port, "POST", "/t/openrtb/bill", body: "{}")
        #expect(posted.status == 200 && posted.body.isEmpty)
        #expect(sandbox.hits().map(\.path) == ["/yabbi/load", "/t/yabbi/view", "/t/openrtb/bill"])
        #expect(sandbox.hits().map(\.key) == [nil, "k-9", nil])
        #expect(sandbox.requests().map(\.path) == ["/yabbi/load"])
    }

    @Test("an auction is held over the network")
    func auction() throws {
        let sandbox = try Samples.sandbox()
        let answer = try fetch(sandbox.port, "POST", "/openrtb2/auction", body: Samples.bid("leaf").text())
        #expect(answer.status == 200 && answer.headers["x-openrtb-version"] == "2.6")
        #expect(try fetch(sandbox.port, "POST", "/openrtb2/auction", body: Samples.bid("nofill").text()).status == 204)
    }

    @Test("hits over HTTP equal those in the process and have the current time")
    func hits() throws {
        let sandbox = try Samples.sandbox()
        _ = try fetch(sandbox.port, "PUT", "/t/x?a=b", headers: ["X-One": "1", "x-Two": "2"], body: "hello")
        let hit = try #require(fetch(sandbox.port, "GET", "/sandbox/hits").json?["hits"]?.array?.first)
        #expect(hit == sandbox.hits().first?.json)
        #expect(hit["method"] == "PUT" && hit["path"] == "/t/x" && hit["query"] == "a=b" && hit["body"] == "hello")
        #expect(hit["headers"]?["x-one"] == "1" && hit["headers"]?["x-two"] == "2")
        #expect((hit["at"]?.number ?? 0) > 1_700_000_000_000)
        _ = try fetch(sandbox.port, "POST", "/sandbox/reset")
        #expect(sandbox.hits().isEmpty)
    }

    @Test("HEAD gets the headers of GET without the body")
    func head() throws {
        let sandbox = try Samples.sandbox()
        let wire = try Wire(sandbox.port)
        for path in ["/", "/creatives/leaf.svg", "/t/x", "/landing", "/sandbox/hits"] {
            wire.request("HEAD", path)
            let answer = try wire.response(toHead: true)
            #expect(answer.status == 200)
            #expect(Int(answer.headers["content-length"] ?? "") ?? 0 > 0)
        }
    }

    @Test("a connection serves several requests, also pipelined ones")
    func keepAlive() throws {
        let sandbox = try Samples.sandbox()
        let wire = try Wire(sandbox.port)
        for number in 0..<50 {
            wire.request("POST", "/t/\(number)", body: Array("\(number)".utf8))
            #expect(try wire.response().status == 200)
        }
        let head = "GET /t/pipelined HTTP/1.1\r\nHost: 127.0.0.1:\(sandbox.port)\r\n\r\n"
        wire.send(head + head + head)
        for _ in 0..<3 { #expect(try wire.response().body == TrackerEndpoints.pixel) }
        #expect(sandbox.hits().count == 53)
    }

    @Test("a connection closes when the client requests it")
    func close() throws {
        let sandbox = try Samples.sandbox()
        let host = "Host: 127.0.0.1:\(sandbox.port)"
        for head in ["GET /t/x HTTP/1.1\r\n\(host)\r\nConnection: close\r\n\r\n", "GET /t/x HTTP/1.0\r\n\r\n"] {
            let wire = try Wire(sandbox.port)
            wire.send(head)
            #expect(try wire.response().status == 200)
            #expect(try wire.isClosed())
        }
    }

    @Test("a chunked body is joined")
    func chunked() throws {
        let sandbox = try Samples.sandbox()
        let wire = try Wire(sandbox.port)
        wire.send(
            "POST /t/x HTTP/1.1\r\nHost: localhost:\(sandbox.port)\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n"
        )
        #expect(try wire.response().status == 200)
        #expect(sandbox.hits().map(\.body) == [Array("hello world".utf8)])
    }

    @Test(
        "a malformed request is refused, is no hit, and does not affect others",
        arguments: [
            "GET /t/x\r\n\r\n", "GET /t/x HTTP/9.9\r\n\r\n", "GET /t/x HTTP/1.1\r\n\r\n",
            "GET /t/x HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
            "GET /t/x HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999999\r\n\r\n",
            "POST /t/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "GET /t/x HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n",
            "GET /t/x HTTP/1.1\r\nHost: x\r\nX: " + String(repeating: "x", count: 200_000) + "\r\n\r\n",
            "GET /" + String(repeating: "x", count: 200_000) + " HTTP/1.1\r\nHost: x\r\n\r\n",
            String(repeating: "x", count: 300_000),
        ]
    )
    func malformed(request: String) throws {
        let sandbox = try Samples.sandbox()
        let wire = try Wire(sandbox.port)
        wire.send(request)
        let bytes = String(decoding: try wire.readToEnd(), as: UTF8.self)
        #expect(bytes.isEmpty || bytes.hasPrefix("HTTP/1.1 4") || bytes.hasPrefix("HTTP/1.1 5"), "\(bytes)")
        #expect(sandbox.hits().isEmpty)
        #expect(try fetch(sandbox.port, "GET", "/t/x").status == 200)
    }

    @Test(
        "a connection whose client stops in the middle is closed at once",
        arguments: [
            "", "GET", "GET /t/x HTTP/1.1\r\n", "POST /t/x HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf",
        ]
    )
    func abandoned(request: String) throws {
        let sandbox = try Samples.sandbox()
        let wire = try Wire(sandbox.port)
        wire.send(request)
        wire.finishSending()
        #expect(try wire.readToEnd().isEmpty)
        #expect(sandbox.hits().isEmpty)
    }

    @Test(
        "an incomplete request is no hit and does not affect others",
        arguments: [
            "", "\r\n\r\n\r\n", "GET", "GET /t/x HTTP/1.1\r\nHost: x\r\n", "\u{0}\u{1}\u{2}\u{3}\r\n\r\n",
            "POST /t/x HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf",
            "POST /t/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        ]
    )
    func incomplete(request: String) throws {
        let sandbox = try Samples.sandbox()
        for _ in 0..<3 { try Wire(sandbox.port).send(request) }
        let open = try Wire(sandbox.port)
        open.send(request)
        #expect(try fetch(sandbox.port, "GET", "/landing").status == 200)
        #expect(sandbox.hits().map(\.path) == ["/landing"])
    }

    @Test("a body up to the limit is accepted, a larger one gets status 413 and is no hit")
    func oversized() throws {
        let sandbox = try Samples.sandbox()
        let limit = 1 << 20
        let wire = try Wire(sandbox.port)
        wire.request("POST", "/t/full", body: [UInt8](repeating: 0x61, count: limit))
        #expect(try wire.response().status == 200)
        wire.request("POST", "/t/over", body: [UInt8](repeating: 0x61, count: limit + 1))
        let refused = try wire.response()
        #expect(refused.status == 413)
        #expect(refused.json?["error"]?.string?.contains("\(limit)") == true)
        wire.request("POST", "/t/far", body: [UInt8](repeating: 0x61, count: 8 * limit))
        #expect(try wire.response().status == 413)
        #expect(sandbox.hits().map(\.path) == ["/t/full"])
    }

    @Test("a body that is announced as too large is refused before it is sent")
    func announced() throws {
        let sandbox = try Samples.sandbox()
        let heads = [
            "Content-Length: 2000000\r\nExpect: 100-continue\r\n\r\n", "Content-Length: 99999999999\r\n\r\n",
        ]
        for head in heads {
            let wire = try Wire(sandbox.port)
            wire.send("POST /t/x HTTP/1.1\r\nHost: x\r\n" + head)
            #expect(try wire.response().status == 413)
            #expect(try wire.isClosed())
        }
        #expect(sandbox.hits().isEmpty)
    }

    @Test("an endless chunked body is cut off")
    func endless() throws {
        let sandbox = try Samples.sandbox()
        let wire = try Wire(sandbox.port)
        wire.send("POST /t/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        let chunk = Array("100000\r\n".utf8) + [UInt8](repeating: 0x61, count: 0x100000) + Array("\r\n".utf8)
        var sent = 0
        while sent < 200, wire.send(chunk) { sent += 1 }
        #expect(sent < 200)
        #expect(sandbox.hits().isEmpty)
    }

    @Test("a response of 50 MB is complete, or stops when the client closes")
    func huge() throws {
        let sandbox = try Samples.sandbox()
        let body = Samples.load("bad-huge").text()
        let answer = try fetch(sandbox.port, "POST", "/yabbi/load", body: body)
        #expect(answer.isWhole && answer.body.count > 50 << 20)
        #expect(
            answer.body.suffix(2).elementsEqual("}}".utf8) && answer.body.prefix(8).elementsEqual(#"{"type":"#.utf8)
        )
        try Wire(sandbox.port).request("POST", "/yabbi/load", body: Array(body.utf8))
        #expect(try fetch(sandbox.port, "GET", "/t/x").status == 200)
    }

    @Test("500 simultaneous connections each get their own response")
    func parallel() throws {
        let sandbox = try Samples.sandbox()
        let wires = try (0..<500).map { _ in try Wire(sandbox.port) }
        for (index, wire) in wires.enumerated() { wire.request("GET", "/landing?number=\(index)x") }
        for (index, wire) in wires.enumerated() { #expect(try wire.response().text.contains("number=\(index)x")) }
        #expect(sandbox.hits().count == 500)
        #expect(Set(sandbox.hits().map(\.n)).count == 500)
    }

    @Test("a burst of requests that arrives while the server is busy is answered at once")
    func bursts() throws {
        // An event loop that reads 128 events at a time may wait for more after exactly 128 instead of handling them.
        let gate = try #require(WakePipe())
        let server = try HTTPServer(HTTPServer.Listener(port: 0)) { request in
            if request.path == "/busy" { gate.wait(atMost: .seconds(10)) }
            return ServerResponse(status: 200)
        }
        defer { server.stop() }
        for size in 120...136 {
            let busy = try Wire(server.port)
            let wires = try (0..<size).map { _ in try Wire(server.port) }
            for wire in wires {
                wire.request("GET", "/first")
                _ = try wire.response()
            }
            busy.request("GET", "/busy")
            for wire in wires { wire.request("GET", "/burst") }
            gate.wake()
            for wire in wires { #expect(try wire.response().status == 200) }
        }
    }

    @Test("500 delayed responses wait at the same time")
    func parallelDelays() throws {
        let sandbox = try Samples.sandbox()
        try sandbox.setFaults(["/t/": [Sandbox.Fault(.delay(milliseconds: 300), times: 500)]])
        let start = ContinuousClock.now
        let wires = try (0..<500).map { _ in try Wire(sandbox.port) }
        for wire in wires { wire.request("GET", "/t/x") }
        for wire in wires { #expect(try wire.response().status == 200) }
        let took = ContinuousClock.now - start
        #expect(took >= .milliseconds(300) && took < .timeout(60))
    }
}

@Suite("The lifecycle of a sandbox")
struct SandboxLifeTests {
    @Test("50 sandboxes run independently of each other")
    func sideBySide() throws {
        let sandboxes = try (0..<50).map { _ in try Samples.sandbox() }
        #expect(Set(sandboxes.map(\.port)).count == 50)
        for (index, sandbox) in sandboxes.enumerated() {
            #expect(try fetch(sandbox.port, "GET", "/t/\(index)").status == 200)
        }
        for (index, sandbox) in sandboxes.enumerated() { #expect(sandbox.hits().map(\.path) == ["/t/\(index)"]) }
        for sandbox in sandboxes { sandbox.stop() }
    }

    @Test("a sandbox has a loopback URL, and url(_:) returns the URLs of its paths")
    func address() throws {
        let sandbox = try Samples.sandbox()
        #expect(sandbox.baseURL.text == "http://127.0.0.1:\(sandbox.port)/")
        #expect(sandbox.url("/yabbi/load")?.text == "http://127.0.0.1:\(sandbox.port)/yabbi/load")
        #expect(sandbox.url("@evil.example/") == nil)
    }

    @Test("stop frees the port, can be repeated, and keeps the hits")
    func stop() throws {
        let sandbox = try Samples.sandbox()
        _ = try fetch(sandbox.port, "GET", "/t/x")
        sandbox.stop()
        sandbox.stop()
        #expect(throws: Wire.Failure.self) { try Wire(sandbox.port) }
        #expect(sandbox.hits().count == 1)
        var configuration = Sandbox.Configuration()
        configuration.port = sandbox.port
        let next = try Sandbox.start(configuration)
        #expect(next.port == sandbox.port)
        #expect(try fetch(next.port, "GET", "/t/x").status == 200)
    }

    @Test("concurrent stops are one stop")
    func stopAtOnce() async throws {
        let sandbox = try Samples.sandbox()
        await withTaskGroup { group in
            for _ in 0..<10 { group.addTask { sandbox.stop() } }
        }
        #expect(throws: Wire.Failure.self) { try Wire(sandbox.port) }
    }

    @Test(
        "stop ends delayed, slow and unread responses at once",
        arguments: [
            Sandbox.Fault(.delay(milliseconds: 600_000), times: 100),
            Sandbox.Fault(.slow(bytesPerSecond: 1), times: 100),
        ]
    )
    func stopWhilePending(fault: Sandbox.Fault) throws {
        let sandbox = try Samples.sandbox()
        try sandbox.setFaults(["/t/": [fault]])
        let wires = try (0..<100).map { _ in try Wire(sandbox.port) }
        for wire in wires { wire.request("GET", "/t/x") }
        let unread = try Wire(sandbox.port)
        unread.request("POST", "/yabbi/load", body: Samples.load("bad-huge").bytes())
        let half = try Wire(sandbox.port)
        half.send("POST /t/x HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf")
        try awaitHits(101, of: sandbox)
        let start = ContinuousClock.now
        sandbox.stop()
        #expect(ContinuousClock.now - start < .timeout(5))
        for wire in wires { #expect(try wire.readToEnd().count < 400) }
    }

    @Test("a sandbox without references stops")
    func released() throws {
        var port = 0
        do {
            let sandbox = try Samples.sandbox()
            port = sandbox.port
            #expect(try fetch(port, "GET", "/t/x").status == 200)
        }
        #expect(throws: Wire.Failure.self) { try Wire(port) }
    }

    @Test("a port that is in use or invalid is refused with the reason")
    func portInUse() throws {
        let sandbox = try Samples.sandbox()
        var configuration = Sandbox.Configuration()
        configuration.port = sandbox.port
        let error = #expect(throws: SandboxError.self) { try Sandbox.start(configuration) }
        #expect(error?.message.contains("Address already in use") == true)
        for port in [-1, 65_536, .max] {
            configuration.port = port
            #expect(throws: SandboxError.self) { try Sandbox.start(configuration) }
        }
    }

    @Test("invalid faults are refused in the process, too")
    func faults() throws {
        let sandbox = try Samples.sandbox()
        #expect(throws: SandboxError.self) { try sandbox.setFaults(["/t/": [Sandbox.Fault(.status(42))]]) }
        try sandbox.setFaults(["/t/": [Sandbox.Fault(.status(418))]])
        #expect(try fetch(sandbox.port, "GET", "/t/x").status == 418)
        sandbox.reset()
        #expect(try fetch(sandbox.port, "GET", "/t/x").status == 200)
    }
}
