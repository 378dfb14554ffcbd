import AdCore

extension AdEvent {
    /// What a trace says of an event besides its name.
    func detail(offer: Offer?, size: SizeDecision?) -> [JSON.Member] {
        switch self {
        case .loaded: offer.map(Self.detail) ?? []
        case .shown: size.map(Self.detail) ?? []
        case .loadStarted, .loadFailed, .showFailed, .view, .click, .linkOpened, .blocked, .tap, .diagnostic,
            .closeAvailable,
            .quartile, .skipAvailable, .skipped, .rewarded, .closed, .expired, .issue, .beaconRecorded,
            .beaconDelivered,
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
        ] + Self.detail(offer.terms.video)
    }

    /// What decides when a video can be left, for those who wonder why it could, or could not.
    private static func detail(_ video: VideoTerms?) -> [JSON.Member] {
        [
            JSON.Member("spots", video.map { .int(Int64($0.planned)) } ?? .null),
            JSON.Member("standIns", video.map { .int(Int64($0.standIns)) } ?? .null),
            JSON.Member("duration", video?.duration.map { .int($0.wholeMilliseconds) } ?? .null),
            JSON.Member("skipOffset", video?.first.skipOffset.map(Self.offset) ?? .null),
            JSON.Member("endCard", video.map { .bool($0.first.hasEndCard) } ?? .null),
        ]
    }

    /// Milliseconds like all other times, or a share as in `25%`.
    private static func offset(_ offset: MediaOffset) -> JSON {
        switch offset {
        case .time(let time): .int(time.wholeMilliseconds)
        case .percent: .string(offset.description)
        }
    }

    private static func detail(_ size: SizeDecision) -> [JSON.Member] {
        [
            JSON.Member("requested", .string(size.requested.description)),
            JSON.Member("resolved", .string(size.resolved.description)),
            JSON.Member("rendered", .string(size.rendered.description)),
        ]
    }
}
