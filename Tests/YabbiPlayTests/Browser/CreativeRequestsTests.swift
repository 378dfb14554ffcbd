import AdCore
import Testing

@testable import ChromiumStage
@testable import PlayConsole
@testable import PlayReconcile
@testable import PlayStages
@testable import WebStage
@testable import YabbiPlay

@Suite("Requests of creatives")
struct CreativeRequestsTests {
    private func request(_ url: String, _ outcome: StageRequest.Outcome) -> StageNotification {
        .request(
            StageRequest(
                url: url,
                method: "GET",
                kind: "Image",
                start: .zero,
                length: .milliseconds(1),
                outcome: outcome
            )
        )
    }

    private let answer = StageRequest.Outcome.answered(status: 200, type: nil, bytes: 1)

    @Test("answered requests are counted by server and path")
    func counts() throws {
        let calls = CreativeRequests()
        calls.record(.started)
        calls.record(self.request("http://127.0.0.1:80/t/pixel?a=1", self.answer))
        calls.record(self.request("http://127.0.0.1:80/t/pixel?a=2", self.answer))
        calls.record(self.request("http://127.0.0.1:80/t/other", .failed(.other("refused"))))
        calls.record(self.request("http://127.0.0.1:8080/t/pixel", self.answer))
        let server = try #require(HTTPURL("http://127.0.0.1/"))
        #expect(
            calls.paths(at: server) == ["/t/pixel": 2]
                || calls.paths(at: HTTPURL("http://127.0.0.1:80/")) == ["/t/pixel": 2]
        )
        #expect(calls.paths(at: nil).isEmpty)
    }

    @Test("a creative's own request is not a beacon, and an additional request is unmatched")
    func arrivals() {
        func hit(_ n: Int, key: String?) -> ReceivedHit {
            ReceivedHit(
                n: n,
                at: WallTime(milliseconds: 0),
                key: key,
                path: "/t/pixel",
                host: nil,
                fault: nil,
                isCounted: true
            )
        }
        let list = HitList(
            [hit(1, key: nil), hit(2, key: "k"), hit(3, key: nil)],
            dropped: 0,
            sentByCreatives: ["/t/pixel": 1]
        )
        #expect(list.arrivals.map(\.n) == [2, 3] && list.creatives == 1)
        let result = Reconciliation([], against: list, lateAfter: nil)
        #expect(result.unknown == 2 && result.creatives == 1)
    }
}

@Suite("The stage of the demo")
struct DemoStageTests {
    private func staged(_ words: String..., hasBrowser: Bool = true) throws -> Showing {
        try DemoCommand(parsing: words).showing(hasBrowser: hasBrowser)
    }

    @Test("a report uses a browser if one is installed, at eight times real time")
    func browser() throws {
        let showing = try self.staged("--report", "out")
        #expect(showing == .real(speed: 8, .browser(BrowserSettings()), opensLinks: false))
        #expect(try self.staged("--stage", "chromium").stage == .browser(BrowserSettings()))
    }

    @Test("otherwise the demo uses the terminal in virtual time")
    func terminal() throws {
        for showing in [
            try self.staged(), try self.staged("--report", "out", hasBrowser: false),
            try self.staged("--report", "out", "--stage", "terminal"),
            try self.staged("--report", "out", "--clock", "virtual"),
        ] { #expect(showing == .virtual(isSilent: false)) }
    }

    @Test("--speed is applied in real time and refused in virtual time")
    func speed() throws {
        #expect(try self.staged("--report", "out", "--speed", "2").time == .real(speed: 2))
        #expect(throws: UsageError(TimeOptions.speedNeedsRealTime)) {
            try Invocation(parsing: ["demo", "--clock", "virtual", "--speed", "2"])
        }
        #expect(throws: UsageError.self) { try Invocation(parsing: ["show", "a.html", "--speed", "0"]) }
        #expect(throws: UsageError("--report can't be combined with --repeat; remove one of them")) {
            try Invocation(parsing: ["show", "a.html", "--report", "out", "--repeat", "2"])
        }
    }
}
