import AdCore
import TestSupport
import Testing

@testable import WebStage

@Suite("What scripts that measure are told of an ad's place")
struct OMIDGeometryTests {
    private func geometry(_ message: AdJSON) throws -> OMIDGeometry {
        var geometry = OMIDGeometry(viewport: Size(width: 390, height: 844))
        let isRead = geometry.update(message)
        try #require(isRead)
        geometry.isHidden = false
        return geometry
    }

    private func message(ad: AdJSON, seen: AdJSON, covers: AdJSON = []) -> AdJSON {
        ["viewport": [390, 844], "ad": ad, "seen": seen, "covers": covers]
    }

    private func view(_ geometry: OMIDGeometry) -> AdJSON? { geometry.members.first { $0.name == "adView" }?.value }

    @Test("an ad that is on screen as a whole is 100 % in view, without a reason")
    func whole() throws {
        let geometry = try self.geometry(self.message(ad: [0, 0, 320, 100], seen: [0, 0, 320, 100]))
        #expect(geometry.percentageInView == 100 && geometry.reasons.isEmpty)
        #expect(self.view(geometry)?["onScreenGeometry"]?["pixels"] == 32_000)
    }

    @Test("a part beyond the screen is clipped, and an ad without any part on it is out of the viewport")
    func clipped() throws {
        let clipped = try self.geometry(self.message(ad: [0, -60, 320, 100], seen: [0, 0, 320, 40]))
        #expect(clipped.percentageInView == 40 && clipped.reasons == ["clipped"])
        let gone = try self.geometry(self.message(ad: [0, -200, 320, 100], seen: nil))
        #expect(gone.percentageInView == 0 && gone.reasons == ["viewport"])
    }

    @Test("the host's buttons over the ad are obstructions with their names; others are not")
    func obstructed() throws {
        let covers: AdJSON = [[300, 0, 50, 50, "close"], [0, 700, 50, 50, "pause"]]
        let geometry = try self.geometry(self.message(ad: [0, 0, 320, 100], seen: [0, 0, 320, 100], covers: covers))
        // 20 x 50 of 320 x 100 points.
        #expect(geometry.percentageInView == 96.88 && geometry.reasons == ["obstructed"])
        let obstructions = self.view(geometry)?["onScreenGeometry"]?["obstructions"]
        #expect(
            obstructions == [["x": 300, "y": 0, "width": 20, "height": 50, "obstructionClass": "close"]]
        )
    }

    @Test("views of the app over the ad are obstructions with their names; what is no rectangle is left out")
    func appViews() throws {
        var geometry = try self.geometry(self.message(ad: [0, 0, 320, 100], seen: [0, 0, 320, 100]))
        let size = Size(width: 160, height: 50)
        geometry.setAppViews([
            AdObstruction(x: 0, y: 0, size: size, name: "menu bar"),
            AdObstruction(x: .nan, y: 0, size: size, name: "nowhere"),
            AdObstruction(x: 0, y: 0, size: Size(width: 0, height: 9), name: "nothing"),
        ])
        #expect(geometry.percentageInView == 75 && geometry.reasons == ["obstructed"])
        let obstructions = self.view(geometry)?["onScreenGeometry"]?["obstructions"]
        #expect(obstructions == [["x": 0, "y": 0, "width": 160, "height": 50, "obstructionClass": "menu bar"]])
        let half = MRAIDRect(x: 0, y: -50, width: 320, height: 100)
        #expect(geometry.clearShare(of: half, on: geometry.viewport) == 0.5, "of its part on the screen")
        geometry.setAppViews([])
        #expect(geometry.percentageInView == 100 && geometry.clearShare(of: half, on: geometry.viewport) == 1)
    }

    @Test("an ad that is covered, in the background or not revealed has nothing in view")
    func invisible() throws {
        let base = try self.geometry(self.message(ad: [0, 0, 320, 100], seen: [0, 0, 320, 100]))
        let states: [((inout OMIDGeometry) -> Void, String)] = [
            ({ $0.isCovered = true }, "obstructed"), ({ $0.isInBackground = true }, "backgrounded"),
            ({ $0.isHidden = true }, "hidden"),
        ]
        for (change, reason) in states {
            var geometry = base
            change(&geometry)
            #expect(geometry.percentageInView == 0 && geometry.reasons == [reason])
        }
    }

    @Test("the area of overlapping covers is that of a count of points")
    func union() {
        var random = TestRandom(seed: 26)
        for _ in 0..<300 {
            let rects = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                MRAIDRect(
                    x: Double(Int.random(in: 0...20, using: &random)),
                    y: Double(Int.random(in: 0...20, using: &random)),
                    width: Double(Int.random(in: 0...12, using: &random)),
                    height: Double(Int.random(in: 0...12, using: &random))
                )
            }
            var count = 0
            for x in 0..<40 {
                for y in 0..<40 {
                    let (x, y) = (Double(x) + 0.5, Double(y) + 0.5)
                    if rects.contains(where: { $0.x < x && x < $0.right && $0.y < y && y < $0.bottom }) { count += 1 }
                }
            }
            #expect(MRAIDRect.unionArea(of: rects) == Double(count), "\(rects)")
            let parts = MRAIDRect.disjoint(rects)
            let pairs = parts.enumerated().flatMap { part in parts.dropFirst(part.offset + 1).map { (part.element, $0) }
            }
            #expect(pairs.allSatisfy { $0.0.intersection($0.1) == nil }, "\(rects)")
        }
    }

    @Test("a message that is no measurement changes nothing")
    func invalid() {
        var geometry = OMIDGeometry(viewport: Size(width: 390, height: 844))
        for message: AdJSON in [[:], ["viewport": [1], "ad": [0, 0, 1, 1]], ["viewport": [1, 2], "ad": "all"]] {
            let isRead = geometry.update(message)
            #expect(!isRead && !geometry.isMeasured)
        }
    }
}
