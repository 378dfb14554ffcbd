import AdCore
import SystemLock
import Testing

@testable import ChromiumStage

@Suite("Servers on this machine, asked for a creative")
struct NeighbourServerTests {
    private struct Answering: Transport {
        let headers: HTTPHeaders

        func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
            HTTPResponse(status: 200, headers: self.headers, body: Array("hi".utf8), url: request.url)
        }
    }

    private func request(_ path: String = "/a", headers: JSON = [:]) throws -> PausedRequest {
        let event = DevToolsEvent(
            session: DevToolsSession(name: "S"),
            method: "Fetch.requestPaused",
            params: [
                "requestId": .string(path),
                "request": ["url": .string("http://127.0.0.1:80" + path), "method": "GET", "headers": headers],
            ]
        )
        return try #require(PausedRequest(event))
    }

    private func outcome(
        _ server: NeighbourServer,
        _ request: PausedRequest
    ) async -> (command: DevToolsCommand, attempt: BlockedAttempt?) {
        await withCheckedContinuation { continuation in
            server.serve(request) { continuation.resume(returning: ($0, $1)) }
        }
    }

    /// Answers only when it is told to, and counts who waits for that.
    private final class Held: Transport {
        private struct State {
            var waiting: [String: CheckedContinuation<Bool, Never>] = [:]
            var most = 0
        }

        private let state = Locked(State())
        let arrivals: AsyncStream<String>
        private let arrived: AsyncStream<String>.Continuation
        let cancels: AsyncStream<String>
        private let cancelled: AsyncStream<String>.Continuation

        init() {
            (self.arrivals, self.arrived) = AsyncStream.makeStream()
            (self.cancels, self.cancelled) = AsyncStream.makeStream()
        }

        var most: Int { self.state.withLock(\.most) }

        func letGo(_ path: String, isAnswered: Bool = true) {
            self.state.withLock { $0.waiting.removeValue(forKey: path) }?.resume(returning: isAnswered)
        }

        func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
            let path = String(request.url.target)
            let isAnswered = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    self.state.withLock { state in
                        state.waiting[path] = continuation
                        state.most = max(state.most, state.waiting.count)
                    }
                    self.arrived.yield(path)
                }
            } onCancel: {
                self.letGo(path, isAnswered: false)
            }
            if isAnswered { return HTTPResponse(status: 200, url: request.url) }
            self.cancelled.yield(path)
            throw TransportError(.cancelled(sent: true), "given up")
        }
    }

    @Test("so many are asked at once, the others wait, and what is too many is refused and told once")
    func bounded() async throws {
        let held = Held()
        let server = NeighbourServer(held, NeighbourServer.Limits(atOnce: 2, waiting: 1))
        let (answers, answered) = AsyncStream<String>.makeStream()
        var arrivals = held.arrivals.makeAsyncIterator()
        for path in ["/1", "/2", "/3"] {
            server.serve(try self.request(path)) { _, _ in answered.yield(path) }
            if path != "/3" { #expect(await arrivals.next() == path) }
        }
        let refused = await self.outcome(server, try self.request("/4"))
        #expect(refused.command.method == "Fetch.failRequest")
        #expect(refused.attempt?.detail == "more than 1 requests wait for servers on this machine; no more are taken")
        #expect(await self.outcome(server, try self.request("/5")).attempt == nil)
        held.letGo("/1")
        #expect(await arrivals.next() == "/3")
        held.letGo("/2")
        held.letGo("/3")
        var all: Set<String> = []
        for await path in answers {
            all.insert(path)
            if all.count == 3 { break }
        }
        #expect(all == ["/1", "/2", "/3"] && held.most == 2)
    }

    @Test("when the stage is over what is under way is given up, and nothing is answered any more")
    func over() async throws {
        let held = Held()
        let server = NeighbourServer(held)
        server.serve(try self.request("/1")) { _, _ in Issue.record("nobody waits for it any more") }
        for await _ in held.arrivals { break }
        server.end()
        for await path in held.cancels {
            #expect(path == "/1")
            break
        }
        server.serve(try self.request("/2")) { _, _ in Issue.record("what is over asks nothing") }
    }

    @Test("one answer at a time goes to the browser")
    func door() async throws {
        let server = NeighbourServer(Answering(headers: [:]))
        let (begun, hasBegun) = AsyncStream<Int>.makeStream()
        let (gates, gate) = AsyncStream<Void>.makeStream()
        let count = Locked((now: 0, most: 0))
        for number in 1...3 {
            server.serve(try self.request("/\(number)")) { _, _ in
                count.withLock { count in
                    count.now += 1
                    count.most = max(count.most, count.now)
                }
                hasBegun.yield(number)
                for await _ in gates { break }
                count.withLock { $0.now -= 1 }
            }
        }
        var arrivals = begun.makeAsyncIterator()
        for _ in 1...3 {
            _ = await arrivals.next()
            gate.yield()
        }
        #expect(count.withLock(\.most) == 1)
    }

    @Test("an answer that is too long, and answers that are too many bytes together, are refused and told")
    func bytes() async throws {
        struct Endless: Transport {
            func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
                throw TransportError(.tooLarge, "too large")
            }
        }
        let long = await self.outcome(NeighbourServer(Endless()), try self.request("/film"))
        #expect(long.command.method == "Fetch.failRequest")
        #expect(long.attempt?.detail == "an answer of more than 32 MB: http://127.0.0.1:80/film")
        // What was read of it counts: whoever asks again and again has had enough.
        let greedy = NeighbourServer(Endless(), NeighbourServer.Limits(longest: 2, most: 4))
        for _ in 0..<2 { _ = await self.outcome(greedy, try self.request("/film")) }
        let enough = await self.outcome(greedy, try self.request("/film"))
        #expect(enough.attempt?.detail.contains("there is no more") == true)
        let server = NeighbourServer(Answering(headers: [:]), NeighbourServer.Limits(most: 3))
        #expect(await self.outcome(server, try self.request("/1")).command.method == "Fetch.fulfillRequest")
        let second = await self.outcome(server, try self.request("/2"))
        #expect(second.command.method == "Fetch.failRequest")
        #expect(second.attempt?.detail == "more than 0 MB came from servers on this machine; there is no more")
        let third = await self.outcome(server, try self.request("/3"))
        #expect(third.command.method == "Fetch.failRequest" && third.attempt == nil)
    }

    @Test(
        "a server is told that a page asks, and whether it is one of its own",
        arguments: [
            ([:], "cross-site"), (["Origin": "null"], "cross-site"), (["Origin": "https://a.example"], "cross-site"),
            (["Referer": "http://127.0.0.1/page"], "same-origin"), (["Sec-Fetch-Site": "none"], "cross-site"),
        ] as [(JSON, String)]
    )
    func site(headers: JSON, site: String) async throws {
        struct Echo: Transport {
            func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
                let headers: HTTPHeaders = ["X-Site": request.headers["Sec-Fetch-Site"] ?? ""]
                return HTTPResponse(status: 200, headers: headers, url: request.url)
            }
        }
        let command = await self.outcome(NeighbourServer(Echo()), try self.request(headers: headers)).command
        let told = command.params["responseHeaders"]?.array?.first { $0["name"] == "X-Site" }
        #expect(told?["value"]?.string == site)
    }

    @Test("whom the answer allows is said once, also where the server says it")
    func once() async throws {
        let request = try self.request()
        let server = NeighbourServer(
            Answering(headers: ["Access-Control-Allow-Origin": "https://a.example", "X": "y"])
        )
        let command = await withCheckedContinuation { continuation in
            server.serve(request) { command, _ in continuation.resume(returning: command) }
        }
        let headers = command.params["responseHeaders"]?.array ?? []
        let allowed = headers.filter { $0["name"]?.string?.asciiLowercased == "access-control-allow-origin" }
        #expect(allowed.map { $0["value"]?.string } == ["*"])
        #expect(headers.contains { $0["name"] == "X" })
    }
}
