import AdCore
import Testing

@testable import PlayCompare

@Suite("The comparison of events")
struct EventComparisonTests {
    private static func event(_ name: String, _ fields: KeyValuePairs<String, AdJSON> = [:], t: Int = 0) -> AdJSON {
        .object([.init("t", .int(t)), .init("event", .string(name))] + fields.map { .init($0.key, $0.value) })
    }

    private func differences(_ a: [AdJSON], _ b: [AdJSON]) -> [String] {
        RunComparison(.sample(events: a), .sample(events: b)).texts
    }

    @Test("times, ids and messages do not count")
    func ignored() {
        let a = [
            Self.event("loaded", ["kind": "banner"], t: 10),
            Self.event("loadFailed", ["code": "noFill", "message": "a"]),
            Self.event("tap", ["x": 1, "y": 2, "outcome": "nothing", "reason": "a"]),
            Self.event("rewarded", ["amount": 5, "transaction": "a"]), Self.event("blank", ["requests": []]),
        ]
        let b = [
            Self.event("loaded", ["kind": "banner"], t: 99),
            Self.event("loadFailed", ["code": "noFill", "message": "b"]),
            Self.event("tap", ["x": 3, "y": 4, "outcome": "nothing", "reason": "b"]),
            Self.event("rewarded", ["amount": 5, "transaction": "b"]), Self.event("blank", ["requests": [1]]),
        ]
        #expect(self.differences(a, b).isEmpty)
    }

    @Test(
        "a field that decides is a difference with both values",
        arguments: [
            ("closed", "reason", "user", "creative"), ("closed", "rule", "closeTimeout", "watchdog"),
            ("closeAvailable", "rule", "immediate", "watchdog"), ("view", "policy", "anyPixel", "mrcDisplay"),
            ("blocked", "kind", "popup", "navigation"), ("loadFailed", "code", "noFill", "timeout"),
            ("showFailed", "code", "expired", "stage"), ("tap", "outcome", "click", "nothing"),
            ("loaded", "size", "300x250", "320x50"), ("shown", "rendered", "300x250", "150x125"),
            ("linkOpened", "url", "https://a.example/", "https://b.example/"), ("bid", "outcome", "won", "lost"),
        ]
    )
    func decided(name: String, field: String, one: String, other: String) {
        let a = [Self.event("loadStarted"), Self.event(name, [field: .string(one)]), Self.event("expired")]
        let b = [Self.event("loadStarted"), Self.event(name, [field: .string(other)]), Self.event("expired")]
        #expect(self.differences(a, b) == ["event: \(name): \(field)=\(one) / \(field)=\(other)"])
    }

    @Test("a missing event, a further one, and one at another place are differences")
    func order() {
        let quartiles = [0, 25, 50].map { Self.event("quartile", ["q": .int($0), "spot": 1]) }
        #expect(self.differences(quartiles, Array(quartiles.dropLast())) == ["event: quartile: q=50 spot=1 / -"])
        #expect(self.differences([], [Self.event("skipped")]) == ["event: skipped: - / happened"])
        let moved = self.differences(
            [Self.event("view"), Self.event("click"), Self.event("skipped")],
            [Self.event("click"), Self.event("skipped"), Self.event("view")]
        )
        #expect(moved == ["event: view: happened / -", "event: view: - / happened"])
    }

    @Test("differences at one place are in the order of the events")
    func chronological() {
        let shown = ["tap", "click", "linkOpened"].map { Self.event($0) }
        #expect(
            self.differences(shown, []) == [
                "event: tap: happened / -", "event: click: happened / -", "event: linkOpened: happened / -",
            ]
        )
    }

    @Test("issues and calls of MRAID are compared by their numbers, in any order")
    func counted() {
        func call(_ type: String) -> AdJSON { Self.event("mraid", ["direction": "in", "type": .string(type)]) }
        let issue = Self.event("issue", ["code": "vast.x", "message": "ad 1fe9989c0c2c879b"])
        let other = Self.event("issue", ["code": "vast.x", "message": "ad 2fe9989c0c2c879b"])
        #expect(self.differences([call("open"), issue, call("close")], [call("close"), call("open"), other]).isEmpty)
        #expect(
            self.differences([call("open"), call("open")], [call("open")])
                == ["event: mraid direction=in type=open: ×2 / ×1"]
        )
    }

    @Test("beacons, console lines and fetches are no events in this sense")
    func others() {
        let events = ["beaconRecorded", "beaconDelivered", "beaconUnconfirmed", "beaconDead", "beaconWithheld"]
        #expect(!self.differences(events.map { Self.event($0) }, []).contains { $0.hasPrefix("event") })
        let lines = ["console", "scriptError", "requestFailed", "fetch"]
        #expect(!self.differences(lines.map { Self.event($0) }, []).contains { $0.hasPrefix("event") })
    }

    @Test("what follows from the screen, its use or a busy computer does not count")
    func circumstances() {
        let events = ["layout", "scroll", "visible", "longTask", "mediaStall", "omitted"].map { Self.event($0) }
        #expect(self.differences(events, []).isEmpty)
    }

    @Test("an event of a later version is compared by its name")
    func unknown() {
        let a = [Self.event("folded", ["angle": 1])]
        #expect(self.differences(a, [Self.event("folded", ["angle": 2])]).isEmpty)
        #expect(self.differences(a, []) == ["event: folded: happened / -"])
    }

    @Test("of too many events the numbers are compared, with a note")
    func many() {
        let events = (0..<3_000).map { Self.event("blocked", ["kind": .string($0 % 2 == 0 ? "popup" : "click")]) }
        let comparison = RunComparison(.sample(events: events), .sample(events: Array(events.reversed().dropLast())))
        #expect(comparison.texts == ["event: blocked kind=popup: ×1500 / ×1499"])
        #expect(comparison.notes.count == 1 && comparison.notes[0].contains("too many events"))
    }

    @Test("events without a name and of other types are no problem")
    func damaged() {
        let events: [AdJSON] = [[:], ["event": 1], ["event": "closed", "reason": [1, ["a": 2]]], ["event": ""]]
        #expect(self.differences(events, events).isEmpty)
    }
}
