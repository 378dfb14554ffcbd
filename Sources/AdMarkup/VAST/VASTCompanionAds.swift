public import AdCore

/// What an image, a companion or an overlay can be made of.
public enum VASTResource: Hashable, Sendable {
    /// A file of this type: an image, mostly.
    case file(URLTemplate, type: String?)
    /// The address of a page.
    case page(URLTemplate)
    /// A page itself.
    case html(String)
}

/// A click on an icon, a companion or an overlay: its click-through URL and trackers.
public struct VASTClicks: Hashable, Sendable {
    /// The click-through URL.
    public internal(set) var through: URLTemplate?
    /// Called when it is clicked.
    public internal(set) var tracking: [URLTemplate] = []
}

/// Overlays and their trackers.
public struct VASTNonLinears: Hashable, Sendable {
    /// The overlays.
    public internal(set) var items: [VASTNonLinear] = []
    /// Called as they are shown.
    public internal(set) var tracking: [VASTTracking] = []
}

/// Something that lies over the content.
public struct VASTNonLinear: Hashable, Sendable {
    /// Its name.
    public internal(set) var id: String?
    /// Its width in points.
    public internal(set) var width: Int?
    /// Its height in points.
    public internal(set) var height: Int?
    /// How wide it can become.
    public internal(set) var expandedWidth: Int?
    /// How high it can become.
    public internal(set) var expandedHeight: Int?
    /// Whether it may be scaled.
    public internal(set) var isScalable: Bool?
    /// Whether it keeps its proportions where it is scaled.
    public internal(set) var keepsAspectRatio: Bool?
    /// `minSuggestedDuration`: how long it should be shown at least.
    public internal(set) var minimum: Duration?
    /// What runs it, where it is a program.
    public internal(set) var apiFramework: String?
    /// What it is made of; any one of them will do.
    public internal(set) var resources: [VASTResource] = []
    /// What its program is given.
    public internal(set) var parameters: String?
    /// Clicks on it.
    public internal(set) var clicks = VASTClicks()
}

/// What stands beside the content.
public struct VASTCompanions: Hashable, Sendable {
    /// How many of them must be shown.
    public enum Required: String, Hashable, Sendable {
        /// Every one.
        case all
        /// One at least.
        case any
        /// None.
        case none
    }

    /// How many must be shown; nil if nothing is said, which means none.
    public internal(set) var required: Required?
    /// The companions.
    public internal(set) var items: [VASTCompanion] = []
}

/// Something that stands beside the content, or takes its place behind it.
public struct VASTCompanion: Hashable, Sendable {
    /// Its name.
    public internal(set) var id: String?
    /// Its width in points.
    public internal(set) var width: Int?
    /// Its height in points.
    public internal(set) var height: Int?
    /// The width of the file.
    public internal(set) var assetWidth: Int?
    /// The height of the file.
    public internal(set) var assetHeight: Int?
    /// How wide it can become.
    public internal(set) var expandedWidth: Int?
    /// How high it can become.
    public internal(set) var expandedHeight: Int?
    /// The place on the page that it is for.
    public internal(set) var adSlotID: String?
    /// How many pixels of it there are for each point.
    public internal(set) var pixelRatio: Double?
    /// `default`, `end-card` or `concurrent`.
    public internal(set) var renderingMode: String?
    /// What runs it, where it is a program.
    public internal(set) var apiFramework: String?
    /// What it is made of; any one of them will do.
    public internal(set) var resources: [VASTResource] = []
    /// What its program is given.
    public internal(set) var parameters: String?
    /// The alternative text.
    public internal(set) var altText: String?
    /// Clicks on it.
    public internal(set) var clicks = VASTClicks()
    /// Called as it is shown.
    public internal(set) var tracking: [VASTTracking] = []
}

/// An icon, such as AdChoices (VAST 4.3, "Icons").
public struct VASTIcon: Hashable, Sendable {
    /// A side on which it stands, or how far from the left or the top.
    public enum Place: Hashable, Sendable {
        /// At the left, or the top.
        case start
        /// At the right, or the bottom.
        case end
        /// So many points from the left, or the top.
        case points(Int)
    }

    /// What it is for, as in `AdChoices`.
    public internal(set) var program: String?
    /// Its width in points.
    public internal(set) var width: Int?
    /// Its height in points.
    public internal(set) var height: Int?
    /// Where it stands from left to right.
    public internal(set) var x: Place?
    /// Where it stands from top to bottom.
    public internal(set) var y: Place?
    /// When it appears.
    public internal(set) var offset: Duration?
    /// How long it stays.
    public internal(set) var duration: Duration?
    /// What runs it, where it is a program.
    public internal(set) var apiFramework: String?
    /// How many pixels of it there are for each point.
    public internal(set) var pixelRatio: Double?
    /// The alternative text.
    public internal(set) var altText: String?
    /// What is shown where a pointer rests on it.
    public internal(set) var hoverText: String?
    /// What it is made of; any one of them will do.
    public internal(set) var resources: [VASTResource] = []
    /// Clicks on it.
    public internal(set) var clicks = VASTClicks()
    /// Called when it is shown.
    public internal(set) var views: [URLTemplate] = []
    /// Shown by players that can't open the click-through URL.
    public internal(set) var fallbackImages: [URLTemplate] = []
}
