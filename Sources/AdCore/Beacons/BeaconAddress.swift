/// Where a beacon goes; or nowhere, because what stands in the place of its address can't be called.
public enum BeaconAddress: Hashable, Sendable, CustomStringConvertible {
    /// It is sent there.
    case callable(TrackingURL)
    /// Nobody can be called: the beacon is dead as soon as it is recorded, and listed with its reason.
    case uncallable(UncallableAddress)

    /// Reads an address; one that can't be called says why.
    public init(_ text: String) {
        do throws(HTTPURL.Fault) {
            self = .callable(TrackingURL(try HTTPURL(parsing: text)))
        } catch {
            self = .uncallable(UncallableAddress(text, error.reason))
        }
    }

    /// The address that can be called, if it is one.
    public var url: TrackingURL? {
        switch self {
        case .callable(let url): url
        case .uncallable: nil
        }
    }

    /// Why nobody can be called, if it is so.
    public var fault: String? {
        switch self {
        case .callable: nil
        case .uncallable(let address): BeaconAddress.words + address.reason
        }
    }

    /// What a fault begins with.
    private static let words = "the address can't be called: "

    /// What was written down as a text and a fault; nil where this is no fault of an address.
    package init?(text: String, fault: String) {
        guard fault.hasPrefix(BeaconAddress.words) else { return nil }
        self = .uncallable(UncallableAddress(kept: text, String(fault.dropFirst(BeaconAddress.words.count))))
    }

    /// The address as it is written down.
    public var text: String {
        switch self {
        case .callable(let url): url.http.text
        case .uncallable(let address): address.text
        }
    }

    /// Whom the beacon goes to; empty for nobody.
    package var origin: String { self.url?.http.origin ?? "" }

    /// The address as it is written down.
    public var description: String { self.text }
}

/// What stands in the place of an address, and why it can't be called.
public struct UncallableAddress: Hashable, Sendable {
    /// The text as it came; of a long one the beginning.
    public let text: String
    /// Why it can't be called, in a clause that begins with "it" or "its".
    public let reason: String

    /// The most characters that are kept: enough to find it in the markup.
    private static let longest = 500

    /// Keeps what there is to tell.
    public init(_ text: String, _ reason: String) {
        let text = text.trimmed
        let isWhole = text.unicodeScalars.prefix(UncallableAddress.longest + 1).count <= UncallableAddress.longest
        self.init(kept: text.excerpt(UncallableAddress.longest) + (isWhole ? "" : "\u{2026}"), reason)
    }

    /// Takes what was kept before.
    fileprivate init(kept text: String, _ reason: String) {
        self.text = text
        self.reason = reason
    }
}
