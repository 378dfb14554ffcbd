/// The event that a beacon reports, as in `view` or `firstQuartile`.
public struct BeaconEvent: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The event's name.
    public let rawValue: String

    /// Creates an event from its name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// Creates an event from a literal.
    public init(stringLiteral value: String) { self.rawValue = value }

    /// The ad was viewed.
    public static let view: BeaconEvent = "view"
    /// The ad was clicked.
    public static let click: BeaconEvent = "click"
    /// The user earned the reward.
    public static let reward: BeaconEvent = "reward"
    /// The bid has won: its ad is on screen (`nurl`, OpenRTB 2.6 §4.2.3).
    package static let win: BeaconEvent = "win"
    /// The bid has lost (`lurl`, OpenRTB 2.6 §4.2.3).
    package static let loss: BeaconEvent = "loss"

    /// The name itself.
    public var description: String { self.rawValue }
}

/// The identity of a beacon: the ledger records each key once.
public struct BeaconKey: Hashable, Sendable, CustomStringConvertible {
    /// The ad it belongs to.
    public let ad: AdID
    /// The event that it reports.
    public let event: BeaconEvent
    /// The key as one text, unique in the ledger.
    public let text: String

    /// Creates the key of an event of an ad.
    ///
    /// - Parameters:
    ///   - ad: The ad.
    ///   - path: The creative of the ad, as in `spot-2/icon-0`; empty if there is only one.
    ///   - event: The event.
    ///   - ordinal: For a repeated event, how often it happened before.
    ///   - index: The index of the URL, if the event has several.
    public init(ad: AdID, path: String = "", event: BeaconEvent, ordinal: Int = 0, index: Int = 0) {
        self.ad = ad
        self.event = event
        // A path may have several components and an event only one; otherwise two keys could have the same text.
        let name = event.rawValue.utf8.contains(UInt8(ascii: "/")) ? event.rawValue.replacingSlashes : event.rawValue
        self.text = BeaconKey.legal("\(ad)/\(path.isEmpty ? "-" : path)/\(name)/\(ordinal)/\(index)")
    }

    /// The path in the keys of beacons that are sent while an offer is loaded, such as wrapper errors.
    package static let loadPath = "load"

    /// The parts of a text of the form `ad/path/event/ordinal/index`.
    package struct Parts: Hashable, Sendable {
        package let event: String
        /// The event with the creative that it belongs to, if there are several, as in `spot-2/icon-0/complete`.
        package let name: String
        /// The index of the URL, if the event has several.
        package let index: Int

        /// Nil for a key of a provider's own.
        package init?(_ key: String) {
            let parts = key.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count >= 5, Int(parts[parts.count - 2]) != nil, let index = Int(parts[parts.count - 1]),
                !parts[parts.count - 3].isEmpty
            else { return nil }
            self.event = String(parts[parts.count - 3])
            self.name = parts[(parts[1] == "-" ? 2 : 1)..<(parts.count - 2)].joined(separator: "/")
            self.index = index
        }
    }

    /// Whether the beacon belongs to loading an offer.
    package var isOfLoad: Bool { self.text.hasPrefix("\(self.ad)/\(BeaconKey.loadPath)/") }

    /// Creates a key of the provider's own; two ads with the same key report the same thing.
    public init(ad: AdID, event: BeaconEvent, providerKey: String) {
        self.ad = ad
        self.event = event
        self.text = BeaconKey.legal(providerKey)
    }

    /// The maximum length of a key in bytes.
    private static let maximumLength = 512

    /// The text, escaped and cut to be valid in a header; a valid text is not changed.
    ///
    /// Event names come from markup, which may contain anything at any length.
    private static func legal(_ text: String) -> String {
        if text.utf8.count <= self.maximumLength, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) { return text }
        let escaped = PercentEncoding.visible(text)
        guard escaped.utf8.count > self.maximumLength else { return escaped }
        // A checksum of the whole text distinguishes keys with the same beginning.
        let checksum = Checksum.of(text)
        return String(decoding: escaped.utf8.prefix(self.maximumLength - 17), as: UTF8.self) + "~"
            + AdID(bits: checksum).rawValue
    }

    /// Compares the texts.
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
