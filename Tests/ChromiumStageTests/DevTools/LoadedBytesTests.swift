import AdCore
import Testing

@testable import ChromiumStage
@testable import WebStage

@Suite("Byte limit and private addresses")
struct LoadedBytesTests {
    private let session = DevToolsSession(name: "s")

    private func data(_ bytes: Int) -> DevToolsEvent {
        DevToolsEvent(
            session: self.session,
            method: "Network.dataReceived",
            params: ["requestId": "1", "dataLength": .int(bytes)]
        )
    }

    private func request() throws -> EngineRequest {
        try #require(
            EngineRequest(
                DevToolsEvent(
                    session: self.session,
                    method: "Fetch.requestPaused",
                    params: ["requestId": "7", "request": ["url": "https://a.example/x"]]
                )
            )
        )
    }

    @Test("a creative that exceeds the byte limit is reported once, and further requests are blocked")
    func most() throws {
        var policy = PagePolicy()
        let request = try self.request()
        #expect(policy.handle(self.data(99_999_999)) == [])
        #expect(policy.applyRules(to: request, allowed: [], at: .zero) == [.send(request.proceeding)])
        let outputs = policy.handle(self.data(2))
        let text = "more than 100 MB were loaded; further requests are blocked"
        #expect(outputs == [.report(.blocked(BlockedAttempt(.other, text))), .setAlarm(.byteLimit, after: .zero)])
        #expect(policy.handle(self.data(2)) == [])
        #expect(policy.applyRules(to: request, allowed: [], at: .zero) == [.send(request.failing(.blocked))])
    }

    private func answered(by address: String) -> DevToolsEvent {
        DevToolsEvent(
            session: self.session,
            method: "Network.responseReceived",
            params: [
                "requestId": "1", "response": ["url": "https://a.example/y", "remoteIPAddress": .string(address)],
            ]
        )
    }

    @Test(
        "a host that resolves to a private address is reported once, and further requests are blocked",
        arguments: ["127.0.0.1", "10.0.0.7", "192.168.1.1", "[::1]", "169.254.169.254"]
    )
    func privateAddress(address: String) throws {
        var policy = PagePolicy()
        let request = try self.request()
        let text = "a request to the local network: a.example resolved to \(address)"
        let outputs = policy.handle(self.answered(by: address))
        #expect(outputs == [.report(.blocked(BlockedAttempt(.other, text)))])
        #expect(policy.handle(self.answered(by: address)) == [])
        #expect(policy.applyRules(to: request, allowed: [], at: .zero) == [.send(request.failing(.blocked))])
    }

    @Test(
        "a host that resolves to a public or unknown address is requested again",
        arguments: [
            "93.184.216.34", "[2606:2800:220:1::1]", "", "nonsense",
        ]
    )
    func publicAddress(address: String) throws {
        var policy = PagePolicy()
        let request = try self.request()
        #expect(policy.handle(self.answered(by: address)) == [])
        #expect(policy.applyRules(to: request, allowed: [], at: .zero) == [.send(request.proceeding)])
    }

    @Test("implausible lengths are ignored", arguments: [-5, Int.max])
    func impossible(_ length: Int) {
        var policy = PagePolicy()
        for _ in 0..<2 {
            let outputs = policy.handle(self.data(length))
            #expect(outputs?.isEmpty ?? true)
        }
    }
}
