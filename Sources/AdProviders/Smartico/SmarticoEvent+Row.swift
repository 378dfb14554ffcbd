package import AdCore

extension SmarticoEvent {
    /// The event as data.
    package var row: EventRow {
        switch self {
        case .initialized(let settings):
            EventRow(
                "initialized",
                "the server accepted the app",
                [
                    "gamification": .bool(settings.hasGamification),
                    "products": .array(settings.products.map { .int($0) }),
                ]
            )
        case .identified(let profile):
            EventRow(
                "identified",
                "the server accepted the user",
                [
                    "name": .text(profile.username), "avatar": .text(profile.avatarID),
                    "properties": profile.properties,
                ]
            )
        case .refused(let step, let result):
            EventRow(
                "refused",
                "the server refused the app (initialize), the user (identify) or a push token",
                [
                    "step": .string(step.rawValue), "code": .int(result.code), "message": .text(result.message),
                ]
            )
        case .disconnected(let end, let pause):
            EventRow(
                "disconnected",
                "the connection is closed; when the next attempt is made, or null",
                [
                    "message": .string(end.message), "retryIn": pause.map { .int($0.wholeMilliseconds) } ?? .null,
                ]
            )
        case .pushTokenAccepted: EventRow("pushTaken", "the server accepted a push token")
        case .deepLink(let link): EventRow("deepLink", "a page sends the app a deep link", ["dp": .string(link)])
        case .publicProperties(let json):
            EventRow("publicProperties", "the user's public properties, as a page sent them", ["properties": json])
        case .gameOpening(let game):
            EventRow(
                "gameOpening",
                "the user opens a game of the app's",
                [
                    "game": .text(game.smarticoID), "providerGame": .text(game.providerID),
                    "context": .text(game.context), "meta": game.meta,
                ]
            )
        case .gamificationUnavailable(let reason):
            EventRow("gamificationUnavailable", "the widget can't be opened", ["message": .string(reason)])
        }
    }

    /// One of each event, for the table of events.
    package static var samples: [SmarticoEvent] {
        var fields = LenientFields(.object([]))
        return [
            .initialized(SmarticoSettings(&fields)), .identified(SmarticoProfile(&fields)),
            .refused(.initialize, SmarticoResult(&fields)), .disconnected(SocketEnd(.byUs, ""), retryIn: nil),
            .pushTokenAccepted, .deepLink(""), .publicProperties(.null), .gameOpening(SmarticoGame(.null)),
            .gamificationUnavailable(""),
        ]
    }
}
