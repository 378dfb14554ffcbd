import AdCore

extension AdEvent {
    /// The details of an event for records and traces: kind, sizes, rules.
    func detail(offer: Offer?, size: CreativeLayout?) -> [AdJSON.Member] {
        switch self {
        case .loaded: offer.map(Self.detail) ?? []
        case .shown: size.map(Self.detail) ?? []
        default: []
        }
    }

    private static func detail(_ offer: Offer) -> [AdJSON.Member] {
        [
            AdJSON.Member("kind", .string(offer.rules.kind.name)),
            AdJSON.Member("size", .string(offer.size.description)),
            AdJSON.Member("closeTimeout", offer.rules.closeDelay.map { .int($0.wholeMilliseconds) } ?? .null),
            AdJSON.Member("lifetime", .int(offer.rules.effectiveLifetime.wholeMilliseconds)),
        ] + Self.detail(offer.rules.video)
    }

    /// The rules that decide when a video can be closed.
    private static func detail(_ video: VideoRules?) -> [AdJSON.Member] {
        [
            AdJSON.Member("spots", video.map { .int(Int64($0.planned)) } ?? .null),
            AdJSON.Member("standIns", video.map { .int(Int64($0.fallbackCount)) } ?? .null),
            AdJSON.Member("duration", video?.duration.map { .int($0.wholeMilliseconds) } ?? .null),
            AdJSON.Member("skipOffset", video?.first.skipOffset.map(Self.offset) ?? .null),
            AdJSON.Member("endCard", video.map { .bool($0.first.hasEndCard) } ?? .null),
        ]
    }

    /// Milliseconds, or a percentage as in `25%`.
    private static func offset(_ offset: MediaOffset) -> AdJSON {
        switch offset {
        case .time(let time): .int(time.wholeMilliseconds)
        case .percent: .string(offset.description)
        }
    }

    private static func detail(_ size: CreativeLayout) -> [AdJSON.Member] {
        [
            AdJSON.Member("requested", .string(size.requested.description)),
            AdJSON.Member("resolved", .string(size.resolved.description)),
            AdJSON.Member("rendered", .string(size.rendered.description)),
        ]
    }
}
