import AdCore

/// Everything that an ad's document can ask about itself, as it was told last.
///
/// What a page is told is the difference between two of these, so that nothing is told twice and nothing forgotten.
struct MRAIDPage: Hashable, Sendable {
    var placement: MRAIDPlacement
    var state: MRAIDState
    var exposure: MRAIDExposure
    /// From 0 to 100; nil where nobody knows.
    var volume: Double?
    /// Where it is.
    var current: MRAIDRect
    /// Where it was put.
    var standard: MRAIDRect
    var screen: Size
    var expand: MRAIDExpandProperties
    var orientation: MRAIDOrientationProperties
    var resize: MRAIDResizeProperties?

    var isViewable: Bool { self.exposure.percentage > 0 }

    /// All that our script is given to begin with.
    var json: JSON { .object(self.members) }

    private var members: [JSON.Member] {
        let screen: JSON = ["width": .double(self.screen.width), "height": .double(self.screen.height)]
        let expand: JSON = [
            "width": .double(self.expand.width ?? self.screen.width),
            "height": .double(self.expand.height ?? self.screen.height),
        ]
        return [
            .init("placement", .string(self.placement.rawValue)),
            .init("state", .string(self.state.rawValue)),
            .init("percentage", .double(self.exposure.percentage)),
            .init("visible", self.exposure.visible?.json ?? .null),
            .init("volume", self.volume.map { JSON.double($0) } ?? .null),
            .init("current", self.current.json),
            .init("standard", self.standard.json),
            .init("screen", screen),
            // The app leaves the whole screen to an ad that expands.
            .init("max", screen),
            .init("held", .string(MRAIDOrientation(of: self.screen).rawValue)),
            .init("expand", expand),
            .init("orientation", self.orientation.json),
            .init("resize", self.resize?.json ?? .null),
        ]
    }

    /// What has to be told to a page that knew `old`; nil for nothing.
    func news(since old: MRAIDPage) -> MRAIDNews? {
        guard self != old else { return nil }
        let changes = zip(self.members, old.members).filter { $0 != $1 }.map(\.0)
        let begins = old.state == .loading
        var events: [[JSON]] = []
        if self.current.size != old.current.size {
            events.append(["sizeChange", .double(self.current.width), .double(self.current.height)])
        }
        if self.state != old.state { events.append(["stateChange", .string(self.state.rawValue)]) }
        if begins { events.append(["ready"]) }
        if begins || self.exposure != old.exposure {
            // Whether something lies over it is not known here.
            events.append([
                "exposureChange", .double(self.exposure.percentage), self.exposure.visible?.json ?? .null, .null,
            ])
        }
        if self.isViewable != old.isViewable { events.append(["viewableChange", .bool(self.isViewable)]) }
        if begins || self.volume != old.volume {
            events.append(["audioVolumeChange", self.volume.map { JSON.double($0) } ?? .null])
        }
        return MRAIDNews(changes: changes, events: events)
    }
}

/// What became of a command.
struct MRAIDReply: Hashable, Sendable {
    enum Outcome: Hashable, Sendable {
        case done
        /// It was heard, and there was nothing to do.
        case ignored
        /// The page hears an error event.
        case refused(String)
    }

    let number: Int
    let name: String
    let outcome: Outcome
}

/// What a page is told at once: what is different now, what it hears of it, and the reply to a command.
struct MRAIDNews: Hashable, Sendable {
    var changes: [JSON.Member] = []
    var events: [[JSON]] = []
    var reply: MRAIDReply?

    var text: String {
        let reply: JSON
        switch self.reply?.outcome {
        case nil: reply = .null
        case .done, .ignored: reply = ["n": .int(self.reply?.number ?? 0), "error": .null, "action": .null]
        case .refused(let message):
            reply = [
                "n": .int(self.reply?.number ?? 0), "error": .string(message), "action": .text(self.reply?.name),
            ]
        }
        let news: JSON = [
            "set": .array(self.changes.map { .array([.string($0.name), $0.value]) }),
            "events": .array(self.events.map(JSON.array)),
            "reply": reply,
        ]
        return news.text()
    }
}
