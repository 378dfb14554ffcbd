import AdCore

/// A window with scripts that measure.
struct OMIDWindow: Hashable, Sendable {
    let target: EngineTarget
    let frame: String
}

/// Measures one ad for its scripts (Open Measurement, OMID API 1.3): decides which script gets which event.
///
/// It decides nothing about the ad: what the runtime has tracked becomes an event here, so that the scripts hear of the
/// same impression, quartiles and clicks as the trackers.
struct OMIDSession: Hashable, Sendable {
    private struct Listener: Hashable, Sendable {
        let number: Int
        /// The type of event; nil for the session's own events.
        let type: String?
    }

    /// The scripts of a window.
    private struct Client: Hashable, Sendable {
        let window: OMIDWindow
        /// The number of the spot's verification; nil for scripts of an HTML creative.
        let verification: Int?
        /// The vendor by the markup or, in an HTML creative, by its own word.
        var vendor: String?
        var listeners: [Listener] = []
        var calls = 0
    }

    /// An event for later listeners.
    private struct Kept: Hashable, Sendable {
        let event: OMIDEvent
        let moment: Duration
    }

    private enum Phase: Hashable, Sendable { case running, finished }

    /// The maximum number of windows, and of calls of one window.
    static let maxWindows = 50
    /// The maximum number of windows of one vendor, and of vendors.
    static let maxVendorWindows = 8
    static let maxVendors = 20
    static let maxCalls = 1_000
    /// The maximum number of events for later listeners.
    static let maxKept = 100
    /// The least time between two `geometryChange`.
    static let geometryInterval = Duration.milliseconds(100)
    /// How long scripts may send their last requests after `sessionFinish`, in real time.
    static let farewell = Duration.milliseconds(300)

    let id: String
    let subject: OMIDSubject
    private let verifications: [VideoVerification]
    private let start: Duration
    private var clients: [Client] = []
    private var kept: [Kept] = []
    private var sent: Set<String> = []
    private var phase = Phase.running
    /// When the impression was recorded, if it waits for the first geometry.
    private var pendingImpression: Duration?
    /// The latest geometry, and the one of the last event.
    private var geometry: OMIDGeometry
    private var reported: [AdJSON.Member]?
    private var reportedAt: Duration?
    /// Whether an alarm for the next `geometryChange` is set.
    private var isWaiting = false

    init(
        _ id: String,
        _ subject: OMIDSubject,
        _ verifications: [VideoVerification] = [],
        _ geometry: OMIDGeometry,
        at now: Duration
    ) {
        self.id = id
        self.subject = subject
        self.verifications = verifications
        self.start = now
        self.geometry = geometry
    }

    /// Whether any script listens.
    var isMeasuring: Bool { self.clients.contains { !$0.listeners.isEmpty } }

    // MARK: Scripts

    /// Handles a message of a window's script; `verification` is the number of the vendor whose frame it is.
    mutating func handle(
        _ message: OMIDMessage,
        from window: OMIDWindow,
        verification: Int?,
        at now: Duration
    ) -> [StageOutput] {
        guard let index = self.client(window, verification) else { return [] }
        self.clients[index].calls += 1
        guard self.clients[index].calls <= OMIDSession.maxCalls else {
            let isFirst = self.clients[index].calls == OMIDSession.maxCalls + 1
            let text = "the measuring script of \(self.name(of: index)) made more than \(OMIDSession.maxCalls) calls; "
            return isFirst ? [.report(.blocked(BlockedAttempt(.other, text + "further ones are ignored")))] : []
        }
        if case .session(let vendor?) = message.kind, self.clients[index].vendor == nil {
            self.clients[index].vendor = vendor
        }
        let call = message.call.map { self.observe(.fromCreative, $0.name, index, $0.arguments) } ?? []
        switch message.kind {
        case .session: return call + self.add(Listener(number: message.callback, type: nil), to: index, at: now)
        case .listen(let type):
            return call + self.add(Listener(number: message.callback, type: type), to: index, at: now)
        case .sendURL, .inject, .script: return call
        }
    }

    private mutating func client(_ window: OMIDWindow, _ verification: Int?) -> Int? {
        if let index = self.clients.firstIndex(where: { $0.window == window }) { return index }
        if let verification {
            let own = self.clients.count { $0.verification == verification }
            guard own < OMIDSession.maxVendorWindows else { return nil }
        } else {
            guard self.clients.count < OMIDSession.maxWindows else { return nil }
        }
        let vendor = verification.flatMap {
            self.verifications.indices.contains($0) ? self.verifications[$0].vendor : nil
        }
        self.clients.append(Client(window: window, verification: verification, vendor: vendor))
        return self.clients.endIndex - 1
    }

    /// Adds a listener, which gets at once what it has missed: a script may load late, even after the ad.
    private mutating func add(_ listener: Listener, to index: Int, at now: Duration) -> [StageOutput] {
        self.clients[index].listeners.append(listener)
        let missed = self.kept.filter { kept in
            listener.type.map { !kept.event.isOfSession && kept.event.matches($0) } ?? kept.event.isOfSession
        }
        let start = listener.type == nil ? [Kept(event: self.sessionStart(for: index), moment: self.start)] : []
        return (start + missed).flatMap {
            self.deliver($0.event, [listener.number], index, from: $0.moment, at: now)
        }
    }

