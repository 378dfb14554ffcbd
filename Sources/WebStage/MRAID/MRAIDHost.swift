import AdCore

/// Decides what an MRAID ad may do, as a host of version 3.0.
///
/// loading → default; inline: default ⇄ expanded, default ⇄ resized, resized → expanded; default → hidden.
///
/// - Each command gets one reply: done, ignored where there is nothing to do, or refused, which the page gets as an `error` event.
///   After `unload` no input is handled and nothing is sent.
/// - `close` of an ad that is in its own place requests the end from the app, as does each further one: the app may have refused
///   the first. Nothing disappears by itself, because that is the app's decision.
/// - What is expanded or resized is made small by a button of ours, which is not the app's button to end the ad: that one
///   comes back with the ad's own place.
/// - An ad may grow (`expand`, `resize`) only where a user has just done something with it, by `MRAIDGrowth`. Our button
///   takes that back: an ad that the user has made small stays small until the user touches it again.
struct MRAIDHost: Hashable, Sendable {
    /// The most commands of a page that are executed.
    static let commandLimit = 10_000
    /// The most `open` commands of a page that wait for their decision.
    static let openLimit = 16

    /// One of the ad's documents, as the host has it.
    private struct Document: Hashable, Sendable {
        /// What it was sent last.
        var sent: MRAIDPage
        var isLoaded = false
        var lastNumber = 0
        var commands = 0
        var opens: [MRAIDTicket: String] = [:]
    }

    let placement: MRAIDPlacement
    private let growth: MRAIDGrowth
    /// When the user did something with the ad, since our button was pressed.
    private var gesture: Duration?
    /// What was refused for want of a gesture, and reported, since the last one.
    private var reported: Set<String> = []
    private(set) var state = MRAIDState.loading
    private var room: MRAIDRoom
    /// Where the ad's place was found to be, as long as the screen stays.
    private var measured: MRAIDRect?
    /// Where it is while it is resized, from the corner of its own place: it moves with that.
    private var resized: MRAIDRect?
    private var exposure = MRAIDExposure.none
    private var volume: Double? = 100
    private var expand = MRAIDExpandProperties()
    private var orientation = MRAIDOrientationProperties()
    private var resize: MRAIDResizeProperties?
    /// The orientation of the screen when the ad forbade changes.
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

    /// The state that a page has from the start.
    func first(_ part: MRAIDPart) -> MRAIDPage { self.documents[part]?.sent ?? self.page(part) }

    /// Whether the ad is larger than its own place.
    var isLarge: Bool { self.state == .expanded || self.state == .resized }

    /// Whether the ad has another page over it.
    var hasSecond: Bool { self.documents[.second] != nil }

    /// The orientation in which the ad has the screen held; nil for the user's.
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

    /// Whether the screen is the ad's own.
    private var hasScreen: Bool {
        self.state == .expanded || self.placement == .interstitial && self.state != .loading
    }

    private var geometry: MRAIDGeometry { self.room[self.held ?? self.room.upright.orientation] }
    private var slot: MRAIDRect { self.measured ?? self.geometry.slot }

    /// The state as a page sees it.
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
        // Where it lies after the screen was turned has to be found out anew.
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

    /// What has changed for a page since the last update.
    ///
    /// One that is loading gets all events when it is loaded, and what it has set itself with the reply to that.
    private mutating func update(_ part: MRAIDPart, hasReply: Bool) -> MRAIDUpdate? {
        guard let document = self.documents[part], document.isLoaded || hasReply else { return nil }
        let page = self.page(part)
        self.documents[part]?.sent = page
        var update = page.update(since: document.sent)
        if !document.isLoaded { update?.events = [] }
        return update
    }

    /// Keeps the orientation of the screen from the moment when the ad forbids changes.
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
            // The command had its reply when the page was asked for.
            let update = MRAIDUpdate(events: [["error", .string(reason), "expand"]])
            return ([.send(.main, update)], nil)
        case .volume(let volume): self.volume = volume.map { min(max($0, 0), 100) }
        }
        return ([], nil)
    }

    private mutating func handle(_ call: MRAIDCall, from part: MRAIDPart, at now: Duration) -> Decision {
        // A number that was used already is ignored: each command has one reply.
        guard let document = self.documents[part], call.number > document.lastNumber else { return ([], nil) }
        self.documents[part]?.lastNumber = call.number
        self.documents[part]?.commands += 1
        var effects: [MRAIDAction] = []
        let outcome: MRAIDReply.Outcome?
        do throws(MRAIDFault) {
            guard document.commands < MRAIDHost.commandLimit else { throw MRAIDFault("there were too many commands") }
            outcome = try self.execute(call, from: part, at: now, &effects)
        } catch {
            outcome = .refused(error.message)
        }
        return (effects, outcome.map { (part, MRAIDReply(number: call.number, name: call.name, outcome: $0)) })
    }
}

// MARK: Commands

extension MRAIDHost {
    /// Executes a command; nil where the reply follows later.
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
                throw MRAIDFault("too many addresses are to be opened at once")
            }
            self.documents[part]?.opens[ticket] = call.name
            effects.append(.open(url, ticket))
            return nil
        case .close: return try self.close(&effects)
        case .unload:
            // An ad that has unloaded reacts to our button no more: it must not be needed.
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
            // Its first state is the one in which it appears: over the screen.
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
        case (_, .interstitial): throw MRAIDFault("an interstitial has the screen already")
        case (.expanded, _): throw MRAIDFault("an ad that is expanded can't be resized")
        case (.standard, .inline), (.resized, .inline): break
        }
        guard let resize else { throw MRAIDFault("setResizeProperties was not called") }
        try self.allowGrowth("resize", at: now, &effects)
        self.resized = try self.geometry.place(resize, from: self.slot)
        self.state = .resized
    }

    /// Refuses to let the ad grow where the user has not asked for it, and reports that once for each gesture.
    private mutating func allowGrowth(
        _ name: String,
        at now: Duration,
        _ effects: inout [MRAIDAction]
    ) throws(MRAIDFault) {
        guard !self.growth.allows(gesture: self.gesture, at: now) else { return }
        if self.reported.insert(name).inserted { effects.append(.report("mraid.\(name)() \(MRAIDGrowth.refusal)")) }
        throw MRAIDFault(MRAIDGrowth.refusal)
    }

    /// Returns the ad to its own place; false where it is there.
    private mutating func collapse() -> Bool {
        guard self.isLarge else { return false }
        self.state = .standard
        self.resized = nil
        self.documents[.second] = nil
        return true
    }

    /// Collapses an ad that is resized to a place which is no longer on the screen.
    private mutating func refit() {
        guard self.state == .resized, let resize else { return }
        self.resized = try? self.geometry.place(resize, from: self.slot)
        if self.resized == nil { _ = self.collapse() }
    }

    private static let tooEarly = "the ad is not ready yet"
    private static let tooLate = "the ad has closed itself"
}
