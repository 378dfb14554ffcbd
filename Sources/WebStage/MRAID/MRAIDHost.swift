import AdCore

/// The state machine of an MRAID 3.0 host.
///
/// States (MRAID 3.0, `getState`): loading → default; inline ads: default ⇄ expanded, default ⇄ resized,
/// resized → expanded; default → hidden.
///
/// - Each command gets one reply: done, ignored (nothing to do), or refused, which the page gets as an `error` event.
///   After `unload` no input is handled and nothing is sent.
/// - `close` in the default state asks the app to close the ad, each time it is called: the app may have refused
///   before. The host hides nothing by itself, because the app decides (MRAID 3.0, `close`).
/// - An expanded or resized ad has a collapse button of its own. The app's close button is shown again when the ad is
///   back in its default position.
/// - `expand` and `resize` need a recent user gesture (`MRAIDGrowth`). The collapse button revokes it: a collapsed ad
///   stays small until the user's next gesture in it.
struct MRAIDHost: Hashable, Sendable {
    /// The maximum number of commands that are executed for a document.
    static let commandLimit = 10_000
    /// The maximum number of pending `open` commands of a document.
    static let openLimit = 16

    /// The host's state of one document.
    private struct Document: Hashable, Sendable {
        var sent: MRAIDPage
        var isLoaded = false
        var lastNumber = 0
        var commands = 0
        var opens: [MRAIDTicket: String] = [:]
    }

    let placement: MRAIDPlacement
    private let growth: MRAIDGrowth
    /// The time of the user's last gesture in the ad; nil after the collapse button was pressed.
    private var gesture: Duration?
    /// The methods whose refusal was reported since the last gesture.
    private var reported: Set<String> = []
    private(set) var state = MRAIDState.loading
    private var room: MRAIDRoom
    /// The default position as the host page measured it; nil again when the screen changes.
    private var measured: MRAIDRect?
    /// The position of a resized ad, relative to its default position.
    private var resized: MRAIDRect?
    private var exposure = MRAIDExposure.none
    private var volume: Double? = 100
    private var expand = MRAIDExpandProperties()
    private var orientation = MRAIDOrientationProperties()
    private var resize: MRAIDResizeProperties?
    /// The screen's orientation at the moment `allowOrientationChange` became false.
    private var locked: MRAIDOrientation?
    private var documents: [MRAIDPart: Document] = [:]
    private var isUnloaded = false

    init(_ placement: MRAIDPlacement, in room: MRAIDRoom, growth: MRAIDGrowth = .afterGesture) {
        self.growth = growth
        self.placement = placement
        self.room = room
        self.documents[.main] = Document(sent: self.page(.main))
    }

    // MARK: State

    /// The state that a document starts with.
    func first(_ part: MRAIDPart) -> MRAIDPage { self.documents[part]?.sent ?? self.page(part) }

    var isLarge: Bool { self.state == .expanded || self.state == .resized }

    /// Whether the page of a two-part creative is open.
    var hasSecond: Bool { self.documents[.second] != nil }

    /// The orientation that the ad forces on the screen; nil for the device's own (MRAID 3.0,
    /// `setOrientationProperties`).
    var held: MRAIDOrientation? {
        switch self.orientation.force {
        case _ where !self.hasScreen: nil
        case .portrait: .portrait
        case .landscape: .landscape
        case .none: self.locked
        }
    }

    var layout: MRAIDLayout {
        switch self.state {
        case .expanded: return .screen
        case .resized: return self.resized.map(MRAIDLayout.rect) ?? .slot
        case .loading, .standard, .hidden: return .slot
        }
    }

    /// Whether the ad covers the whole screen, so that its orientation properties apply.
    private var hasScreen: Bool {
        self.state == .expanded || self.placement == .interstitial && self.state != .loading
    }

    private var geometry: MRAIDGeometry { self.room[self.held ?? self.room.upright.orientation] }
    private var slot: MRAIDRect { self.measured ?? self.geometry.slot }

    /// The state as a document sees it.
    func page(_ part: MRAIDPart) -> MRAIDPage {
        let geometry = self.geometry
        let isSecond = part == .second
        let isCovered = !isSecond && self.hasSecond
        let current: MRAIDRect =
            switch self.state {
            case .expanded where !isCovered: geometry.whole
            case .resized: self.resized?.moved(by: self.slot) ?? self.slot
            default: self.slot
            }
        let isLoaded = self.documents[part]?.isLoaded ?? false
        return MRAIDPage(
            placement: self.placement,
            state: isLoaded ? self.state : .loading,
            exposure: isCovered ? .none : self.exposure,
            volume: self.volume,
            current: current,
            standard: self.slot,
            screen: geometry.screen,
            expand: self.expand,
            orientation: self.orientation,
            resize: self.resize
        )
    }

