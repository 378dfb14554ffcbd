import AdCore

extension AdEvent {
    /// What a trace says of an event besides its name.
    func detail(offer: Offer?, size: SizeDecision?) -> [JSON.Member] {
        switch self {
        case .loaded: offer.map(Self.detail) ?? []
        case .shown: size.map(Self.detail) ?? []
        case .loadStarted, .loadFailed, .showFailed, .view, .click, .linkOpened, .blocked, .closeAvailable,
            .skipAvailable, .skipped, .rewarded, .closed, .expired, .issue, .beaconRecorded, .beaconDelivered,
            .beaconUnconfirmed, .beaconDead:
            []
        }
    }

    private static func detail(_ offer: Offer) -> [JSON.Member] {
        [
            JSON.Member("kind", .string(offer.terms.kind.name)),
            JSON.Member("size", .string(offer.size.description)),
            JSON.Member("closeTimeout", offer.terms.closeTimeout.map { .int($0.wholeMilliseconds) } ?? .null),
            JSON.Member("lifetime", .int(offer.terms.effectiveLifetime.wholeMilliseconds)),
        ]
    }

    private static func detail(_ size: SizeDecision) -> [JSON.Member] {
        [
            JSON.Member("requested", .string(size.requested.description)),
            JSON.Member("resolved", .string(size.resolved.description)),
            JSON.Member("rendered", .string(size.rendered.description)),
        ]
    }
}
