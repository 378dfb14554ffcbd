import AdCore
import SystemSupport
import Testing

@testable import WebStage

@Suite("Requests to allowed hosts")
struct AllowedHostFetcherTests {
    private struct Answering: Transport {
        let headers: AdHTTPHeaders

        func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
            AdHTTPResponse(status: 200, headers: self.headers, body: Array("hi".utf8), url: request.url)
        }
    }

    private func request(_ path: String = "/a", headers: [EngineHeader] = []) throws -> EngineRequest {
        let id = EngineRequestID(number: path, target: EngineTarget(name: "S"))
        return EngineRequest(id, url: "http://127.0.0.1:80" + path, kind: .other, headers: headers)
    }

    private func isRefused(_ command: EngineCommand) -> Bool { if case .fail = command { true } else { false } }

    private func headers(_ command: EngineCommand) -> [EngineHeader] {
        if case .answer(_, let response) = command { response.headers } else { [] }
    }

    private func outcome(
        _ server: AllowedHostFetcher,
        _ request: EngineRequest
    ) async -> (command: EngineCommand, attempt: BlockedAttempt?) {
        await withCheckedContinuation { continuation in
            server.serve(request) { continuation.resume(returning: ($0, $1)) }
        }
    }

    /// Holds requests until `release`, and counts the maximum number of held ones.
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

        func release(_ path: String, isAnswered: Bool = true) {
            self.state.withLock { $0.waiting.removeValue(forKey: path) }?.resume(returning: isAnswered)
        }

        func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
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
                self.release(path, isAnswered: false)
            }
            if isAnswered { return AdHTTPResponse(status: 200, url: request.url) }
            self.cancelled.yield(path)
            throw TransportError(.cancelled(sent: true), "given up")
        }
    }

    @Test("the number of concurrent and waiting requests is limited; refusals are reported once")
    func bounded() async throws {
        let held = Held()
        let server = AllowedHostFetcher(held, AllowedHostFetcher.Limits(concurrent: 2, waiting: 1))
        let (answers, answered) = AsyncStream<String>.makeStream()
        var arrivals = held.arrivals.makeAsyncIterator()
        for path in ["/1", "/2", "/3"] {
            server.serve(try self.request(path)) { _, _ in answered.yield(path) }
            if path != "/3" { #expect(await arrivals.next() == path) }
        }
        let refused = await self.outcome(server, try self.request("/4"))
        #expect(self.isRefused(refused.command))
        #expect(refused.attempt?.detail == "more than 1 requests wait for servers on this computer; others are blocked")
        #expect(await self.outcome(server, try self.request("/5")).attempt == nil)
        held.release("/1")
        #expect(await arrivals.next() == "/3")
        held.release("/2")
        held.release("/3")
        var all: Set<String> = []
        for await path in answers {
            all.insert(path)
            if all.count == 3 { break }
        }
        #expect(all == ["/1", "/2", "/3"] && held.most == 2)
    }

    @Test("when the stage closes, requests are cancelled and no more are answered")
    func over() async throws {
        let held = Held()
        let server = AllowedHostFetcher(held)
        server.serve(try self.request("/1")) { _, _ in Issue.record("a cancelled request is answered") }
        for await _ in held.arrivals { break }
        server.end()
        for await path in held.cancels {
            #expect(path == "/1")
            break
        }
        server.serve(try self.request("/2")) { _, _ in Issue.record("a request after the end is answered") }
    }

    @Test("one answer at a time is sent to the browser")
    func oneAtATime() async throws {
        let server = AllowedHostFetcher(Answering(headers: [:]))
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

    @Test("a response that is too large, and responses that are too large together, are refused and reported")
    func bytes() async throws {
        struct Endless: Transport {
            func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
                throw TransportError(.tooLarge, "too large")
            }
        }
        let long = await self.outcome(AllowedHostFetcher(Endless()), try self.request("/film"))
        #expect(self.isRefused(long.command))
        #expect(long.attempt?.detail == "a response of more than 32 MB: http://127.0.0.1:80/film")
        // The bytes that were read before the limit count.
        let greedy = AllowedHostFetcher(Endless(), AllowedHostFetcher.Limits(responseBytes: 2, totalBytes: 4))
        for _ in 0..<2 { _ = await self.outcome(greedy, try self.request("/film")) }
        let enough = await self.outcome(greedy, try self.request("/film"))
        #expect(enough.attempt?.detail.contains("others are blocked") == true)
        let server = AllowedHostFetcher(Answering(headers: [:]), AllowedHostFetcher.Limits(totalBytes: 3))
        let first = await self.outcome(server, try self.request("/1"))
        guard case .answer = first.command else { throw MediaError(code: 0, message: "\(first.command)") }
        let second = await self.outcome(server, try self.request("/2"))
        #expect(self.isRefused(second.command))
        let detail = "more than 0 MB were loaded from servers on this computer; others are blocked"
        #expect(second.attempt?.detail == detail)
        let third = await self.outcome(server, try self.request("/3"))
        #expect(self.isRefused(third.command) && third.attempt == nil)
    }

    @Test(
        "sec-Fetch-Site is same-origin only for requests of the host's own pages",
        arguments: [
            ([], "cross-site"), ([EngineHeader("Origin", "null")], "cross-site"),
            ([EngineHeader("Origin", "https://a.example")], "cross-site"),
            ([EngineHeader("Referer", "http://127.0.0.1/page")], "same-origin"),
            ([EngineHeader("Sec-Fetch-Site", "none")], "cross-site"),
        ] as [([EngineHeader], String)]
    )
    func site(headers: [EngineHeader], site: String) async throws {
        struct Echo: Transport {
            func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
                let headers: AdHTTPHeaders = ["X-Site": request.headers["Sec-Fetch-Site"] ?? ""]
                return AdHTTPResponse(status: 200, headers: headers, url: request.url)
            }
        }
        let command = await self.outcome(AllowedHostFetcher(Echo()), try self.request(headers: headers)).command
        #expect(self.headers(command).first { $0.name == "X-Site" }?.value == site)
    }

    @Test("the answer has one Access-Control-Allow-Origin, also if the server sends one")
    func once() async throws {
        let request = try self.request()
        let server = AllowedHostFetcher(
            Answering(headers: ["Access-Control-Allow-Origin": "https://a.example", "X": "y"])
        )
        let command = await withCheckedContinuation { continuation in
            server.serve(request) { command, _ in continuation.resume(returning: command) }
        }
        let headers = self.headers(command)
        let allowed = headers.filter { $0.name.asciiLowercased == "access-control-allow-origin" }
        #expect(allowed.map(\.value) == ["*"])
        #expect(headers.contains { $0.name == "X" })
    }
}
