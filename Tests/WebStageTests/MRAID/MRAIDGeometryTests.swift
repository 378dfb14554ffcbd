import AdCore
import Testing

@testable import WebStage

@Suite("Positions of an MRAID ad")
struct MRAIDGeometryTests {
    private static func bench(_ size: RequestedSize = .fixed(Size(width: 320, height: 50))) -> HostBench {
        var bench = HostBench(.inline, size)
        bench.handle(.loaded(.main))
        bench.clearActions()
        return bench
    }

    private static func set(_ width: Double, _ height: Double, _ x: Double, _ y: Double, _ off: Bool = true) -> String {
        "\"c\":\"setResizeProperties\",\"width\":\(width),\"height\":\(height),\"offsetX\":\(x),\"offsetY\":\(y),"
            + "\"allowOffscreen\":\(off)"
    }

    @Test("a banner is centered below the app's header, an interstitial in the middle of the screen")
    func slots() {
        #expect(Self.bench().page.defaultPosition == MRAIDRect(x: 35, y: 57, width: 320, height: 50))
        #expect(HostBench(.interstitial).page.defaultPosition == MRAIDRect(x: 35, y: 397, width: 320, height: 50))
        #expect(
            HostBench(.interstitial, .adaptive).page.defaultPosition == MRAIDRect(x: 0, y: 0, width: 390, height: 844)
        )
    }

    @Test(
        "an ad is resized as requested if the close button stays on screen",
        arguments: [
            // Width, height, offsets, allowOffscreen; the position relative to the default position.
            (320.0, 250.0, 0.0, 0.0, true, MRAIDRect(x: 0, y: 0, width: 320, height: 250)),
            (390, 300, -35, 0, false, MRAIDRect(x: -35, y: 0, width: 390, height: 300)),
            // Partly off-screen to the left or below: only the upper right corner matters.
            (320, 250, -200, 0, true, MRAIDRect(x: -200, y: 0, width: 320, height: 250)),
            (320, 250, 0, 737, true, MRAIDRect(x: 0, y: 737, width: 320, height: 250)),
            (320, 250, 0, 738, true, nil), (320, 250, 36, 0, true, nil), (320, 250, 0, -58, true, nil),
            (320, 250, -306, 0, true, nil),
            (2_000, 250, -1_645, 0, true, MRAIDRect(x: -1_645, y: 0, width: 2_000, height: 250)),
            // Moved onto the screen by the shortest way.
            (320, 250, 100, 0, false, MRAIDRect(x: 35, y: 0, width: 320, height: 250)),
            (320, 250, -100, -100, false, MRAIDRect(x: -35, y: -57, width: 320, height: 250)),
            (320, 250, 0, 5_000, false, MRAIDRect(x: 0, y: 537, width: 320, height: 250)),
            (391, 250, 0, 0, false, nil), (320, 845, 0, 0, false, nil),
        ] as [(Double, Double, Double, Double, Bool, MRAIDRect?)]
    )
    func resize(width: Double, height: Double, x: Double, y: Double, off: Bool, wanted: MRAIDRect?) throws {
        var bench = Self.bench()
        // What can't be shown is refused when it is set, and is no property then.
        let isSet = try bench.send(Self.set(width, height, x, y, off))
        #expect((isSet == .done) == (wanted != nil))
        bench.clearActions()
        let outcome = try bench.call(.resize)
        if let wanted {
            #expect(outcome == .done && bench.host.state == .resized && bench.host.layout == .rect(wanted))
            #expect(bench.events().contains("stateChange resized"))
            #expect(bench.page.currentPosition.size == wanted.size)
        } else {
            #expect(outcome.isRefused)
            #expect(bench.host.state == .default && bench.host.layout == .defaultPosition)
        }
    }

    @Test("a resized ad can be resized again: its size changes, and the event of the state follows each time")
    func again() throws {
        var bench = Self.bench()
        try bench.send(Self.set(320, 250, 0, 0))
        try bench.call(.resize)
        try bench.send(Self.set(320, 300, 0, 0))
        bench.clearActions()
        try bench.call(.resize)
        #expect(bench.events() == ["sizeChange 320 300", "stateChange resized"])
    }

    @Test("properties that are set and not applied do not change a resized ad when the screen turns")
    func rotatedWithOtherProperties() throws {
        var bench = Self.bench()
        try bench.send(Self.set(300, 250, 0, 0))
        try bench.call(.resize)
        try bench.send(Self.set(390, 787, -35, 0, true))
        bench.handle(
            .geometryChanged(
                HostBench.geometries(
                    .inline,
                    .fixed(Size(width: 320, height: 50)),
                    screen: Size(width: 844, height: 390)
                )
            )
        )
        #expect(bench.host.state == .resized && bench.page.currentPosition.size == Size(width: 300, height: 250))
    }

    @Test("an ad that is scrolled away may set any properties, and is judged when it resizes")
    func scrolledAway() throws {
        var bench = Self.bench()
        bench.handle(.positionMeasured(MRAIDRect(x: 35, y: -900, width: 320, height: 50)))
        #expect(try bench.send(Self.set(320, 250, 0, 0, true)) == .done)
        #expect(try bench.call(.resize).isRefused)
    }

    @Test("a scaled creative has its own points, and the close button keeps its size on the screen")
    func scaled() throws {
        var bench = Self.bench(.fixed(Size(width: 780, height: 100)))
        #expect(bench.page.screen == Size(width: 780, height: 1_688))
        #expect(bench.page.defaultPosition == MRAIDRect(x: 0, y: 114, width: 780, height: 100))
        try bench.send(Self.set(780, 100, -679, 0))
        #expect(try bench.call(.resize) == .done)
        try bench.call(.close)
        // The corner would be 99 of its points from the edge; the button needs 100.
        #expect(try bench.send(Self.set(780, 100, -681, 0)).isRefused)
    }

    @Test("the default position is the measured one")
    func measured() throws {
        var bench = Self.bench()
        bench.handle(.positionMeasured(MRAIDRect(x: 35, y: -20, width: 320, height: 50)))
        #expect(bench.page.defaultPosition.y == -20 && bench.page.currentPosition.y == -20 && bench.events().isEmpty)
        try bench.send(Self.set(320, 250, 0, 0))
        #expect(try bench.call(.resize).isRefused)
    }

    @Test("a resized ad moves with its default position when the app scrolls")
    func scrolled() throws {
        var bench = Self.bench()
        try bench.send(Self.set(320, 250, -5, 10))
        try bench.call(.resize)
        #expect(bench.page.currentPosition == MRAIDRect(x: 30, y: 67, width: 320, height: 250))
        bench.clearActions()
        bench.handle(.positionMeasured(MRAIDRect(x: 35, y: -143, width: 320, height: 50)))
        #expect(bench.page.currentPosition == MRAIDRect(x: 30, y: -133, width: 320, height: 250))
        #expect(bench.events().isEmpty && bench.actions.count == 1)
    }

    @Test("a rotated screen is reported, and a resized ad that does not fit any more is collapsed")
    func turned() throws {
        var bench = Self.bench()
        let wide = HostBench.geometries(
            .inline,
            .fixed(Size(width: 320, height: 50)),
            screen: Size(width: 844, height: 390)
        )
        bench.handle(.geometryChanged(wide))
        #expect(bench.page.screen == Size(width: 844, height: 390))
        #expect(bench.page.defaultPosition == MRAIDRect(x: 262, y: 57, width: 320, height: 50))
        #expect(!bench.actions.contains { if case .setOrientation = $0 { true } else { false } })
        try bench.call(.expand)
        bench.clearActions()
        bench.handle(.geometryChanged(HostBench.geometries(.inline, .fixed(Size(width: 320, height: 50)))))
        #expect(bench.events() == ["sizeChange 390 844"])
        try bench.call(.close)
        try bench.send(Self.set(320, 250, 0, 400))
        try bench.call(.resize)
        bench.clearActions()
        bench.handle(.geometryChanged(wide))
        #expect(bench.events() == ["sizeChange 320 50", "stateChange default"])
    }

    @Test("an expanded ad forces its orientation until it is collapsed")
    func forced() throws {
        var bench = Self.bench()
        try bench.send(#""c":"setOrientationProperties","forceOrientation":"landscape""#)
        #expect(bench.host.forcedOrientation == nil)
        bench.clearActions()
        try bench.call(.expand)
        #expect(bench.actions.contains(.setOrientation(.landscape)))
        #expect(bench.events() == ["sizeChange 844 390", "stateChange expanded"])
        #expect(bench.page.screen == Size(width: 844, height: 390))
        try bench.send(#""c":"setOrientationProperties","forceOrientation":"portrait""#)
        #expect(bench.actions.contains(.setOrientation(.portrait)))
        bench.clearActions()
        try bench.call(.close)
        #expect(bench.actions.contains(.setOrientation(nil)))
        #expect(bench.page.screen == HostBench.screen)
    }

    @Test("an interstitial forces its orientation as soon as it is loaded")
    func interstitial() throws {
        var bench = HostBench(.interstitial, .adaptive)
        try bench.send(#""c":"setOrientationProperties","forceOrientation":"landscape""#)
        #expect(!bench.actions.contains(.setOrientation(.landscape)))
        bench.handle(.loaded(.main))
        #expect(bench.actions.contains(.setOrientation(.landscape)))
        #expect(bench.page.currentPosition == MRAIDRect(x: 0, y: 0, width: 844, height: 390))
    }

    @Test("an ad that forbids orientation changes keeps its orientation when the device is rotated")
    func locked() throws {
        var bench = HostBench(.interstitial, .adaptive)
        bench.handle(.loaded(.main))
        try bench.send(#""c":"setOrientationProperties","allowOrientationChange":false"#)
        bench.clearActions()
        bench.handle(.geometryChanged(HostBench.geometries(.interstitial, screen: Size(width: 844, height: 390))))
        #expect(bench.host.forcedOrientation == .portrait && bench.events().isEmpty)
        #expect(bench.page.screen == HostBench.screen)
        try bench.send(#""c":"setOrientationProperties","allowOrientationChange":true"#)
        #expect(bench.host.forcedOrientation == nil && bench.page.screen == Size(width: 844, height: 390))
    }
}
