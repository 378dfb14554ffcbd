import AdCore

/// Everything that the getters of `mraid` return to a document.
///
/// A document is sent the difference between two snapshots, so that no event is repeated or lost.
struct MRAIDSnapshot: Hashable, Sendable {
    var placement: MRAIDPlacement
    var state: MRAIDState
    var exposure: MRAIDExposure
    /// From 0 to 100; nil if unknown.
    var volume: Double?
    /// What `getLocation` returns (MRAID 3.0 chapter 6); nil if there is no position that the ad may have.
    var location: AdContext.Location?
    /// MRAID 3.0 §6.5, `getCurrentPosition`.
    var currentPosition: MRAIDRect
    /// MRAID 3.0 chapter 6, `getDefaultPosition`.
    var defaultPosition: MRAIDRect
    var screen: Size
    var expand: MRAIDExpandProperties
    var orientation: MRAIDOrientationProperties
    var resize: MRAIDResizeProperties?

    var isViewable: Bool { self.exposure.percentage > 0 }

    /// The state as the injected script stores it.
    var json: AdJSON { .object(self.members) }

    private var members: [AdJSON.Member] {
        let screen: AdJSON = ["width": .double(self.screen.width), "height": .double(self.screen.height)]
        let expand: AdJSON = [
            "width": .double(self.expand.width ?? self.screen.width),
            "height": .double(self.expand.height ?? self.screen.height),
        ]
        return [
            .init("placement", .string(self.placement.rawValue)),
            .init("state", .string(self.state.rawValue)),
            .init("percentage", .double(self.exposure.percentage)),
            .init("visible", self.exposure.arguments[1]),
            .init("occlusions", self.exposure.arguments[2]),
            .init("volume", self.volume.map { AdJSON.double($0) } ?? .null),
            .init("location", self.location.map(MRAIDSnapshot.json) ?? .null),
            .init("current", self.currentPosition.json),
            .init("standard", self.defaultPosition.json),
            .init("screen", screen),
            // An expanded ad may cover the whole screen (MRAID 3.0 chapter 6, `getMaxSize`).
            .init("max", screen),
            .init("held", .string(MRAIDOrientation(of: self.screen).rawValue)),
            .init("expand", expand),
            .init("orientation", self.orientation.json),
            .init("resize", self.resize?.json ?? .null),
        ]
    }

    /// A position as `getLocation` returns it; of type 1, because the device has determined it.
    private static func json(_ location: AdContext.Location) -> AdJSON {
        [
            "lat": .double(location.latitude), "lon": .double(location.longitude), "type": 1,
            "accuracy": .double(location.precision),
        ]
    }

    /// The update from an older snapshot; nil if nothing changed.
    func update(since old: MRAIDSnapshot) -> MRAIDUpdate? {
        guard self != old else { return nil }
        let changes = zip(self.members, old.members).filter { $0 != $1 }.map(\.0)
        let starts = old.state == .loading
        var events: [[AdJSON]] = []
        if self.currentPosition.size != old.currentPosition.size {
            events.append(["sizeChange", .double(self.currentPosition.width), .double(self.currentPosition.height)])
        }
        if self.state != old.state { events.append(["stateChange", .string(self.state.rawValue)]) }
        if starts { events.append(["ready"]) }
        if starts || self.exposure != old.exposure {
            // MRAID 3.0 §4.1; chapter 7, `exposureChange`.
            events.append(["exposureChange"] + self.exposure.arguments)
        }
        if self.isViewable != old.isViewable { events.append(["viewableChange", .bool(self.isViewable)]) }
        if starts || self.volume != old.volume {
            events.append(["audioVolumeChange", self.volume.map { AdJSON.double($0) } ?? .null])
        }
        return MRAIDUpdate(changes: changes, events: events)
    }
}

/// The outcome of a command.
struct MRAIDReply: Hashable, Sendable {
    enum Outcome: Hashable, Sendable {
        case done
        /// The command had no effect.
        case ignored
        /// The document gets an `error` event with this message.
        case refused(String)
    }

    let number: Int
    let name: String
    let outcome: Outcome
}

/// One message to a document: state changes, their events, and the reply to a command.
struct MRAIDUpdate: Hashable, Sendable {
    var changes: [AdJSON.Member] = []
    var events: [[AdJSON]] = []
    var reply: MRAIDReply?

    var text: String {
        let reply: AdJSON
        switch self.reply?.outcome {
        case nil: reply = .null
        case .done, .ignored: reply = ["n": .int(self.reply?.number ?? 0), "error": .null, "action": .null]
        case .refused(let message):
            reply = [
                "n": .int(self.reply?.number ?? 0), "error": .string(message), "action": .text(self.reply?.name),
            ]
        }
        let update: AdJSON = [
            "set": .array(self.changes.map { .array([.string($0.name), $0.value]) }),
            "events": .array(self.events.map(AdJSON.array)),
            "reply": reply,
        ]
        return update.text()
    }
}
