import AdCore

/// The state machine of an MRAID 3.0 host.
///
/// States (MRAID 3.0 §4.2.1, "Ad states"): loading → default; inline ads: default ⇄ expanded, default ⇄ resized,
/// resized → expanded; default → hidden.
///
/// - Each command gets one reply: done, ignored (nothing to do), or refused, which the page gets as an `error` event.
///   After `unload` no input is handled and nothing is sent.
/// - `close` in the default state is reported to the app each time it is called: the app may not have closed the ad
///   before. The host hides nothing by itself, because the app decides.
/// - An expanded or resized ad has a collapse button of its own. The app's close button is shown again when the ad is
///   back in its default position.
/// - `expand` and `resize` need a recent user gesture (`MRAIDExpansionPolicy`). The collapse button revokes it: a
///   collapsed ad stays small until the user's next gesture in it.
struct MRAIDHost: Hashable, Sendable {
    /// The maximum number of commands that are executed for a document.
    static let commandLimit = 10_000
    /// The maximum number of pending `open` commands of a document.
    static let openLimit = 16

    /// The host's state of one document.
    private struct DocumentState: Hashable, Sendable {
        var sent: MRAIDSnapshot
        var isLoaded = false
        var lastNumber = 0
        var commands = 0
        var opens: [MRAIDCommandID: String] = [:]
    }

    let placement: MRAIDPlacement
    private let expansionPolicy: MRAIDExpansionPolicy
    /// The time of the user's last gesture in the ad; nil after the collapse button was pressed.
    private var lastGesture: Duration?
    /// The methods whose refusal was reported since the last gesture.
    private var reportedRefusals: Set<String> = []
    private(set) var state = MRAIDState.loading
    private var geometries: MRAIDGeometries
    /// The default position as the host page measured it; nil again when the screen changes.
    private var measuredPosition: MRAIDRect?
    /// The position of a resized ad, relative to its default position.
    private var resizedPosition: MRAIDRect?
    private var exposure = MRAIDExposure.none
    private var volume: Double? = 100
    /// The position that the ad may have.
    private var location: AdContext.Location?
    private var expand = MRAIDExpandProperties()
    private var orientation = MRAIDOrientationProperties()
    private var resize: MRAIDResizeProperties?
    /// The properties that a resized ad has; those that it has set since then need a `resize` of their own.
    private var appliedResize: MRAIDResizeProperties?
    /// The screen's orientation at the moment `allowOrientationChange` became false.
    private var lockedOrientation: MRAIDOrientation?
    private var documents: [MRAIDDocument: DocumentState] = [:]
    private var isUnloaded = false

    init(
        _ placement: MRAIDPlacement,
        in geometries: MRAIDGeometries,
        expansionPolicy: MRAIDExpansionPolicy = .afterGesture,
        location: AdContext.Location? = nil
    ) {
        self.location = location
        self.expansionPolicy = expansionPolicy
        self.placement = placement
        self.geometries = geometries
        self.documents[.main] = DocumentState(sent: self.snapshot(of: .main))
    }

    // MARK: State

    /// The state that a document starts with.
    func initialSnapshot(of document: MRAIDDocument) -> MRAIDSnapshot {
        self.documents[document]?.sent ?? self.snapshot(of: document)
    }

    var isLarge: Bool { self.state == .expanded || self.state == .resized }

    /// Whether the page of a two-part creative is open.
    var hasExpandedPage: Bool { self.documents[.expandedPage] != nil }

    /// The orientation that the ad forces on the screen; nil for the device's own (MRAID 3.0 §6.3,
    /// `orientationProperties`).
    var forcedOrientation: MRAIDOrientation? {
        switch self.orientation.force {
        case _ where !self.hasScreen: nil
        case .portrait: .portrait
        case .landscape: .landscape
        case .none: self.lockedOrientation
        }
    }

    var layout: MRAIDLayout {
        switch self.state {
        case .expanded: return .screen
        case .resized: return self.resizedPosition.map(MRAIDLayout.rect) ?? .defaultPosition
        case .loading, .default, .hidden: return .defaultPosition
        }
    }

