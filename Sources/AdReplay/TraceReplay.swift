package import AdCore
import AdTrace

/// Replays a trace line by line: each ad and each live session gets its recorded inputs at their recorded times.
///
/// The actions must be the recorded ones.
package struct TraceReplay: Sendable {
    /// An event of the replay.
    package struct ReplayedEvent: Sendable {
        package let at: Moment
        package let provider: ProviderName
        package let kind: Kind
    }

    /// What happened.
    package enum Kind: Sendable {
        /// An event of an ad, with its recorded details.
        case event(AdID, AdEvent, [AdJSON.Member])
        /// An activity of a creative or a request, which no machine handles; nil before there was an ad.
        case activity(AdID?, EventRow)
        /// An input that an ad ignored, with the reason.
        case ignored(AdID, String, reason: String)
        /// An event of a live session.
        case session(SessionTraceEvent)
    }

    /// How much was replayed.
    package struct Counts: Hashable, Sendable {
        package var ads = 0
        package var sessions = 0
        package var inputs = 0
        package var events = 0
    }

    private struct AdState {
        let provider: ProviderName
        var lifecycle: AdLifecycle
        /// Emitted events that the trace has not reported yet.
        var pendingEvents: [AdEvent] = []
        var lastInput = 0
    }

    /// The greatest number of ads, and of sessions.
    static let limit = 100_000

    let machines: [ProviderName: any TraceableMachine.Type]
    private var adStates: [AdID: AdState] = [:]
    var sessions: [Int: any SessionReplay] = [:]
    private var hiding = SecretRedaction()
    private var head: TraceHead?
    private var line = 0
    /// How much was replayed so far.
    package internal(set) var counts = Counts()

    /// Creates a replay with the machines of live sessions.
    package init(machines: [ProviderName: any TraceableMachine.Type] = [:]) { self.machines = machines }

    /// The program that recorded the trace; nil before its first line.
    package var recorder: String? { self.head?.version }

    /// How many ads have not ended so far.
    package var unended: Int {
        self.adStates.values.count { ![.closed, .failed, .expired].contains($0.lifecycle.phase) }
    }

    /// Replays the next line.
    ///
    /// - Returns: The events of this line, in order.
    /// - Throws: A line that can't be decoded, or a difference. The replay can't continue after that.
    package mutating func replay(_ text: String) throws(ReplayError) -> [ReplayedEvent] {
        self.line += 1
        if text.utf8.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return [] }
        let json: AdJSON
        do throws(AdJSON.ParseError) {
            json = try AdJSON(parsing: text)
        } catch {
            throw self.unreadable("it is not JSON: \(error.message)")
        }
        guard self.head != nil else {
            self.head = try self.head(json)
            return []
        }
        if let number = json["session"] { return try self.replay(session: number, json) }
        if let activity = json["activity"]?.string { return [try self.activity(activity, json)] }
        guard let name = json["ad"]?.string else { throw self.unreadable("it has neither \"ad\" nor \"session\"") }
        let ad = AdID(name)
        if let timing = json["begins"] {
            try self.startAd(ad, json["provider"], timing)
            return []
        }
        let now = try self.time(json)
        if json["in"] != nil { return try self.replayInput(of: ad, json, at: now).map { [$0] } ?? [] }
        if let event = json["event"]?.string { return [try self.replayEvent(event, of: ad, json, at: now)] }
        throw self.unreadable("it has neither \"in\" nor \"event\"")
    }

    /// Reads an activity, which is only printed again.
    private func activity(_ name: String, _ json: AdJSON) throws(ReplayError) -> ReplayedEvent {
        guard case .object(let members)? = json["data"], let provider = json["provider"]?.string else {
            throw self.unreadable("\"provider\" or \"data\" is missing")
        }
        let row = EventRow(name, "", members)
        let ad = json["ad"]?.string.map { AdID($0) }
        return ReplayedEvent(at: try self.time(json), provider: ProviderName(provider), kind: .activity(ad, row))
    }

    /// Checks at the end of the trace that every emitted event was recorded.
    package func finish() throws(ReplayError) {
        guard self.head != nil else { throw .unreadable(line: 1, "the file is empty; record a trace with --trace") }
        for (ad, state) in self.adStates.sorted(by: { $0.value.lastInput < $1.value.lastInput }) {
            if let event = state.pendingEvents.first { throw self.missing(event, ad, state) }
        }
    }

    private func head(_ json: AdJSON) throws(ReplayError) -> TraceHead {
        guard let format = json["trace"]?.whole(Int.self), let version = json["by"]?.string,
            let hidesSecrets = json["hidesSecrets"]?.bool
        else { throw self.unreadable("this is not a trace; name a file recorded with --trace") }
        guard format == TraceHead.format else { throw .otherFormat(format, by: version) }
        return TraceHead(version: version, hidesSecrets: hidesSecrets)
    }

    private mutating func startAd(_ ad: AdID, _ provider: AdJSON?, _ timing: AdJSON) throws(ReplayError) {
        guard let provider = provider?.string, let timing = AdTiming(traced: timing) else {
            throw self.unreadable("the ad's provider or timing is missing")
        }
        guard self.adStates[ad] == nil else { throw self.unreadable("ad \(ad) begins a second time") }
        guard self.adStates.count < TraceReplay.limit else {
            throw self.unreadable("the trace has more than \(TraceReplay.limit) ads")
        }
        self.adStates[ad] = AdState(provider: ProviderName(provider), lifecycle: AdLifecycle(timing: timing))
        self.counts.ads += 1
    }

    private func state(_ ad: AdID) throws(ReplayError) -> AdState {
        guard let state = self.adStates[ad] else {
            throw self.unreadable("ad \(ad) has no line with \"begins\" before this one")
        }
        return state
    }

    private mutating func replayInput(of ad: AdID, _ json: AdJSON, at now: Moment) throws(ReplayError) -> ReplayedEvent?
    {
        var state = try self.state(ad)
        guard let input = json["in"].flatMap(AdInput.init(traced:)) else {
            throw self.unreadable("\"in\" is not an input of an ad")
        }
        if let event = state.pendingEvents.first { throw self.missing(event, ad, state) }
        let (result, actions) = state.lifecycle.handle(input, at: now)
        let replayed = self.redacted(TraceLine.input(input, of: ad, at: now, result, actions))
        try self.compare(["verdict", "out"], of: .ad(ad), json, replayed, after: input.traced)
        for action in actions {
            if case .emit(let event) = action { state.pendingEvents.append(event) }
        }
        state.lastInput = self.line
        self.adStates[ad] = state
        self.counts.inputs += 1
        guard case .ignored(let reason) = result, let name = input.reportedName else { return nil }
        return ReplayedEvent(at: now, provider: state.provider, kind: .ignored(ad, name, reason: reason))
    }

    private mutating func replayEvent(
        _ name: String,
        of ad: AdID,
        _ json: AdJSON,
        at now: Moment
    ) throws(ReplayError) -> ReplayedEvent {
        guard let provider = json["provider"]?.string.map({ ProviderName($0) }) else {
            throw self.unreadable("\"provider\" is missing")
        }
        var detail: [AdJSON.Member] = []
        if case .object(let members)? = json["detail"] { detail = members }
        // An ad of an earlier process, whose beacons were left, has no lifecycle here.
        let due = self.adStates[ad]?.pendingEvents.first
        let replayed = due.map { self.redacted(TraceLine.event($0, of: ad, provider, at: now, detail)) }
        let event: AdEvent
        if let due, replayed?.agrees(with: json) == true {
            self.adStates[ad]?.pendingEvents.removeFirst()
            event = due
        } else if let decoded = AdEvent(traced: name, of: ad, json) {
            event = decoded
        } else {
            throw .differs(
                TraceDifference(
                    line: self.line,
                    of: .ad(ad),
                    at: now.traced.string,
                    after: nil,
                    json.text(),
                    replayed?.text()
                )
            )
        }
        self.counts.events += 1
        return ReplayedEvent(at: now, provider: provider, kind: .event(ad, event, detail))
    }

    func time(_ json: AdJSON) throws(ReplayError) -> Moment {
        guard let now = json["at"].flatMap(Moment.init(traced:)) else {
            throw self.unreadable("\"at\" is missing or not a time")
        }
        guard now >= .origin else { throw self.unreadable("\"at\" is negative") }
        return now
    }

    func compare(
        _ parts: [String],
        of subject: TraceSubject,
        _ json: AdJSON,
        _ replayed: AdJSON,
        after input: AdJSON
    ) throws(ReplayError) {
        for part in parts {
            guard let new = replayed[part], json[part].map(new.agrees) != true else { continue }
            let (then, now) = TraceDifference.parts(json[part], new)
            throw .differs(
                TraceDifference(line: self.line, of: subject, at: json["at"]?.string, after: input.text(), then, now)
            )
        }
    }

    /// The line as the recorder writes it.
    func redacted(_ json: AdJSON) -> AdJSON { self.head?.hidesSecrets == true ? self.hiding.hide(json) : json }

    private func missing(_ event: AdEvent, _ ad: AdID, _ state: AdState) -> ReplayError {
        .differs(
            TraceDifference(line: state.lastInput, of: .ad(ad), at: nil, after: nil, nil, event.name)
        )
    }

    func unreadable(_ why: String) -> ReplayError { .unreadable(line: self.line, why) }
}
