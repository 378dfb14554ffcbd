/// The address of a beacon, which may be invalid.
public enum BeaconAddress: Hashable, Sendable, CustomStringConvertible {
    /// A valid URL.
    case callable(TrackingURL)
    /// An address that can't be requested: the beacon is dead as soon as it is recorded, and listed with its reason.
    case uncallable(UncallableAddress)

    /// Parses an address; an invalid one becomes `uncallable` with the reason.
    public init(_ text: String) {
        do throws(HTTPURL.ParseError) {
            self = .callable(TrackingURL(try HTTPURL(parsing: text)))
        } catch {
            self = .uncallable(UncallableAddress(text, error.reason))
        }
    }

    /// The URL, if it is valid.
    public var url: TrackingURL? {
        switch self {
        case .callable(let url): url
        case .uncallable: nil
        }
    }

    /// Why the address is invalid; nil if it is valid.
    public var uncallableReason: String? {
        switch self {
        case .callable: nil
        case .uncallable(let address): BeaconAddress.reasonPrefix + address.reason
        }
    }

    /// The start of every reason; ledgers contain it.
    private static let reasonPrefix = "the address can't be called: "

    /// Restores a recorded uncallable address from its text and reason; nil if the reason is of another kind.
    package init?(text: String, uncallableReason reason: String) {
        guard reason.hasPrefix(BeaconAddress.reasonPrefix) else { return nil }
        let shortReason = String(reason.dropFirst(BeaconAddress.reasonPrefix.count))
        self = .uncallable(UncallableAddress(shortened: text, shortReason))
    }

    /// The address as it is recorded.
    public var text: String {
        switch self {
        case .callable(let url): url.http.text
        case .uncallable(let address): address.text
        }
    }

    /// The origin that the beacon goes to; empty for an invalid address.
    package var origin: String { self.url?.http.origin ?? "" }

    /// The address as it is recorded.
    public var description: String { self.text }
}

/// An address that can't be requested, and why.
public struct UncallableAddress: Hashable, Sendable {
    /// The address as it was received, shortened if it is long.
    public let text: String
    /// Why it is invalid, in a clause that begins with "it" or "its".
    public let reason: String

    /// The maximum length in Unicode scalars, enough to find it in the markup.
    private static let maximumLength = 500

    /// Creates an uncallable address.
    public init(_ text: String, _ reason: String) {
        let text = text.trimmed
        let isWhole =
            text.unicodeScalars.prefix(UncallableAddress.maximumLength + 1).count <= UncallableAddress.maximumLength
        self.init(shortened: text.excerpt(UncallableAddress.maximumLength) + (isWhole ? "" : "\u{2026}"), reason)
    }

    fileprivate init(shortened text: String, _ reason: String) {
        self.text = text
        self.reason = reason
    }
}
