import AdCore

/// Decides what an MRAID ad may do, as a host of version 3.0.
///
/// loading → default; inline: default ⇄ expanded, default ⇄ resized, resized → expanded; default → hidden.
///
/// - Each command gets one reply: done, ignored where there is nothing to do, or refused, which the page hears as an error.
///   After `unload` nothing is heard or told any more.
/// - `close` of an ad that is in its own place asks the app for the end, as does each further one: the app may have refused
///   the first. Nothing disappears by itself, because that is the app's decision.
/// - What is expanded or resized is made small by a button of ours, which is not the app's button to end the ad: that one
///   comes back with the ad's own place.
/// - An ad may grow (`expand`, `resize`) only where a user has just done something with it, by `MRAIDGrowth`. Our button
///   takes that back: an ad that the user has made small stays small until the user touches it again.
struct MRAIDHost: Hashable, Sendable {
    /// So many commands of a page are obeyed; whoever needs more plays with us.
    static let most = 10_000
    /// So many addresses may wait to be judged.
    static let mostOpens = 16

    /// One of the ad's documents.
    private struct Book: Hashable, Sendable {
        /// What it was told last.
        var told: MRAIDPage
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
    /// How the screen was held when the ad said that it must stay so.
    private var locked: MRAIDOrientation?
    private var books: [MRAIDPart: Book] = [:]
    private var isUnloaded = false

    init(_ placement: MRAIDPlacement, in room: MRAIDRoom, growth: MRAIDGrowth = .afterGesture) {
        self.growth = growth
        self.placement = placement
        self.room = room
        self.books[.main] = Book(told: self.page(.main))
    }

    // MARK: What is so

    /// What a page is given to begin with.
    func first(_ part: MRAIDPart) -> MRAIDPage { self.books[part]?.told ?? self.page(part) }

    /// Whether the ad is larger than its own place.
    var isLarge: Bool { self.state == .expanded || self.state == .resized }

    /// Whether the ad has another page over it.
    var hasSecond: Bool { self.books[.second] != nil }

    /// How the ad wants the screen to be held; nil for as the user holds it.
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

    /// What is so for a page.
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
        let isLoaded = self.books[part]?.isLoaded ?? false
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

    // MARK: What happens

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
            var news = self.update(part, speaks: own != nil)
            if let own {
                news = news ?? MRAIDNews()
                news?.reply = own
            }
            if let news { actions.append(.tell(part, news)) }
        }
        if self.held != held { actions.append(.turn(self.held)) }
        if self.layout != layout { actions.append(.place(self.layout)) }
        return actions + effects
    }

    /// What a page has not heard yet.
    ///
    /// One that loads hears all events when it is loaded, and what it has set itself with the reply to that.
    private mutating func update(_ part: MRAIDPart, speaks: Bool) -> MRAIDNews? {
        guard let book = self.books[part], book.isLoaded || speaks else { return nil }
        let page = self.page(part)
        self.books[part]?.told = page
        var news = page.news(since: book.told)
        if !book.isLoaded { news?.events = [] }
        return news
    }

    /// Notes how the screen is held from the moment when it must not be turned any more.
    private mutating func lock(_ orientation: MRAIDOrientation) {
        guard self.hasScreen, !self.orientation.allowsChange else { return self.locked = nil }
        self.locked = self.locked ?? orientation
    }

    private typealias Decision = (effects: [MRAIDAction], reply: (MRAIDPart, MRAIDReply)?)

    private mutating func decide(_ input: MRAIDInput) -> Decision {
        switch input {
        case .call(let call, let part, let now): return self.take(call, from: part, at: now)
        case .gesture(let now):
            self.gesture = now
            self.reported = []
        case .opened(let ticket, let refusal):
            guard let name = self.books[ticket.part]?.opens.removeValue(forKey: ticket) else { break }
            let outcome = refusal.map(MRAIDReply.Outcome.refused) ?? .done
            return ([], (ticket.part, MRAIDReply(number: ticket.number, name: name, outcome: outcome)))
        case .loaded(let part):
            guard self.books[part] != nil else { break }
            self.books[part]?.isLoaded = true
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
            let news = MRAIDNews(events: [["error", .string(reason), "expand"]])
            return ([.tell(.main, news)], nil)
        case .volume(let volume): self.volume = volume.map { min(max($0, 0), 100) }
        }
        return ([], nil)
    }

    private mutating func take(_ call: MRAIDCall, from part: MRAIDPart, at now: Duration) -> Decision {
        // A number that came already is nobody's command: each has one reply.
        guard let book = self.books[part], call.number > book.lastNumber else { return ([], nil) }
        self.books[part]?.lastNumber = call.number
        self.books[part]?.commands += 1
        var effects: [MRAIDAction] = []
        let outcome: MRAIDReply.Outcome?
        do throws(MRAIDFault) {
            guard book.commands < MRAIDHost.most else { throw MRAIDFault("there were too many commands") }
            outcome = try self.obey(call, from: part, at: now, &effects)
        } catch {
            outcome = .refused(error.message)
        }
        return (effects, outcome.map { (part, MRAIDReply(number: call.number, name: call.name, outcome: $0)) })
    }
}

// MARK: Commands

extension MRAIDHost {
    /// Obeys; nil where the reply follows later.
    private mutating func obey(
        _ call: MRAIDCall,
        from part: MRAIDPart,
        at now: Duration,
        _ effects: inout [MRAIDAction]
    ) throws(MRAIDFault) -> MRAIDReply.Outcome? {
        switch try call.command.get() {
        case .open(let url):
            let ticket = MRAIDTicket(part: part, number: call.number)
            guard let opens = self.books[part]?.opens, opens.count < MRAIDHost.mostOpens else {
                throw MRAIDFault("too many addresses are to be opened at once")
            }
            self.books[part]?.opens[ticket] = call.name
            effects.append(.open(url, ticket))
            return nil
        case .close: return try self.close(&effects)
        case .unload:
            // Our button hears nothing of an ad that is dead: it must not be needed.
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
            // What it is told begins with how it finds itself: over the screen.
            let page = self.page(.second)
            self.books[.second] = Book(told: page)
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

    /// Goes back to the ad's own place; false where it is there.
    private mutating func collapse() -> Bool {
        guard self.isLarge else { return false }
        self.state = .standard
        self.resized = nil
        self.books[.second] = nil
        return true
    }

    /// Looks whether what is resized has its place still.
    private mutating func refit() {
        guard self.state == .resized, let resize else { return }
        self.resized = try? self.geometry.place(resize, from: self.slot)
        if self.resized == nil { _ = self.collapse() }
    }

    private static let tooEarly = "the ad is not ready yet"
    private static let tooLate = "the ad has closed itself"
}
