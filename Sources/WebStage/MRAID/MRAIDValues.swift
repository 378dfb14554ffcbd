import AdCore

/// A place on the screen, in the creative's points.
struct MRAIDRect: Hashable, Sendable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    var right: Double { self.x + self.width }
    var bottom: Double { self.y + self.height }
    var size: Size { Size(width: self.width, height: self.height) }

    /// Whether all of another place lies in it; up to a rounding error.
    func holds(_ other: MRAIDRect) -> Bool {
        let tolerance = 0.01
        return other.x >= self.x - tolerance && other.y >= self.y - tolerance && other.right <= self.right + tolerance
            && other.bottom <= self.bottom + tolerance
    }

    /// The same place where a point is so many times as large.
    func scaled(by factor: Double) -> MRAIDRect {
        MRAIDRect(x: self.x * factor, y: self.y * factor, width: self.width * factor, height: self.height * factor)
    }

    /// The same place, moved by another's corner.
    func moved(by other: MRAIDRect) -> MRAIDRect {
        MRAIDRect(x: self.x + other.x, y: self.y + other.y, width: self.width, height: self.height)
    }

    var json: AdJSON {
        ["x": .double(self.x), "y": .double(self.y), "width": .double(self.width), "height": .double(self.height)]
    }

    var list: AdJSON { .array([.double(self.x), .double(self.y), .double(self.width), .double(self.height)]) }
}

extension MRAIDRect {
    /// Reads four finite numbers.
    init?(_ json: AdJSON?) {
        guard let numbers = json?.array?.compactMap(\.number), numbers.count == 4 else { return nil }
        self.init(x: numbers[0], y: numbers[1], width: max(0, numbers[2]), height: max(0, numbers[3]))
    }
}

/// An ad's placement type (MRAID 3.0, `getPlacementType`).
enum MRAIDPlacement: String, Hashable, Sendable, CaseIterable {
    /// Among the app's own content.
    case inline
    /// Over all of it.
    case interstitial
}

/// The state of an ad's container (MRAID 3.0, `getState`).
enum MRAIDState: String, Hashable, Sendable, CaseIterable {
    /// Its document is being loaded.
    case loading
    /// It is where it was put.
    case standard = "default"
    /// It covers the screen, until it is collapsed.
    case expanded
    /// It has the size that it requested, until it is collapsed.
    case resized
    /// It asked to be closed.
    case hidden
}

/// How a screen is held.
enum MRAIDOrientation: String, Hashable, Sendable, CaseIterable {
    case portrait, landscape

    init(of screen: Size) { self = screen.width > screen.height ? .landscape : .portrait }
}

/// How much of an ad can be seen.
struct MRAIDExposure: Hashable, Sendable {
    /// From 0 to 100.
    var percentage: Double
    /// The part of the ad that can be seen, from its own corner; nil for none.
    var visible: MRAIDRect?

    static let none = MRAIDExposure(percentage: 0, visible: nil)

    /// What of an ad of this size is in sight.
    init(percentage: Double, visible: MRAIDRect?) {
        self.percentage = min(max(percentage, 0), 100)
        self.visible = self.percentage > 0 ? visible : nil
    }
}

/// The expand properties of an ad, which covers the screen whatever size they have (MRAID 3.0, `setExpandProperties`).
struct MRAIDExpandProperties: Hashable, Sendable {
    var width: Double?
    var height: Double?
}

/// The orientation properties of an ad, which apply while it has the screen to itself (MRAID 3.0,
/// `setOrientationProperties`).
struct MRAIDOrientationProperties: Hashable, Sendable {
    enum Force: String, Hashable, Sendable, CaseIterable {
        case portrait, landscape, none
    }

    var allowsChange = true
    var force = Force.none

    var json: AdJSON {
        ["allowOrientationChange": .bool(self.allowsChange), "forceOrientation": .string(self.force.rawValue)]
    }
}

/// The resize properties of an ad: its size, and the offset from its default position (MRAID 3.0, `setResizeProperties`).
struct MRAIDResizeProperties: Hashable, Sendable {
    var width: Double
    var height: Double
    var offsetX: Double
    var offsetY: Double
    var allowsOffscreen = true

    var json: AdJSON {
        [
            "width": .double(self.width), "height": .double(self.height), "offsetX": .double(self.offsetX),
            "offsetY": .double(self.offsetY), "customClosePosition": "top-right",
            "allowOffscreen": .bool(self.allowsOffscreen),
        ]
    }
}

/// Which of an ad's documents is meant.
enum MRAIDPart: Hashable, Sendable {
    /// The creative itself.
    case main
    /// The page that it has expanded to, where that is another.
    case second
}
