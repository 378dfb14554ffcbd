public import AdCore
public import AdRuntime
import SystemSupport

/// An observer that remembers every record.
public final class RecordingObserver: AdObserver {
    private let state = Locked<[AdRecord]>([])
    private let live = Locked<[SessionRecord]>([])

    /// An observer that has seen nothing.
    public init() {}

    /// Every record so far, in order.
    public var records: [AdRecord] { self.state.withLock { $0 } }

    /// The names of all events so far, in order.
    public var names: [String] { self.records.map(\.event.name) }

    /// Every record of live sessions so far, in order.
    public var sessions: [SessionRecord] { self.live.withLock { $0 } }

    /// The codes of what live sessions repaired or dropped, in order.
    public var sessionIssues: [String] {
        self.sessions.compactMap { if case .issue(let issue) = $0.event { issue.code } else { nil } }
    }

    /// Remembers a record.
    public func observe(_ record: AdRecord) { self.state.withLock { $0.append(record) } }
    /// Remembers a record of a live session.
    public func observe(_ record: SessionRecord) { self.live.withLock { $0.append(record) } }
}

/// An opener that remembers what it was to open.
public final class RecordingOpener: URLOpener {
    private let state = Locked<[(link: ClickThroughURL, mode: LinkOpenMode)]>([])
    private let ways: Set<LinkOpenMode>

    /// An opener that says it opened everything, or nothing.
    public convenience init(succeeds: Bool = true) { self.init(ways: succeeds ? [.systemBrowser, .inApp] : []) }

    /// An opener of a device that has these ways to open a link.
    public init(ways: Set<LinkOpenMode>) { self.ways = ways }

    /// What it was to open, in order; a link that is tried in two ways stands there twice.
    public var opened: [ClickThroughURL] { self.state.withLock { $0.map(\.link) } }

    /// In which ways it was to open links, in order.
    public var modes: [LinkOpenMode] { self.state.withLock { $0.map(\.mode) } }

    /// Remembers a link.
    public func open(_ url: ClickThroughURL, _ mode: LinkOpenMode) async -> Bool {
        self.state.withLock { $0.append((url, mode)) }
        return self.ways.contains(mode)
    }
}

/// A provider whose placement is the offer itself: for tests of everything behind a provider.
public struct OfferProvider: AdProvider {
    /// The provider's name.
    public let name: ProviderName = "test"
    private let endpoint: HTTPURL

    /// A provider that asks at this address.
    public init(endpoint: HTTPURL) { self.endpoint = endpoint }

    /// A GET of the address.
    public func request(for placement: Offer, in context: AdContext) throws(AdError) -> AdHTTPRequest {
        AdHTTPRequest(.get, self.endpoint)
    }

    /// The offer, if the server says 200, none for 204.
    public func offers(
        from response: AdHTTPResponse,
        for placement: Offer,
        in context: AdContext
    ) throws(AdError) -> OfferBatch {
        switch response.status {
        case 200: return OfferBatch(offers: [placement])
        case 204: return .noFill
        default: throw AdError(.serverStatus, "the server answered with status \(response.status)")
        }
    }
}
