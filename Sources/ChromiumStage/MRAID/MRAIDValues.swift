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

    /// Whether all of another place lies in it; a hair's breadth is nobody's fault.
    func holds(_ other: MRAIDRect) -> Bool {
        let hair = 0.01
        return other.x >= self.x - hair && other.y >= self.y - hair && other.right <= self.right + hair
            && other.bottom <= self.bottom + hair
    }

    /// The same place where a point is so many times as large.
    func scaled(by factor: Double) -> MRAIDRect {
        MRAIDRect(x: self.x * factor, y: self.y * factor, width: self.width * factor, height: self.height * factor)
    }

    /// The same place as seen from where another's corner is seen from.
    func moved(by other: MRAIDRect) -> MRAIDRect {
        MRAIDRect(x: self.x + other.x, y: self.y + other.y, width: self.width, height: self.height)
    }

    var json: JSON {
        ["x": .double(self.x), "y": .double(self.y), "width": .double(self.width), "height": .double(self.height)]
    }

    var list: JSON { .array([.double(self.x), .double(self.y), .double(self.width), .double(self.height)]) }
}

extension MRAIDRect {
    /// Reads four finite numbers.
    init?(_ json: JSON?) {
        guard let numbers = json?.array?.compactMap(\.number), numbers.count == 4 else { return nil }
        self.init(x: numbers[0], y: numbers[1], width: max(0, numbers[2]), height: max(0, numbers[3]))
    }
}

/// Where an ad stands.
enum MRAIDPlacement: String, Hashable, Sendable, CaseIterable {
    /// Among the app's own content.
    case inline
    /// Over all of it.
    case interstitial
}

/// How far an ad is, in the words of MRAID.
enum MRAIDState: String, Hashable, Sendable, CaseIterable {
    /// Nobody can count on anything yet.
    case loading
    /// It is where it was put.
    case standard = "default"
    /// It covers the screen, until it is made small again.
    case expanded
    /// It has the size that it asked for, until it is made small again.
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

/// What an ad says of how it is expanded: it covers the screen whatever it says.
struct MRAIDExpandProperties: Hashable, Sendable {
    var width: Double?
    var height: Double?
}

/// What an ad says of how the screen is held while it has the screen to itself.
struct MRAIDOrientationProperties: Hashable, Sendable {
    enum Force: String, Hashable, Sendable, CaseIterable {
        case portrait, landscape, none
    }

    var allowsChange = true
    var force = Force.none

    var json: JSON {
        ["allowOrientationChange": .bool(self.allowsChange), "forceOrientation": .string(self.force.rawValue)]
    }
}

/// Where an ad wants to be when it is resized, from where it was put.
struct MRAIDResizeProperties: Hashable, Sendable {
    var width: Double
    var height: Double
    var offsetX: Double
    var offsetY: Double
    var allowsOffscreen = true

    var json: JSON {
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
