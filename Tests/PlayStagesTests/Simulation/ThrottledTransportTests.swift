import AdCore
import SystemSupport
import Testing
import WebStage

@testable import PlayStages

/// A network and its time, which passes only in waits.
private final class SlowNetwork: Transport {
    private let state = Locked<(now: Moment, waits: [Duration], limits: [Duration])>((.origin, [], []))
    /// How long the server takes, and how much it responds with.
    let duration: Duration
    let size: Int

    init(taking duration: Duration = .zero, size: Int = 0) {
        self.duration = duration
        self.size = size
    }

    var waits: [Duration] { self.state.withLock(\.waits) }
    var limits: [Duration] { self.state.withLock(\.limits) }

    func transport(_ network: EngineNetwork?, except exempt: String? = nil) -> ThrottledTransport {
        ThrottledTransport(next: self, network: network, except: exempt, now: { self.state.withLock(\.now) }) { time in
            self.state.withLock { state in
                state.now = state.now + time
                state.waits.append(time)
            }
        }
    }

    func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
        self.state.withLock { state in
            state.limits.append(request.limits.total)
            state.now = state.now + self.duration
        }
        return AdHTTPResponse(status: 200, body: Array(repeating: 0x20, count: self.size), url: request.url)
    }
}

@Suite("Requests over a simulated network")
struct ThrottledTransportTests {
    private func request(_ limit: Duration = .seconds(10), body: Int = 0) throws -> AdHTTPRequest {
        var request = AdHTTPRequest(.post, try #require(HTTPURL("https://a.example/")), limits: .init(total: limit))
        request.body = Array(repeating: 0x20, count: body)
        return request
    }

    private let slow = EngineNetwork(latency: .milliseconds(400), download: 1000, upload: 500)

    @Test(
        "a request waits for the latency and its upload, and then for its download; the rest of its time is its limit"
    )
    func times() async throws {
        let network = SlowNetwork(taking: .seconds(1), size: 2000)
        _ = try await network.transport(self.slow).send(try self.request(body: 300))
        #expect(network.waits == [.milliseconds(1000), .seconds(2)])
        #expect(network.limits == [.seconds(9)])
    }

    @Test("a response that would come after the limit fails, and the latency is counted once")
    func limit() async throws {
        let network = SlowNetwork(size: 2000)
        _ = try await network.transport(self.slow).send(try self.request(.milliseconds(2400)))
        let late = SlowNetwork(size: 2000)
        await #expect(throws: TransportError.self) {
            try await late.transport(self.slow).send(try self.request(.milliseconds(2300)))
        }
        #expect(late.waits == [.milliseconds(400), .milliseconds(1900)])
    }

    @Test("a limit shorter than the latency fails without a request")
    func latency() async throws {
        let network = SlowNetwork()
        let error = await #expect(throws: TransportError.self) {
            try await network.transport(self.slow).send(try self.request(.milliseconds(300)))
        }
        #expect(error?.phase == .notSent(.connectTimedOut) && network.limits.isEmpty)
    }

    @Test("a server that stands in for a document is reached offline, for the document only")
    func exempt() async throws {
        let network = SlowNetwork()
        let transport = network.transport(EngineNetwork(isOffline: true), except: "https://a.example:443")
        var request = try self.request()
        request.purpose = .load
        _ = try await transport.send(request)
        request.purpose = .beacon
        await #expect(throws: TransportError.self) { try await transport.send(request) }
    }

    @Test("offline fails at once; without a network nothing waits; the network may change")
    func changes() async throws {
        let network = SlowNetwork()
        let transport = network.transport(EngineNetwork(isOffline: true))
        let error = await #expect(throws: TransportError.self) { try await transport.send(try self.request()) }
        #expect(error?.message == "the simulated network is offline")
        transport.set(nil)
        _ = try await transport.send(try self.request())
        #expect(network.waits.isEmpty && network.limits == [.seconds(10)])
    }
}
