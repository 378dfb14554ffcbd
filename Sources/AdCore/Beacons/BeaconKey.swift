/// What happened, as a beacon tells it, as in `view` or `firstQuartile`.
public struct BeaconEvent: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The event's name.
    public let rawValue: String

    /// Takes the name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// Takes the name from a literal.
    public init(stringLiteral value: String) { self.rawValue = value }

    /// The ad was viewed.
    public static let view: BeaconEvent = "view"
    /// The ad was clicked.
    public static let click: BeaconEvent = "click"

    /// The name itself.
    public var description: String { self.rawValue }
}

/// What makes a beacon the same beacon: the ledger takes each key once.
public struct BeaconKey: Hashable, Sendable, CustomStringConvertible {
    /// The ad session it belongs to.
    public let ad: AdID
    /// The event it tells of.
    public let event: BeaconEvent
    /// The key as one text, unique in the ledger.
    public let text: String

    /// The key of an ad's own event.
    /// - Parameters:
    ///   - ad: The ad session.
    ///   - path: Which creative of the ad, as in `ad-2/linear`; empty where there is only one.
    ///   - event: What happened.
    ///   - ordinal: For what can happen more than once, which time it was, counted from 0.
    ///   - index: Which of several addresses for the same event, counted from 0.
    public init(ad: AdID, path: String = "", event: BeaconEvent, ordinal: Int = 0, index: Int = 0) {
        self.ad = ad
        self.event = event
        // A path may have several parts, an event is one: otherwise two keys could be the same text.
        let name = event.rawValue.utf8.contains(UInt8(ascii: "/")) ? event.rawValue.replacingSlashes : event.rawValue
        self.text = BeaconKey.legal("\(ad)/\(path.isEmpty ? "-" : path)/\(name)/\(ordinal)/\(index)")
    }

    /// Stands for the creative in the keys of what is told on the way to an offer.
    package static let loadPath = "load"

    /// Whether it tells of something on the way to an offer.
    package var isOfLoad: Bool { self.text.hasPrefix("\(self.ad)/\(BeaconKey.loadPath)/") }

    /// The key that a provider gives by itself; two ads with the same key tell of one and the same thing.
    public init(ad: AdID, event: BeaconEvent, providerKey: String) {
        self.ad = ad
        self.event = event
        self.text = BeaconKey.legal(providerKey)
    }

    /// The most bytes of a key.
    private static let longest = 512

    /// A text that may stand in a header and is not too long; one that is so already stays as it is.
    ///
    /// Events are named by markup, which may hold anything at any length.
    private static func legal(_ text: String) -> String {
        if text.utf8.count <= self.longest, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) { return text }
        let escaped = PercentEncoding.visible(text)
        guard escaped.utf8.count > self.longest else { return escaped }
        // Keys that begin alike stay apart by a sum of the whole.
        let sum = Checksum.of(text)
        return String(decoding: escaped.utf8.prefix(self.longest - 17), as: UTF8.self) + "~" + AdID(bits: sum).rawValue
    }

    /// Two keys are the same when their texts are.
    public static func == (left: BeaconKey, right: BeaconKey) -> Bool { left.text == right.text }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(self.text) }

    /// The key's text.
    public var description: String { self.text }
}

extension String {
    fileprivate var replacingSlashes: String {
        self.split(separator: "/", omittingEmptySubsequences: false).joined(separator: "%2F")
    }
}