    /// Removes the scripts of a window that was removed.
    mutating func remove(_ target: EngineTarget) { self.clients.removeAll { $0.window.target == target } }

    private func sessionStart(for index: Int) -> OMIDEvent {
        let number = self.clients[index].verification
        let own = number.flatMap { self.verifications.indices.contains($0) ? self.verifications[$0] : nil }
        var data: [AdJSON.Member] = [.init("context", self.subject.context)]
        if let parameters = own?.parameters { data.append(.init("verificationParameters", .string(parameters))) }
        return OMIDEvent("sessionStart", data + self.subject.types + [.init("supportsLoadedEvent", true)])
    }

    // MARK: Events

    /// Sends an event to all scripts that listen to it; it happened at `moment`, or now.
    mutating func send(_ event: OMIDEvent, from moment: Duration? = nil, at now: Duration) -> [StageOutput] {
        guard self.phase == .running else { return [] }
        if event.isOnce { guard self.sent.insert(event.type).inserted else { return [] } }
        self.keep(Kept(event: event, moment: moment ?? now))
        return self.clients.indices.flatMap { index in
            let numbers = self.clients[index].listeners.filter { listener in
                listener.type.map { !event.isOfSession && event.matches($0) } ?? event.isOfSession
            }.map(\.number)
            return numbers.isEmpty ? [] : self.deliver(event, numbers, index, from: moment ?? now, at: now)
        }
    }

    /// Keeps an event for later listeners; of the geometry only the latest.
    private mutating func keep(_ kept: Kept) {
        if kept.event.type == "geometryChange" { self.kept.removeAll { $0.event.type == "geometryChange" } }
        if self.kept.count < OMIDSession.maxKept { self.kept.append(kept) }
    }

    /// Sends the impression with the ad's geometry, as soon as that is known.
    mutating func sendImpression(at now: Duration) -> [StageOutput] {
        guard self.geometry.isMeasured else {
            self.pendingImpression = self.pendingImpression ?? now
            return []
        }
        let event = OMIDEvent("impression", self.subject.types + self.geometry.members)
        return self.send(event, from: self.pendingImpression, at: now)
    }

    /// Sends `geometryChange` if the geometry has changed, at most ten times a second.
    mutating func update(_ geometry: OMIDGeometry, at now: Duration) -> [StageOutput] {
        self.geometry = geometry
        let impression = self.pendingImpression == nil ? [] : self.sendImpression(at: now)
        if geometry.isMeasured { self.pendingImpression = nil }
        return impression + self.reportGeometry(at: now)
    }

    /// Handles the alarm of a delayed `geometryChange`.
    mutating func geometryIsDue(at now: Duration) -> [StageOutput] {
        self.isWaiting = false
        return self.reportGeometry(at: now)
    }

    private mutating func reportGeometry(at now: Duration) -> [StageOutput] {
        guard self.phase == .running, self.geometry.isMeasured, !self.isWaiting else { return [] }
        let members = self.geometry.members
        guard members != self.reported else { return [] }
        if let reportedAt, now < reportedAt + OMIDSession.geometryInterval {
            self.isWaiting = true
            return [.setAlarm(.geometry, after: reportedAt + OMIDSession.geometryInterval - now)]
        }
        (self.reported, self.reportedAt) = (members, now)
        return self.send(OMIDEvent("geometryChange", members), at: now)
    }

    /// Ends the session: the scripts send what they have measured.
    mutating func finish(at now: Duration) -> [StageOutput] {
        let outputs = self.send(OMIDEvent("sessionFinish"), at: now)
        self.phase = .finished
        return outputs
    }

    // MARK: Delivery

    /// The function of `omid.js` that handles events.
    private static let function = "function (event) { __yabbi_omid_event(event); }"

    private func deliver(
        _ event: OMIDEvent,
        _ callbacks: [Int],
        _ index: Int,
        from moment: Duration,
        at now: Duration
    ) -> [StageOutput] {
        let window = self.clients[index].window
        let body: AdJSON = [
            "adSessionId": .string(self.id), "type": .string(event.type), "data": .object(event.data),
        ]
        let message: AdJSON = [
            "to": .array(callbacks.map { .int($0) }), "event": .string(body.text()),
            "age": .int((now - moment).wholeMilliseconds),
        ]
        let world = EngineWorld.page(frame: window.frame)
        let argument = message.text()
        return [
            .send(.call(function: OMIDSession.function, argument: argument, world, in: window.target))
        ] + self.observe(.toCreative, event.type, index, [.init("data", .object(event.data))])
    }

    /// A message as tools list it.
    private func observe(
        _ direction: BridgeMessage.Direction,
        _ type: String,
        _ index: Int,
        _ arguments: [AdJSON.Member]
    ) -> [StageOutput] {
        let vendor = AdJSON.Member("vendor", .string(self.name(of: index)))
        return [.observe(.bridge(BridgeMessage(.omid, direction, type, .object([vendor] + arguments))))]
    }

    /// The name of a window's scripts in messages.
    private func name(of index: Int) -> String {
        let client = self.clients[index]
        return client.vendor ?? client.verification.map { "vendor \($0 + 1)" } ?? "a script of the creative"
    }
}
