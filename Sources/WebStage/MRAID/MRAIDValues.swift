import AdCore

/// A rectangle on the screen, in the creative's points.
struct MRAIDRect: Hashable, Sendable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    var right: Double { self.x + self.width }
    var bottom: Double { self.y + self.height }
    var size: Size { Size(width: self.width, height: self.height) }

    /// Whether it contains all of another rectangle, up to a rounding error.
    func contains(_ other: MRAIDRect) -> Bool {
        let tolerance = 0.01
        return other.x >= self.x - tolerance && other.y >= self.y - tolerance && other.right <= self.right + tolerance
            && other.bottom <= self.bottom + tolerance
    }

    /// The rectangle with all values multiplied.
    func scaled(by factor: Double) -> MRAIDRect {
        MRAIDRect(x: self.x * factor, y: self.y * factor, width: self.width * factor, height: self.height * factor)
    }

    /// The rectangle moved by another one's origin.
    func offset(by other: MRAIDRect) -> MRAIDRect {
        MRAIDRect(x: self.x + other.x, y: self.y + other.y, width: self.width, height: self.height)
    }

    var json: AdJSON {
        ["x": .double(self.x), "y": .double(self.y), "width": .double(self.width), "height": .double(self.height)]
    }

    var list: AdJSON { .array([.double(self.x), .double(self.y), .double(self.width), .double(self.height)]) }
}

extension MRAIDRect {
    /// Reads an array of four numbers.
    init?(_ json: AdJSON?) {
        guard let numbers = json?.array?.compactMap(\.number), numbers.count == 4 else { return nil }
        self.init(x: numbers[0], y: numbers[1], width: max(0, numbers[2]), height: max(0, numbers[3]))
    }
}

/// An ad's placement type (MRAID 3.0 §6.2, `getPlacementType`).
enum MRAIDPlacement: String, Hashable, Sendable, CaseIterable {
    /// Within the app's content.
    case inline
    /// Over the whole screen.
    case interstitial
}

/// The state of an ad's container (MRAID 3.0 §4.2.1, "Ad states").
enum MRAIDState: String, Hashable, Sendable, CaseIterable {
    /// The document is loading.
    case loading
    /// The ad is in its default position.
    case `default`
    /// The ad covers the screen until it is collapsed.
    case expanded
    /// The ad has its requested size until it is collapsed.
    case resized
    /// The ad has asked to be closed.
    case hidden
}

/// The orientation of a screen.
enum MRAIDOrientation: String, Hashable, Sendable, CaseIterable {
    case portrait, landscape

    init(of screen: Size) { self = screen.width > screen.height ? .landscape : .portrait }
}

/// The visible part of an ad (MRAID 3.0 §4.1; chapter 7, `exposureChange`).
struct MRAIDExposure: Hashable, Sendable {
    /// The visible share of the ad's area, from 0 to 100.
    var percentage: Double
    /// The rectangle on screen, relative to the ad, without regard to what covers it; nil for none.
    private(set) var visible: MRAIDRect?
    /// What covers it, relative to the ad.
    private(set) var occlusions: [MRAIDRect] = []

    static let none = MRAIDExposure(percentage: 0, visible: nil)

    /// An ad that something of the app covers where it would be seen.
    static func covered(_ place: MRAIDRect?) -> MRAIDExposure {
        MRAIDExposure(percentage: 0, visible: place, occlusions: place.map { [$0] } ?? [])
    }

    /// Limits the percentage to 0...100; an ad that is not on the screen has no rectangle.
    init(percentage: Double, visible: MRAIDRect?, occlusions: [MRAIDRect] = []) {
        self.percentage = min(max(percentage, 0), 100)
        let place = visible.flatMap { $0.area > 0 ? $0 : nil }
        self.visible = self.percentage > 0 || !occlusions.isEmpty ? place : nil
        self.occlusions = self.visible == nil ? [] : occlusions
    }

    /// The arguments of `exposureChange`: null if nothing covers it.
    var arguments: [AdJSON] {
        let occlusions: AdJSON = self.occlusions.isEmpty ? .null : .array(self.occlusions.map(\.json))
        return [.double(self.percentage), self.visible?.json ?? .null, occlusions]
    }
}

/// An ad's expand properties; an expanded ad covers the screen whatever their size (MRAID 3.0 chapter 6,
/// `expandProperties`).
struct MRAIDExpandProperties: Hashable, Sendable {
    var width: Double?
    var height: Double?
}

/// An ad's orientation properties, which apply while it covers the screen (MRAID 3.0 §6.3, `orientationProperties`).
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

/// An ad's resize properties: its size, and the offset from its default position (MRAID 3.0 chapter 6,
/// `resizeProperties`).
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

/// One of an ad's documents.
enum MRAIDDocument: Hashable, Sendable {
    /// The creative's own document.
    case main
    /// The page of `expand` with a URL (two-part creative).
    case expandedPage
}