    /// Whether the ad covers the whole screen, so its orientation properties apply.
    private var hasScreen: Bool {
        self.state == .expanded || self.placement == .interstitial && self.state != .loading
    }

    private var geometry: MRAIDGeometry {
        self.geometries[self.forcedOrientation ?? self.geometries.current.orientation]
    }
    private var defaultPosition: MRAIDRect { self.measuredPosition ?? self.geometry.defaultPosition }

    /// The state that a document gets.
    func snapshot(of document: MRAIDDocument) -> MRAIDSnapshot {
        let geometry = self.geometry
        let isExpandedPage = document == .expandedPage
        let isCovered = !isExpandedPage && self.hasExpandedPage
        let current: MRAIDRect =
            switch self.state {
            case .expanded where !isCovered: geometry.whole
            case .resized: self.resizedPosition?.offset(by: self.defaultPosition) ?? self.defaultPosition
            default: self.defaultPosition
            }
        let isLoaded = self.documents[document]?.isLoaded ?? false
        return MRAIDSnapshot(
            placement: self.placement,
            state: isLoaded ? self.state : .loading,
            exposure: isCovered ? .none : self.exposure,
            volume: self.volume,
            location: self.location,
            currentPosition: current,
            defaultPosition: self.defaultPosition,
            screen: geometry.screen,
            expand: self.expand,
            orientation: self.orientation,
            resize: self.resize
        )
    }

    // MARK: Inputs

    mutating func handle(_ input: MRAIDInput) -> [MRAIDAction] {
        guard !self.isUnloaded else { return [] }
        let (forcedOrientation, layout, orientation) = (self.forcedOrientation, self.layout, self.geometry.orientation)
        let (hadExpandedPage, wasResized) = (self.hasExpandedPage, self.state == .resized)
        var (effects, reply) = self.decide(input)
        self.lock(self.geometry.orientation)
        // After a rotation the host page measures the position again.
        if self.geometry.orientation != orientation { self.measuredPosition = nil }
        if hadExpandedPage, !self.hasExpandedPage { effects.append(.closeExpandedPage) }

        var actions: [MRAIDAction] = []
        for document in [MRAIDDocument.main, .expandedPage] {
            let own = reply.flatMap { $0.0 == document ? $0.1 : nil }
            var update = self.update(document, hasReply: own != nil)
            if let own {
                update = update ?? MRAIDUpdate()
                update?.reply = own
                // `resize` is a change of state also for an ad that is resized already (MRAID 3.0 §5.11).
                let isAgain = wasResized && self.state == .resized && own.name == "resize" && own.outcome == .done
                if isAgain { update?.events.append(["stateChange", .string(self.state.rawValue)]) }
            }
            if let update { actions.append(.send(document, update)) }
        }
        if self.forcedOrientation != forcedOrientation { actions.append(.setOrientation(self.forcedOrientation)) }
        if self.layout != layout { actions.append(.setLayout(self.layout)) }
        return actions + effects
    }

    /// The changes of a document's state since its last update.
    ///
    /// A document that is still loading gets no events, and only the properties that its own command has changed.
    private mutating func update(_ document: MRAIDDocument, hasReply: Bool) -> MRAIDUpdate? {
        guard let documentState = self.documents[document], documentState.isLoaded || hasReply else { return nil }
        let page = self.snapshot(of: document)
        self.documents[document]?.sent = page
        var update = page.update(since: documentState.sent)
        if !documentState.isLoaded { update?.events = [] }
        return update
    }

    /// Stores the orientation from the moment the ad forbids orientation changes.
    private mutating func lock(_ orientation: MRAIDOrientation) {
        guard self.hasScreen, !self.orientation.allowsChange else { return self.lockedOrientation = nil }
        self.lockedOrientation = self.lockedOrientation ?? orientation
    }

    private typealias Decision = (effects: [MRAIDAction], reply: (MRAIDDocument, MRAIDReply)?)

