/// An input of an ad that changed nothing.
public struct IgnoredInput: Sendable {
    /// The time on the runtime's clock.
    public let at: Moment
    /// The ad's id.
    public let ad: AdID
    /// The ad's provider.
    public let provider: ProviderName
    /// The input's name.
    public let input: String
    /// Why the input was ignored.
    public let reason: String

    /// Creates an ignored input.
    public init(at moment: Moment, ad: AdID, provider: ProviderName, input: String, reason: String) {
        self.at = moment
        self.ad = ad
        self.provider = provider
        self.input = input
        self.reason = reason
    }
}

/// An event of an ad, with its time and details.
public struct AdRecord: Sendable {
    /// The time on the runtime's clock.
    public let at: Moment
    /// The ad's id.
    public let ad: AdID
    /// The ad's provider.
    public let provider: ProviderName
    /// The event.
    public let event: AdEvent
    /// Further details of the event: kind, sizes, rules.
    public let detail: [AdJSON.Member]
    /// What the system needs to attribute an install to the ad, of the events of an ad that has it.
    package var attribution: InstallAttribution?

    /// Creates a record.
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
