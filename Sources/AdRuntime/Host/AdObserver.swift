public import AdCore

/// Sees everything that happens to every ad of a runtime, in order: for logs, traces and tests.
public protocol AdObserver: Sendable {
    /// Takes one record; it returns quickly and may be called from any thread.
    func observe(_ record: AdRecord)
    /// Takes word of something that came too late, twice or out of order, and therefore changed nothing.
    func observe(_ notice: IgnoredInput)
    /// Takes one record of a live session.
    func observe(_ record: SessionRecord)
}

extension AdObserver {
    /// Does nothing.
    public func observe(_ notice: IgnoredInput) {}
    /// Does nothing.
    public func observe(_ record: SessionRecord) {}
}

/// Something that was reported to an ad and changed nothing.
public struct IgnoredInput: Sendable {
    /// When, on the runtime's clock.
    public let at: Moment
    /// To which ad.
    public let ad: AdID
    /// Whose ad it is.
    public let provider: ProviderName
    /// What was reported.
    public let input: String
    /// Why it changed nothing.
    public let reason: String

    /// A notice.
    public init(at moment: Moment, ad: AdID, provider: ProviderName, input: String, reason: String) {
        self.at = moment
        self.ad = ad
        self.provider = provider
        self.input = input
        self.reason = reason
    }
}

/// One thing that happened to one ad.
public struct AdRecord: Sendable {
    /// When, on the runtime's clock.
    public let at: Moment
    /// To which ad.
    public let ad: AdID
    /// Whose ad it is.
    public let provider: ProviderName
    /// What happened.
    public let event: AdEvent
    /// What else is known of it: sizes, attempts, rules.
    public let detail: [AdJSON.Member]

    /// A record.
    public init(
        at moment: Moment,
        ad: AdID,
        provider: ProviderName,
        event: AdEvent,
        detail: [AdJSON.Member] = []
    ) {
        self.at = moment
        self.ad = ad
        self.provider = provider
        self.event = event
        self.detail = detail
    }
}
