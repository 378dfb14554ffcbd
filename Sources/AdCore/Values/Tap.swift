/// The place where a user pressed an ad.
public struct TapPoint: Hashable, Sendable {
    /// Points from the ad's left edge.
    public let x: Double
    /// Points from the ad's top edge.
    public let y: Double
    /// The element at this place, as in `a#buy`; nil if the stage does not know it.
    public let target: String?

    /// Creates a place.
    public init(x: Double, y: Double, target: String? = nil) {
        self.x = x
        self.y = y
        self.target = target
    }
}

/// A user's press on an ad, and its outcome.
public struct Tap: Hashable, Sendable {
    /// The outcome of a press.
    public enum Outcome: Hashable, Sendable {
        /// The click was recorded, and this click-through URL is opened.
        case click(ClickThroughURL)
        /// The click had been recorded before; this URL is opened.
        case link(ClickThroughURL)
        /// The creative handled it: no click-through. The text is what it did.
        case creative(String)
        /// Nothing happened. The text is the reason.
        case nothing(String)

        /// The outcome's name in `--json`.
        public var name: String {
            switch self {
            case .click: "click"
            case .link: "link"
            case .creative: "creative"
            case .nothing: "nothing"
            }
        }
    }

    /// The place of the press; nil if the stage has no coordinates.
    public let place: TapPoint?
    /// What the press led to.
    public let outcome: Outcome

    /// Creates a press with its outcome.
    public init(_ outcome: Outcome, at place: TapPoint? = nil) {
        self.outcome = outcome
        self.place = place
    }
}

/// A user's press without a click-through, as a stage reports it.
public enum TapWithoutLink: Hashable, Sendable {
    /// The creative handled it; the text is what it did, as in `mraid.expand`.
    case creative(String)
    /// Nothing happened; the text is the reason, as in `the link's URL "/shop" is relative`.
    case nothing(String)
}
