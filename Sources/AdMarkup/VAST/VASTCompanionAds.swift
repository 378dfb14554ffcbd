public import AdCore

/// A resource of an icon, a companion or a nonlinear ad (VAST 4.3 §3.15).
public enum VASTResource: Hashable, Sendable {
    /// A static file, usually an image, with its type (`<StaticResource>`).
    case file(URLTemplate, type: String?)
    /// The URL of a page (`<IFrameResource>`).
    case page(URLTemplate)
    /// HTML (`<HTMLResource>`).
    case html(String)
}

/// The click-through URL and click trackers of an icon, a companion or a nonlinear ad.
public struct VASTClicks: Hashable, Sendable {
    /// The click-through URL.
    public internal(set) var through: URLTemplate?
    /// The trackers of a click.
    public internal(set) var tracking: [URLTemplate] = []
}

/// The nonlinear ads of a creative and their trackers (VAST 4.3 §3.12).
public struct VASTNonLinears: Hashable, Sendable {
    /// The nonlinear ads.
    public internal(set) var items: [VASTNonLinear] = []
    /// The trackers of their events.
    public internal(set) var tracking: [VASTTracking] = []
}

/// A nonlinear ad, which overlays the content (VAST 4.3 §3.12.1).
public struct VASTNonLinear: Hashable, Sendable {
    /// The id of the creative.
    public internal(set) var id: String?
    /// The width in pixels of the creative.
    public internal(set) var width: Int?
    /// The height in pixels of the creative.
    public internal(set) var height: Int?
    /// The maximum width when it is expanded.
    public internal(set) var expandedWidth: Int?
    /// The maximum height when it is expanded.
    public internal(set) var expandedHeight: Int?
    /// Whether it may be scaled.
    public internal(set) var isScalable: Bool?
    /// Whether its aspect ratio is kept when it is scaled.
    public internal(set) var keepsAspectRatio: Bool?
    /// The least time that it should be shown (`minSuggestedDuration`).
    public internal(set) var minimum: Duration?
    /// The API that executes it, if it is executable.
    public internal(set) var apiFramework: String?
    /// The resources; one of them is shown.
    public internal(set) var resources: [VASTResource] = []
    /// The `<AdParameters>`.
    public internal(set) var parameters: String?
    /// The click-through URL and click trackers.
    public internal(set) var clicks = VASTClicks()
}

/// The companion ads of a creative (VAST 4.3 §3.13).
public struct VASTCompanions: Hashable, Sendable {
    /// How many companions must be shown with the ad.
    public enum Required: String, Hashable, Sendable {
        /// All of them.
        case all
        /// At least one.
        case any
        /// None.
        case none
    }

    /// How many must be shown; nil means none.
    public internal(set) var required: Required?
    /// The companions, in the order of the document.
    public internal(set) var items: [VASTCompanion] = []
}

/// A companion, which is shown next to the content or after it (VAST 4.3 §3.13.1).
public struct VASTCompanion: Hashable, Sendable {
    /// The id of the creative.
    public internal(set) var id: String?
    /// The width of the place.
    public internal(set) var width: Int?
    /// The height of the place.
    public internal(set) var height: Int?
    /// The width of the creative asset.
    public internal(set) var assetWidth: Int?
    /// The height of the creative asset.
    public internal(set) var assetHeight: Int?
    /// The maximum width when it is expanded.
    public internal(set) var expandedWidth: Int?
    /// The maximum height when it is expanded.
    public internal(set) var expandedHeight: Int?
    /// The id of the page's ad slot.
    public internal(set) var adSlotID: String?
    /// The pixel ratio that the creative is made for.
    public internal(set) var pixelRatio: Double?
    /// `default`, `end-card` or `concurrent`.
    public internal(set) var renderingMode: String?
    /// The API that executes it, if it is executable.
    public internal(set) var apiFramework: String?
    /// The resources; one of them is shown.
    public internal(set) var resources: [VASTResource] = []
    /// The `<AdParameters>`.
    public internal(set) var parameters: String?
    /// The alternative text.
    public internal(set) var altText: String?
    /// The click-through URL and click trackers.
    public internal(set) var clicks = VASTClicks()
    /// The trackers of its events.
    public internal(set) var tracking: [VASTTracking] = []
}

/// An industry icon, such as AdChoices (VAST 4.3 §3.11).
public struct VASTIcon: Hashable, Sendable {
    /// The horizontal or vertical position of an icon.
    public enum Place: Hashable, Sendable {
        /// `left` or `top`.
        case start
        /// `right` or `bottom`.
        case end
        /// A distance from the left or the top.
        case points(Int)
    }

    /// The program that it belongs to, as in `AdChoices`.
    public internal(set) var program: String?
    /// The width in pixels of the creative.
    public internal(set) var width: Int?
    /// The height in pixels of the creative.
    public internal(set) var height: Int?
    /// The horizontal position.
    public internal(set) var x: Place?
    /// The vertical position.
    public internal(set) var y: Place?
    /// When it appears.
    public internal(set) var offset: Duration?
    /// How long it is shown.
    public internal(set) var duration: Duration?
    /// The API that executes it, if it is executable.
    public internal(set) var apiFramework: String?
    /// The pixel ratio that the icon is made for.
    public internal(set) var pixelRatio: Double?
    /// The alternative text.
    public internal(set) var altText: String?
    /// The text that is shown when a pointer hovers over it.
    public internal(set) var hoverText: String?
    /// The resources; one of them is shown.
    public internal(set) var resources: [VASTResource] = []
    /// The click-through URL and click trackers.
    public internal(set) var clicks = VASTClicks()
    /// The trackers of its display.
    public internal(set) var views: [URLTemplate] = []
    /// Images that players show when they can't open the click-through URL (VAST 4.3 §3.11.6).
    public internal(set) var fallbackImages: [URLTemplate] = []
}
