import AdCore
import Testing

@Suite("Sizes and layout")
struct SizingTests {
    static let phone = Size(width: 390, height: 844)

    @Test(
        "a size with a side that is missing, not positive or not finite is adaptive",
        arguments: [
            (nil, 50), (320, nil), (0, 50), (320, 0), (-320, 50), (.nan, 50), (.infinity, 50), (nil, nil),
        ] as [(Double?, Double?)]
    )
    func adaptive(width: Double?, height: Double?) {
        #expect(RequestedSize(width: width, height: height) == .adaptive)
    }

    @Test("an adaptive creative fills the container")
    func fills() {
        let layout = CreativeLayout(.adaptive, in: AdContainer(width: 300, height: 200, screen: Self.phone))
        #expect(layout.rendered == Size(width: 300, height: 200))
    }

    @Test(
        "an unbounded height is 15 % of the screen's, from 50 to 90 points",
        arguments: [
            (320.0, 50.0), (400, 60), (480, 72), (844, 90), (2000, 90),
        ]
    )
    func unbounded(screen: Double, height: Double) {
        let container = AdContainer(width: 320, screen: Size(width: 390, height: screen))
        #expect(CreativeLayout(.adaptive, in: container).resolved == Size(width: 320, height: height))
    }

    @Test(
        "a fixed size is scaled down to fit and never scaled up",
        arguments: [
            (320.0, 50.0, 1.0), (780, 50, 0.5), (320, 1688, 0.5), (10, 10, 1), (1e9, 1e9, 390e-9),
        ]
    )
    func fixed(width: Double, height: Double, scale: Double) {
        let layout = CreativeLayout(RequestedSize(width: width, height: height), in: .fullScreen(Self.phone))
        #expect(abs(layout.scale - scale) < 1e-12)
        #expect(layout.resolved == Size(width: width, height: height))
        #expect(layout.rendered.width <= 390.000001 && layout.rendered.height <= 844.000001)
    }

    @Test("sizes are described as width x height")
    func text() {
        #expect(Size(width: 320, height: 50.5).description == "320x50.5")
        #expect(RequestedSize.adaptive.description == "adaptive")
    }
}