    // MARK: Inputs

    mutating func handle(_ input: MRAIDInput) -> [MRAIDAction] {
        guard !self.isUnloaded else { return [] }
        let (held, layout, orientation) = (self.held, self.layout, self.geometry.orientation)
        let hadSecond = self.hasSecond
        var (effects, reply) = self.decide(input)
        self.lock(orientation)
        // After a rotation the host page measures the position again.
        if self.geometry.orientation != orientation { self.measured = nil }
        if hadSecond, !self.hasSecond { effects.append(.closeSecond) }

        var actions: [MRAIDAction] = []
        for part in [MRAIDPart.main, .second] {
            let own = reply.flatMap { $0.0 == part ? $0.1 : nil }
            var update = self.update(part, hasReply: own != nil)
            if let own {
                update = update ?? MRAIDUpdate()
                update?.reply = own
            }
            if let update { actions.append(.send(part, update)) }
        }
        if self.held != held { actions.append(.turn(self.held)) }
        if self.layout != layout { actions.append(.place(self.layout)) }
        return actions + effects
    }

    /// The changes of a document's state since its last update.
    ///
    /// A document that is still loading gets no events, and only the properties that its own command has changed.
    private mutating func update(_ part: MRAIDPart, hasReply: Bool) -> MRAIDUpdate? {
        guard let document = self.documents[part], document.isLoaded || hasReply else { return nil }
        let page = self.page(part)
        self.documents[part]?.sent = page
        var update = page.update(since: document.sent)
        if !document.isLoaded { update?.events = [] }
        return update
    }

    /// Remembers the orientation from the moment the ad forbids orientation changes.
    private mutating func lock(_ orientation: MRAIDOrientation) {
        guard self.hasScreen, !self.orientation.allowsChange else { return self.locked = nil }
        self.locked = self.locked ?? orientation
    }

    private typealias Decision = (effects: [MRAIDAction], reply: (MRAIDPart, MRAIDReply)?)

    private mutating func decide(_ input: MRAIDInput) -> Decision {
        switch input {
        case .call(let call, let part, let now): return self.handle(call, from: part, at: now)
        case .gesture(let now):
            self.gesture = now
            self.reported = []
        case .opened(let ticket, let refusal):
            guard let name = self.documents[ticket.part]?.opens.removeValue(forKey: ticket) else { break }
            let outcome = refusal.map(MRAIDReply.Outcome.refused) ?? .done
            return ([], (ticket.part, MRAIDReply(number: ticket.number, name: name, outcome: outcome)))
        case .loaded(let part):
            guard self.documents[part] != nil else { break }
            self.documents[part]?.isLoaded = true
            if self.state == .loading { self.state = .standard }
        case .exposed(let exposure): self.exposure = exposure
        case .room(let room):
            self.room = room
            self.measured = nil
            self.refit()
        case .placed(let rect): self.measured = rect
        case .collapse: _ = self.collapse()
        case .collapsedByUser:
            self.gesture = nil
            _ = self.collapse()
        case .secondFailed(let reason):
            guard self.hasSecond else { break }
            _ = self.collapse()
            // The command was already replied to when the page was requested.
            let update = MRAIDUpdate(events: [["error", .string(reason), "expand"]])
            return ([.send(.main, update)], nil)
        case .volume(let volume): self.volume = volume.map { min(max($0, 0), 100) }
        }
        return ([], nil)
    }

    private mutating func handle(_ call: MRAIDCall, from part: MRAIDPart, at now: Duration) -> Decision {
        // Repeated numbers are ignored, so that each command has one reply.
        guard let document = self.documents[part], call.number > document.lastNumber else { return ([], nil) }
        self.documents[part]?.lastNumber = call.number
        self.documents[part]?.commands += 1
        var effects: [MRAIDAction] = []
        let outcome: MRAIDReply.Outcome?
        do throws(MRAIDFault) {
            guard document.commands < MRAIDHost.commandLimit else { throw MRAIDFault("too many commands") }
            outcome = try self.execute(call, from: part, at: now, &effects)
        } catch {
            outcome = .refused(error.message)
        }
        return (effects, outcome.map { (part, MRAIDReply(number: call.number, name: call.name, outcome: $0)) })
    }
}

// MARK: Commands

