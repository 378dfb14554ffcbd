import AdCore
import PlayReport
import Testing

@testable import PlayCompare

@Suite("The comparison of layouts")
struct LayoutComparisonTests {
    private static func events(_ places: [(mode: String, x: Double)], container: String = "390x844") -> [AdJSON] {
        [["event": "shown", "container": .string(container)]]
            + places.map { place in
                [
                    "event": "layout", "mode": .string(place.mode), "x": .double(place.x), "y": 0, "width": 320,
                    "height": 50,
                ]
            }
    }

    private func differences(_ a: [AdJSON], _ b: [AdJSON]) -> [String] {
        RunComparison(.sample(events: a), .sample(events: b)).texts
    }

    @Test("the last place in each mode counts, to a point")
    func lastPlace() {
        let a = Self.events([("normal", 10), ("expanded", 0), ("normal", 35)])
        #expect(self.differences(a, Self.events([("normal", 35.9), ("expanded", 0)])).isEmpty)
        #expect(
            self.differences(a, Self.events([("normal", 40), ("expanded", 0)])) == [
                "layout: place of the creative (normal): 320x50 at 35, 0 / 320x50 at 40, 0"
            ]
        )
    }

    @Test("a mode that one run lacks is a difference")
    func missing() {
        let expanded = Self.events([("normal", 0), ("expanded", 0)])
        #expect(
            self.differences(Self.events([("normal", 0)]), expanded) == [
                "layout: place of the creative (expanded): - / 320x50 at 0, 0"
            ]
        )
    }

    @Test("places in containers of different sizes are not compared")
    func containers() {
        let a = Self.events([("normal", 0)])
        #expect(self.differences(a, Self.events([("normal", 90)], container: "320x568")).isEmpty)
    }

    @Test("an incomplete place is none")
    func incomplete() {
        #expect(self.differences([["event": "layout", "x": 1]], []).isEmpty)
    }
}