    private mutating func decide(_ input: MRAIDInput) -> Decision {
        switch input {
        case .call(let call, let document, let now): return self.handle(call, from: document, at: now)
        case .gesture(let now):
            self.lastGesture = now
            self.reportedRefusals = []
        case .openDecided(let commandID, let refusal):
            guard let name = self.documents[commandID.document]?.opens.removeValue(forKey: commandID) else { break }
            let outcome = refusal.map(MRAIDReply.Outcome.refused) ?? .done
            return ([], (commandID.document, MRAIDReply(number: commandID.number, name: name, outcome: outcome)))
        case .loaded(let document):
            guard self.documents[document] != nil else { break }
            self.documents[document]?.isLoaded = true
            if self.state == .loading { self.state = .default }
        case .exposureChanged(let exposure): self.exposure = exposure
        case .geometryChanged(let geometries):
            self.geometries = geometries
            self.measuredPosition = nil
            self.updateResizedPosition()
        case .positionMeasured(let rect): self.measuredPosition = rect
        case .collapse: _ = self.collapse()
        case .collapsedByUser:
            self.lastGesture = nil
            _ = self.collapse()
        case .expandedPageFailed(let reason):
            guard self.hasExpandedPage else { break }
            _ = self.collapse()
            // The command was already replied to when the page was requested.
            let update = MRAIDUpdate(events: [["error", .string(reason), "expand"]])
            return ([.send(.main, update)], nil)
        case .location(let location): self.location = location
        case .volume(let volume): self.volume = volume.flatMap { $0.isNaN ? nil : min(max($0, 0), 100) }
        }
        return ([], nil)
    }

    private mutating func handle(_ call: MRAIDCall, from document: MRAIDDocument, at now: Duration) -> Decision {
        // Repeated numbers are ignored, so that each command has one reply.
        guard let documentState = self.documents[document], call.number > documentState.lastNumber else {
            return ([], nil)
        }
        self.documents[document]?.lastNumber = call.number
        self.documents[document]?.commands += 1
        var effects: [MRAIDAction] = []
        let outcome: MRAIDReply.Outcome?
        do throws(MRAIDError) {
            // What ends the ad is never too much.
            guard documentState.commands < MRAIDHost.commandLimit || ["close", "unload"].contains(call.name) else {
                throw MRAIDError("too many commands")
            }
            outcome = try self.execute(call, from: document, at: now, &effects)
        } catch {
            outcome = .refused(error.message)
        }
        return (effects, outcome.map { (document, MRAIDReply(number: call.number, name: call.name, outcome: $0)) })
    }
}

// MARK: Commands

extension MRAIDHost {
    /// Executes a command; nil if the reply follows later.
    private mutating func execute(
        _ call: MRAIDCall,
        from document: MRAIDDocument,
        at now: Duration,
        _ effects: inout [MRAIDAction]
    ) throws(MRAIDError) -> MRAIDReply.Outcome? {
        switch try call.command.get() {
        case .open(let url):
            let commandID = MRAIDCommandID(document: document, number: call.number)
            guard let opens = self.documents[document]?.opens, opens.count < MRAIDHost.openLimit else {
                throw MRAIDError("too many open commands are pending")
            }
            self.documents[document]?.opens[commandID] = call.name
            effects.append(.open(url, commandID))
            return nil
        case .close: return try self.close(&effects)
        case .unload:
            // After `unload` the collapse button has no effect, so the ad is collapsed first.
            _ = self.collapse()
            self.isUnloaded = true
            effects.append(.requestClose)
        case .expand(let url): return try self.expand(to: url, at: now, &effects)
        case .resize: try self.resizeAd(at: now, &effects)
        case .setExpandProperties(let width, let height):
            self.expand.width = width ?? self.expand.width
            self.expand.height = height ?? self.expand.height
        case .setOrientationProperties(let allowsChange, let force):
            self.orientation.allowsChange = allowsChange ?? self.orientation.allowsChange
            self.orientation.force = force ?? self.orientation.force
        case .setResizeProperties(let properties):
            // What can't be shown is refused at once; an ad that is scrolled away is judged when it resizes.
            if self.geometry.whole.contains(self.defaultPosition) {
                _ = try self.geometry.place(properties, from: self.defaultPosition)
            }
            self.resize = properties
        case .useCustomClose: return .ignored
        case .unsupported(let reason): throw MRAIDError(reason)
        }
        return .done
    }

