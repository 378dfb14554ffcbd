import AdCore
import PlayReport
import Testing

@testable import PlayCompare

@Suite("The comparison of trackers")
struct TrackerComparisonTests {
    private func differences(_ a: RunAd, _ b: RunAd) -> [String] { RunComparison(a, b).texts }

    private let view = "tracker: view  https://t.example/view: "

    @Test("keys, ports, ids and the order of parameters do not count")
    func ignored() {
        let one = RunBeacon.sample("view", "http://127.0.0.1:40001/t?ad=1&k=1fe9989c0c2c879b")
        var other = RunBeacon.sample("view", "http://127.0.0.1:3/t?k=2fe9989c0c2c879b&ad=1")
        other.key = "2fe9989c0c2c879b/-/view/0/0"
        #expect(self.differences(.sample(beacons: [one]), .sample(id: "2fe9989c0c2c879b", beacons: [other])).isEmpty)
    }

    @Test(
        "another outcome is a difference with the reasons",
        arguments: [
            (RunBeacon.sample(), "delivered"),
            (.sample("view", "https://t.example/view", "unconfirmed", "cut off"), "unconfirmed: cut off"),
            (.sample("view", "https://t.example/view", "dead", "status 404"), "dead: status 404"),
            (.sample("view", "https://t.example/view", "withheld"), "withheld"),
        ]
    )
    func outcomes(beacon: RunBeacon, text: String) {
        let waiting = RunBeacon.sample("view", "https://t.example/view", "recorded")
        let differences = self.differences(.sample(beacons: [waiting]), .sample(beacons: [beacon]))
        #expect(differences == [self.view + "recorded / \(text)"])
        #expect(self.differences(.sample(beacons: [beacon]), .sample(beacons: [beacon])).isEmpty)
    }

    @Test("another reason for the same outcome is no difference")
    func reasons() {
        func dead(_ reason: String) -> RunAd {
            .sample(beacons: [.sample("view", "https://t.example/view", "dead", reason)])
        }
        #expect(self.differences(dead("status 404"), dead("status 500")).isEmpty)
    }

    @Test("a tracker that one run lacks is one difference, with the reason why it did not fire")
    func missing() {
        let fired = RunAd.sample(
            verdicts: [RunVerdict(of: "view", outcome: "fired", reason: "recorded; delivered")],
            beacons: [.sample()]
        )
        let silent = RunAd.sample(verdicts: [RunVerdict(of: "view", outcome: "notFired", reason: "never in view")])
        #expect(self.differences(fired, silent) == [self.view + "delivered / not fired: never in view"])
        #expect(self.differences(fired, .sample()) == [self.view + "delivered / -"])
    }

    @Test("several equal trackers are counted")
    func counted() {
        let one = RunAd.sample(beacons: [.sample()])
        let three = RunAd.sample(beacons: [.sample(), .sample("view", "https://t.example/view", "dead"), .sample()])
        #expect(self.differences(one, three) == [self.view + "delivered / dead, delivered ×2"])
    }

    @Test("the trackers of each spot of a video are compared with their verdicts")
    func spots() {
        func ad(_ spot: String, _ outcome: String) -> RunAd {
            .sample(
                verdicts: [
                    RunVerdict(of: "spot-1/complete", outcome: outcome, reason: "why"),
                    RunVerdict(of: "spot-2/skip", outcome: "notFired", reason: outcome),
                ],
                beacons: [.sample("start", "https://t.example/s", path: spot)]
            )
        }
        #expect(
            self.differences(ad("spot-1", "fired"), ad("spot-2", "notFired")) == [
                "tracker: spot-1/start  https://t.example/s: delivered / -",
                "tracker: spot-2/start  https://t.example/s: - / delivered",
                "tracker: spot-1/complete: fired: why / not fired: why",
            ]
        )
    }

    @Test("a provider's own key has the event's name")
    func ownKeys() {
        let beacon = RunBeacon(event: "view", key: "impression-77", url: "https://t.example/view", state: "dead")
        #expect(self.differences(.sample(beacons: [beacon]), .sample()) == [self.view + "dead / -"])
        for key in ["", "/", "a/b/c/d/e", "////", "a//view/0/0"] {
            let odd = RunBeacon(event: "view", key: key, url: "", state: "dead")
            #expect(self.differences(.sample(beacons: [odd]), .sample(beacons: [odd])).isEmpty)
        }
    }

    @Test("a withheld beacon counts once, as an event or in the list")
    func withheld() {
        let beacon = RunBeacon.sample("view", "https://t.example/view", "withheld")
        let event: AdJSON = ["event": "beaconWithheld", "key": .string(beacon.key), "url": .string(beacon.url)]
        #expect(self.differences(.sample(events: [event]), .sample(beacons: [beacon])).isEmpty)
        #expect(self.differences(.sample(events: [event], beacons: [beacon]), .sample(beacons: [beacon])).isEmpty)
        #expect(
            self.differences(.sample(events: [event]), .sample(beacons: [.sample()])) == [
                self.view + "withheld / delivered"
            ]
        )
    }

    @Test("a request of the creative that was withheld has no key")
    func creatives() {
        let event: AdJSON = ["event": "beaconWithheld", "key": nil, "url": "https://t.example/pixel"]
        #expect(
            self.differences(.sample(events: [event, event]), .sample(events: [event])) == [
                "tracker: request of the creative  https://t.example/pixel: withheld ×2 / withheld"
            ]
        )
    }
}
