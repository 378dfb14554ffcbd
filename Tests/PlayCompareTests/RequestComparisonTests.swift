import AdCore
import PlayReport
import Testing

@testable import PlayCompare

@Suite("The comparison of requests, lint findings and console lines")
struct RequestComparisonTests {
    private func differences(_ a: [RunRequest], _ b: [RunRequest]) -> [String] {
        RunComparison(.sample(requests: a), .sample(requests: b)).texts
    }

    private let image = "request: GET https://a.example/i.png: "

    @Test("a missing and a new request, and another number, are differences")
    func numbers() {
        #expect(self.differences([.sample()], []) == [self.image + "200 image/png, 1 kB / -"])
        #expect(self.differences([], [.sample()]) == [self.image + "- / 200 image/png, 1 kB"])
        #expect(
            self.differences([.sample(), .sample(), .sample()], [.sample()])
                == [self.image + "200 image/png ×3, 3 kB / 200 image/png, 1 kB"]
        )
    }

    @Test(
        "the class of the status, the type, and a failure are differences",
        arguments: [
            (RunRequest.sample(status: 404), "404 image/png, 1 kB"),
            (.sample(type: "text/html"), "200 text/html, 1 kB"),
            (.sample(type: nil), "200, 1 kB"), (.sample(error: "cancelled"), "cancelled"),
            (.sample(error: "blocked: csp"), "blocked: csp"),
            (.sample(error: "net::ERR_FAILED"), "failed: net::ERR_FAILED"),
            (.sample(status: nil), "no status image/png, 1 kB"),
        ]
    )
    func outcomes(request: RunRequest, text: String) {
        #expect(self.differences([.sample()], [request]) == [self.image + "200 image/png, 1 kB / \(text)"])
    }

    @Test("another status of the same class, the case of the type and another error text are none")
    func ignored() {
        #expect(self.differences([.sample(status: 200)], [.sample(status: 206, type: "IMAGE/png")]).isEmpty)
        #expect(self.differences([.sample(error: "reset")], [.sample(error: "refused")]).isEmpty)
        let (one, other) = ("https://a.example/?b=1&a=2&cb=3", "https://a.example/?cb=4&a=2&b=1")
        #expect(self.differences([.sample(one)], [.sample(other)]).isEmpty)
    }

    @Test(
        "a size differs by more than a fifth and more than 10 kB",
        arguments: [
            (100_000, 121_000, true), (100_000, 120_000, false), (1_000, 11_000, false), (1_000, 11_001, true),
            (0, 10_001, true), (5_000_000, 5_900_000, false), (Int.max, 1, true), (Int.max, Int.max, false),
        ]
    )
    func sizes(one: Int, other: Int, differs: Bool) {
        #expect(self.differences([.sample(bytes: one)], [.sample(bytes: other)]).isEmpty != differs)
        #expect(self.differences([.sample(bytes: other)], [.sample(bytes: one)]).isEmpty != differs)
    }

    @Test("requests without a known size, and those that deliver beacons, are not compared by it")
    func unknown() {
        #expect(self.differences([.sample(bytes: nil)], [.sample(bytes: 900_000)]).isEmpty)
        #expect(self.differences([.sample(kind: "Beacon", initiator: .runtime)], []).isEmpty)
        #expect(self.differences([.sample(kind: "Beacon")], []).count == 1, "the creative's own beacon")
    }

    @Test("console messages, script errors and failed requests are compared by number, without ids and places")
    func console() {
        func events(_ id: String, _ line: Int) -> [AdJSON] {
            [
                ["event": "console", "level": "error", "text": .string("no ad \(id)")],
                [
                    "event": "scriptError", "message": "x is not defined", "url": "https://a.example/s.js",
                    "line": .int(line),
                ],
                ["event": "requestFailed", "url": .string("https://a.example/\(id)"), "reason": "status 404"],
            ]
        }
        let (a, b) = (events("1fe9989c0c2c879b", 1), events("2fe9989c0c2c879b", 2))
        #expect(RunComparison(.sample(events: a), .sample(events: b.reversed())).texts.isEmpty)
        #expect(
            RunComparison(.sample(events: a + a), .sample(events: [b[1]])).texts == [
                "console: console error  no ad {id}: ×2 / -",
                "console: failed request  https://a.example/{id}  status 404: ×2 / -",
                "console: script error  x is not defined (https://a.example/s.js): ×2 / ×1",
            ]
        )
    }

    @Test("lint findings are compared by rule and message, with their numbers")
    func lint() {
        func finding(_ message: String, _ count: Int = 1, line: Int? = 4) -> RunFinding {
            RunFinding(rule: "html.http", severity: "error", line: line, count: count, message: message)
        }
        func differences(_ a: [RunFinding]?, _ b: [RunFinding]?) -> [String] {
            RunComparison(.sample(lint: a), .sample(lint: b)).texts
        }
        #expect(differences([finding("x 12345678", line: 1)], [finding("x 87654321", line: 9)]).isEmpty)
        #expect(differences([], nil).isEmpty, "no markup has no findings")
        #expect(
            differences([finding("a"), finding("b", 2, line: nil)], [finding("b", 3), finding("c")]) == [
                "lint: error  html.http: a: ×1, first on line 4 / -",
                "lint: error  html.http: b: ×2 / ×3, first on line 4",
                "lint: error  html.http: c: - / ×1, first on line 4",
            ]
        )
        #expect(differences([finding("a", .max), finding("a", .max)], [finding("a", .max)]).count == 1)
    }
}