    /// Executes `close`: expanded and resized ads return to default, others become hidden (MRAID 3.0 §5.5, `close`).
    private mutating func close(_ effects: inout [MRAIDAction]) throws(MRAIDError) -> MRAIDReply.Outcome {
        switch self.state {
        case .loading: throw MRAIDError(MRAIDHost.notReady)
        case .expanded, .resized: _ = self.collapse()
        case .default, .hidden:
            self.state = .hidden
            effects.append(.requestClose)
        }
        return .done
    }

    /// Executes `expand`; ignored for interstitials and ads that are expanded already (MRAID 3.0 §5.8, `expand`).
    private mutating func expand(
        to url: String?,
        at now: Duration,
        _ effects: inout [MRAIDAction]
    ) throws(MRAIDError) -> MRAIDReply.Outcome {
        switch (self.state, self.placement) {
        case (.loading, _): throw MRAIDError(MRAIDHost.notReady)
        case (.hidden, _): throw MRAIDError(MRAIDHost.isHidden)
        case (.expanded, _), (_, .interstitial): return .ignored
        case (.default, .inline), (.resized, .inline): break
        }
        try self.requireGesture("expand", at: now, &effects)
        self.state = .expanded
        (self.resizedPosition, self.appliedResize) = (nil, nil)
        if let url {
            // The page starts in the expanded position.
            let page = self.snapshot(of: .expandedPage)
            self.documents[.expandedPage] = DocumentState(sent: page)
            effects.append(.openExpandedPage(url))
        }
        return .done
    }

    /// Executes `resize`; an error for interstitials, expanded ads, and without resize properties (MRAID 3.0 §5.11,
    /// `resize`).
    private mutating func resizeAd(at now: Duration, _ effects: inout [MRAIDAction]) throws(MRAIDError) {
        switch (self.state, self.placement) {
        case (.loading, _): throw MRAIDError(MRAIDHost.notReady)
        case (.hidden, _): throw MRAIDError(MRAIDHost.isHidden)
        case (_, .interstitial): throw MRAIDError("an interstitial can't be resized")
        case (.expanded, _): throw MRAIDError("an expanded ad can't be resized")
        case (.default, .inline), (.resized, .inline): break
        }
        guard let resize else { throw MRAIDError("setResizeProperties was not called") }
        try self.requireGesture("resize", at: now, &effects)
        self.resizedPosition = try self.geometry.place(resize, from: self.defaultPosition)
        self.appliedResize = resize
        self.state = .resized
    }

    /// Refuses `expand` and `resize` without a recent gesture, and reports each method once per gesture.
    private mutating func requireGesture(
        _ name: String,
        at now: Duration,
        _ effects: inout [MRAIDAction]
    ) throws(MRAIDError) {
        guard !self.expansionPolicy.allows(gesture: self.lastGesture, at: now) else { return }
        if self.reportedRefusals.insert(name).inserted {
            effects.append(.report("mraid.\(name)() \(MRAIDExpansionPolicy.refusal)"))
        }
        throw MRAIDError(MRAIDExpansionPolicy.refusal)
    }

    /// Returns the ad to its default position; false if it is there already.
    private mutating func collapse() -> Bool {
        guard self.isLarge else { return false }
        self.state = .default
        (self.resizedPosition, self.appliedResize) = (nil, nil)
        self.documents[.expandedPage] = nil
        return true
    }

    /// Recomputes the position of a resized ad; collapses the ad if its close button would be off-screen.
    private mutating func updateResizedPosition() {
        guard self.state == .resized, let appliedResize else { return }
        self.resizedPosition = try? self.geometry.place(appliedResize, from: self.defaultPosition)
        if self.resizedPosition == nil { _ = self.collapse() }
    }

    private static let notReady = "the ad is not ready yet"
    private static let isHidden = "the ad is hidden"
}