extension MRAIDHost {
    /// Executes a command; nil if the reply follows later.
    private mutating func execute(
        _ call: MRAIDCall,
        from part: MRAIDPart,
        at now: Duration,
        _ effects: inout [MRAIDAction]
    ) throws(MRAIDFault) -> MRAIDReply.Outcome? {
        switch try call.command.get() {
        case .open(let url):
            let ticket = MRAIDTicket(part: part, number: call.number)
            guard let opens = self.documents[part]?.opens, opens.count < MRAIDHost.openLimit else {
                throw MRAIDFault("too many open commands are pending")
            }
            self.documents[part]?.opens[ticket] = call.name
            effects.append(.open(url, ticket))
            return nil
        case .close: return try self.close(&effects)
        case .unload:
            // After `unload` the collapse button has no effect, so that the ad is collapsed first.
            _ = self.collapse()
            self.isUnloaded = true
            effects.append(.requestClose)
        case .expand(let url): return try self.expand(to: url, at: now, &effects)
        case .resize: try self.resizeNow(at: now, &effects)
        case .setExpandProperties(let width, let height):
            self.expand.width = width ?? self.expand.width
            self.expand.height = height ?? self.expand.height
        case .setOrientationProperties(let allowsChange, let force):
            self.orientation.allowsChange = allowsChange ?? self.orientation.allowsChange
            self.orientation.force = force ?? self.orientation.force
        case .setResizeProperties(let properties): self.resize = properties
        case .useCustomClose: return .ignored
        case .unsupported(let reason): throw MRAIDFault(reason)
        }
        return .done
    }

    private mutating func close(_ effects: inout [MRAIDAction]) throws(MRAIDFault) -> MRAIDReply.Outcome {
        switch self.state {
        case .loading: throw MRAIDFault(MRAIDHost.tooEarly)
        case .expanded, .resized: _ = self.collapse()
        case .standard, .hidden:
            self.state = .hidden
            effects.append(.requestClose)
        }
        return .done
    }

    private mutating func expand(
        to url: String?,
        at now: Duration,
        _ effects: inout [MRAIDAction]
    ) throws(MRAIDFault) -> MRAIDReply.Outcome {
        switch (self.state, self.placement) {
        case (.loading, _): throw MRAIDFault(MRAIDHost.tooEarly)
        case (.hidden, _): throw MRAIDFault(MRAIDHost.tooLate)
        case (.expanded, _), (_, .interstitial): return .ignored
        case (.standard, .inline), (.resized, .inline): break
        }
        try self.allowGrowth("expand", at: now, &effects)
        self.state = .expanded
        self.resized = nil
        if let url {
            // The page starts in the expanded position.
            let page = self.page(.second)
            self.documents[.second] = Document(sent: page)
            effects.append(.openSecond(url))
        }
        return .done
    }

    private mutating func resizeNow(at now: Duration, _ effects: inout [MRAIDAction]) throws(MRAIDFault) {
        switch (self.state, self.placement) {
        case (.loading, _): throw MRAIDFault(MRAIDHost.tooEarly)
        case (.hidden, _): throw MRAIDFault(MRAIDHost.tooLate)
        case (_, .interstitial): throw MRAIDFault("an interstitial can't be resized")
        case (.expanded, _): throw MRAIDFault("an expanded ad can't be resized")
        case (.standard, .inline), (.resized, .inline): break
        }
        guard let resize else { throw MRAIDFault("setResizeProperties was not called") }
        try self.allowGrowth("resize", at: now, &effects)
        self.resized = try self.geometry.place(resize, from: self.slot)
        self.state = .resized
    }

    /// Refuses `expand` and `resize` without a recent gesture, and reports each method once per gesture.
    private mutating func allowGrowth(
        _ name: String,
        at now: Duration,
        _ effects: inout [MRAIDAction]
    ) throws(MRAIDFault) {
        guard !self.growth.allows(gesture: self.gesture, at: now) else { return }
        if self.reported.insert(name).inserted { effects.append(.report("mraid.\(name)() \(MRAIDGrowth.refusal)")) }
        throw MRAIDFault(MRAIDGrowth.refusal)
    }

    /// Returns the ad to its default position; false if it is there already.
    private mutating func collapse() -> Bool {
        guard self.isLarge else { return false }
        self.state = .standard
        self.resized = nil
        self.documents[.second] = nil
        return true
    }

    /// Recomputes the position of a resized ad; collapses the ad if its close button would be off-screen.
    private mutating func refit() {
        guard self.state == .resized, let resize else { return }
        self.resized = try? self.geometry.place(resize, from: self.slot)
        if self.resized == nil { _ = self.collapse() }
    }

    private static let tooEarly = "the ad is not ready yet"
    private static let tooLate = "the ad is hidden"
}
