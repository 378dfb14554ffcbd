public import AdCore
import AdRuntime
import SystemSupport

/// An observer that keeps every record.
public final class RecordingObserver: AdObserver {
    private let state = Locked<[AdRecord]>([])
    private let live = Locked<[SessionRecord]>([])

    /// Creates an observer.
    public init() {}

    /// Every record so far, in order.
    public var records: [AdRecord] { self.state.withLock { $0 } }

    /// The names of all events so far, in order.
    public var names: [String] { self.records.map(\.event.name) }

    /// Every record of live sessions so far, in order.
    public var sessions: [SessionRecord] { self.live.withLock { $0 } }

    /// The codes of all issues of live sessions so far, in order.
    public var sessionIssues: [String] {
        self.sessions.compactMap { if case .issue(let issue) = $0.event { issue.code } else { nil } }
    }

    /// Keeps a record.
    public func observe(_ record: AdRecord) { self.state.withLock { $0.append(record) } }
    /// Keeps a record of a live session.
    public func observe(_ record: SessionRecord) { self.live.withLock { $0.append(record) } }
}

/// An opener that keeps the links that it was called with.
public final class RecordingOpener: URLOpener {
    private let state = Locked<[(link: ClickThroughURL, mode: LinkOpenMode)]>([])
    private let ways: Set<LinkOpenMode>

    /// Creates an opener that returns true for every link, or false for every link.
    public convenience init(succeeds: Bool = true) { self.init(ways: succeeds ? [.systemBrowser, .inApp] : []) }

    /// Creates an opener that returns true for these modes only.
    public init(ways: Set<LinkOpenMode>) { self.ways = ways }

    /// The links, in order; a link that is tried in two modes is there twice.
    public var opened: [ClickThroughURL] { self.state.withLock { $0.map(\.link) } }

    /// The modes, in order.
    public var modes: [LinkOpenMode] { self.state.withLock { $0.map(\.mode) } }

    /// Keeps a link and its mode.
    public func open(_ url: ClickThroughURL, _ mode: LinkOpenMode) async -> Bool {
        self.state.withLock { $0.append((url, mode)) }
        return self.ways.contains(mode)
    }
}

/// A provider whose placement is the offer itself, for tests that need no provider of their own.
public struct OfferProvider: AdProvider {
    /// The provider's name.
    public let name: ProviderName = "test"
    private let endpoint: HTTPURL

    /// Creates a provider with the URL of its requests.
    public init(endpoint: HTTPURL) { self.endpoint = endpoint }

    /// Returns a GET request of the URL.
    public func request(for placement: Offer, in context: AdContext) throws(AdError) -> AdHTTPRequest {
        AdHTTPRequest(.get, self.endpoint)
    }

    /// Returns the offer for status 200, and no fill for 204.
    public func offers(
        from response: AdHTTPResponse,
        for placement: Offer,
        in context: AdContext
    ) throws(AdError) -> OfferBatch {
        switch response.status {
        case 200: return OfferBatch(offers: [placement])
        case 204: return .noFill
        default: throw AdError(.serverStatus, "the server responded with status \(response.status)")
        }
    }
}
