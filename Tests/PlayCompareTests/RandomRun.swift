import AdCore
import PlayReport
import TestSupport

@testable import PlayCompare

/// A random run; two of them have much in common.
struct RandomRun {
    private var random: TestRandom

    static func report(seed: UInt64) -> RunDocument {
        var run = RandomRun(random: TestRandom(seed: seed))
        let ads = (0..<Int.random(in: 0...4, using: &run.random)).map { _ in run.ad() }
        return RunDocument(command: "demo", madeAt: "", stage: "", ads: ads)
    }

    private mutating func one<Value>(of values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &self.random)]
    }

    private mutating func list<Value>(_ most: Int, _ value: (inout RandomRun) -> Value) -> [Value] {
        (0..<Int.random(in: 0...most, using: &self.random)).map { _ in value(&self) }
    }

    private mutating func url() -> String {
        let id = AdID(bits: self.random.next()).rawValue
        return self.one(of: [
            "http://127.0.0.1:\(Int.random(in: 1...9, using: &self.random))/t?ad=1", "https://t.example/\(id)",
            "https://t.example/?cb=\(self.random.next())&a=1", "https://t.example/a", "https://t.example/b",
        ])
    }

    private mutating func ad() -> RunAd {
        let id = AdID(bits: self.random.next()).rawValue
        let words = ["view", "click", "spot-1/start"]
        return .sample(
            id: id,
            name: self.one(of: ["a", "b", "c"]),
            events: self.list(12) { $0.event() },
            verdicts: self.list(4) { run in
                RunVerdict(
                    of: run.one(of: words),
                    outcome: run.one(of: ["fired", "counted", "notFired"]),
                    reason: "why"
                )
            },
            beacons: self.list(4) { run in
                RunBeacon(
                    event: "view",
                    key: "\(id)/\(run.one(of: ["-", "spot-1"]))/view/0/0",
                    url: run.url(),
                    state: run.one(of: ["delivered", "dead", "recorded"]),
                    reason: run.one(of: [nil, "status 404"])
                )
            },
            requests: self.list(5) { run in
                .sample(
                    run.url(),
                    status: run.one(of: [200, 404]),
                    bytes: run.one(of: [nil, 100, 90_000]),
                    error: run.one(of: [nil, nil, "cancelled"])
                )
            },
            lint: self.list(3) { run in
                RunFinding(
                    rule: run.one(of: ["x.y", "x.z"]),
                    severity: "info",
                    count: run.one(of: [1, 2]),
                    message: "m"
                )
            },
            pictures: self.list(3) { run in
                .sample(run.one(of: ["a", "b"]), width: run.one(of: [1, 2]), bytes: run.one(of: [nil, [1], [2]]))
            }
        )
    }

    private mutating func event() -> AdJSON {
        let name = self.one(of: [
            "shown", "view", "closed", "quartile", "blocked", "issue", "console", "mraid", "fetch", "layout",
        ])
        return [
            "t": .int(self.random.next() % 1_000), "event": .string(name), "reason": self.one(of: ["user", "host"]),
            "q": self.one(of: [0, 25]), "text": .string(self.url()), "url": .string(self.url()), "type": "open",
            "x": self.one(of: [0, 40]), "y": 0, "width": 1, "height": 1, "mode": self.one(of: ["normal", "resized"]),
        ]
    }
}
