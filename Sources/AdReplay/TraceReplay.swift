package import AdCore
import AdTrace

/// Runs a trace again, line by line: each ad and each live session gets what it got then, at the same times, and must
/// make the same of it.
package struct TraceReplay: Sendable {
    /// Something that is told, as it is told now.
    package struct Told: Sendable {
        package let at: Moment
        package let provider: ProviderName
        package let what: What
    }

    /// What is told.
    package enum What: Sendable {
        /// An ad told something, and what else was known of it.
        case event(AdID, AdEvent, [AdJSON.Member])
        /// Something that was reported to an ad changed nothing, and why.
        case ignored(AdID, String, reason: String)
        /// Something became of a live session.
        case session(SessionTraceEvent)
    }

    /// How much was run.
    package struct Counts: Hashable, Sendable {
        package var ads = 0
        package var sessions = 0
        package var inputs = 0
        package var events = 0
    }

    private struct Life {
        let provider: ProviderName
        var lifecycle: AdLifecycle
        /// What it has decided to tell, and has not told yet by the trace's word.
        var untold: [AdEvent] = []
        var lastInput = 0
    }

    /// The most ads of a trace, and the most sessions.
    static let most = 100_000

    let machines: [ProviderName: any TraceableMachine.Type]
    private var lives: [AdID: Life] = [:]
    var sessions: [Int: any SessionReplay] = [:]
    private var hiding = SecretRedaction()
    private var head: TraceHead?
    private var line = 0
    /// How much was run so far.
    package internal(set) var counts = Counts()

    /// A replay that has read nothing yet, and knows these machines of live sessions.
    package init(machines: [ProviderName: any TraceableMachine.Type] = [:]) { self.machines = machines }

    /// Who recorded the trace; nil before its first line.
    package var recorder: String? { self.head?.version }

    /// How many ads have not come to their end so far.
    package var unended: Int {
        self.lives.values.count { ![.closed, .failed, .expired].contains($0.lifecycle.phase) }
    }

    /// Takes the next line.
    ///
    /// - Returns: What is told by this line, in order.
    /// - Throws: What can't be read, or where this differs from what was recorded. Nothing can be taken after that.
    package mutating func take(_ text: String) throws(TraceFault) -> [Told] {
        self.line += 1
        if text.utf8.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return [] }
        let json: AdJSON
        do throws(AdJSON.Fault) {
            json = try AdJSON(parsing: text)
        } catch {
            throw self.unreadable("it is no JSON: \(error.message)")
        }
        guard self.head != nil else {
            self.head = try self.head(json)
            return []
        }
        if let number = json["session"] { return try self.take(ofSession: number, json) }
        guard let name = json["ad"]?.string else { throw self.unreadable("it names neither an ad nor a session") }
        let ad = AdID(name)
        if let timing = json["begins"] {
            try self.begin(ad, json["provider"], timing)
            return []
        }
        let now = try self.time(json)
        if json["in"] != nil { return try self.live(ad, json, at: now).map { [$0] } ?? [] }
        if let event = json["event"]?.string { return [try self.tell(event, ad, json, at: now)] }
        throw self.unreadable("it is neither something that happened to an ad nor something that an ad told")
    }

    /// Ends the trace: what was decided to be told has been told.
    package func end() throws(TraceFault) {
        guard self.head != nil else { throw .unreadable(line: 1, "the file is empty; a trace is what --trace writes") }
        for (ad, life) in self.lives.sorted(by: { $0.value.lastInput < $1.value.lastInput }) {
            if let event = life.untold.first { throw self.missing(event, ad, life) }
        }
    }

    private func head(_ json: AdJSON) throws(TraceFault) -> TraceHead {
        guard let format = json["trace"]?.whole(Int.self), let version = json["by"]?.string,
            let hidesSecrets = json["hidesSecrets"]?.bool
        else { throw self.unreadable("a trace begins otherwise; a trace is what --trace writes") }
        guard format == TraceHead.format else { throw .otherFormat(format, by: version) }
        return TraceHead(version: version, hidesSecrets: hidesSecrets)
    }

    private mutating func begin(_ ad: AdID, _ provider: AdJSON?, _ timing: AdJSON) throws(TraceFault) {
        guard let provider = provider?.string, let timing = AdTiming(traced: timing) else {
            throw self.unreadable("it does not say how the ad begins")
        }
        guard self.lives[ad] == nil else { throw self.unreadable("the ad \(ad) begins a second time") }
        guard self.lives.count < TraceReplay.most else {
            throw self.unreadable("there are more than \(TraceReplay.most) ads")
        }
        self.lives[ad] = Life(provider: ProviderName(provider), lifecycle: AdLifecycle(timing: timing))
        self.counts.ads += 1
    }

    private func life(_ ad: AdID) throws(TraceFault) -> Life {
        guard let life = self.lives[ad] else { throw self.unreadable("the ad \(ad) has not begun") }
        return life
    }

    private mutating func live(_ ad: AdID, _ json: AdJSON, at now: Moment) throws(TraceFault) -> Told? {
        var life = try self.life(ad)
        guard let input = json["in"].flatMap(AdInput.init(traced:)) else {
            throw self.unreadable("nothing like that happens to an ad")
        }
        if let event = life.untold.first { throw self.missing(event, ad, life) }
        let (verdict, actions) = life.lifecycle.handle(input, at: now)
        let made = self.shown(TraceLine.life(input, of: ad, at: now, verdict, actions))
        try self.compare(["verdict", "out"], of: .ad(ad), json, made, after: input.traced)
        for action in actions {
            if case .emit(let event) = action { life.untold.append(event) }
        }
        life.lastInput = self.line
        self.lives[ad] = life
        self.counts.inputs += 1
        guard case .ignored(let reason) = verdict, let name = input.reportedName else { return nil }
        return Told(at: now, provider: life.provider, what: .ignored(ad, name, reason: reason))
    }

    private mutating func tell(
        _ name: String,
        _ ad: AdID,
        _ json: AdJSON,
        at now: Moment
    ) throws(TraceFault) -> Told {
        guard let provider = json["provider"]?.string.map({ ProviderName($0) }) else {
            throw self.unreadable("it does not say whose ad it is")
        }
        var detail: [AdJSON.Member] = []
        if case .object(let members)? = json["detail"] { detail = members }
        // What another process left undelivered has no life here.
        let due = self.lives[ad]?.untold.first
        let made = due.map { self.shown(TraceLine.event($0, of: ad, provider, at: now, detail)) }
        let event: AdEvent
        if let due, made?.agrees(with: json) == true {
            self.lives[ad]?.untold.removeFirst()
            event = due
        } else if let told = AdEvent(told: name, of: ad, json) {
            event = told
        } else {
            throw .differs(
                TraceDifference(
                    line: self.line,
                    of: .ad(ad),
                    at: now.traced.string,
                    after: nil,
                    json.text(),
                    made?.text()
                )
            )
        }
        self.counts.events += 1
        return Told(at: now, provider: provider, what: .event(ad, event, detail))
    }

    func time(_ json: AdJSON) throws(TraceFault) -> Moment {
        guard let now = json["at"].flatMap(Moment.init(traced:)) else { throw self.unreadable("it has no time") }
        guard now >= .origin else { throw self.unreadable("its time is before all times") }
        return now
    }

    func compare(
        _ parts: [String],
        of whose: TraceSubject,
        _ json: AdJSON,
        _ made: AdJSON,
        after input: AdJSON
    ) throws(TraceFault) {
        for part in parts {
            guard let new = made[part], json[part].map(new.agrees) != true else { continue }
            let (then, now) = TraceDifference.parts(json[part], new)
            throw .differs(
                TraceDifference(line: self.line, of: whose, at: json["at"]?.string, after: input.text(), then, now)
            )
        }
    }

    /// What the recorder would have written.
    func shown(_ json: AdJSON) -> AdJSON { self.head?.hidesSecrets == true ? self.hiding.hide(json) : json }

    private func missing(_ event: AdEvent, _ ad: AdID, _ life: Life) -> TraceFault {
        .differs(
            TraceDifference(line: life.lastInput, of: .ad(ad), at: nil, after: nil, nil, event.name)
        )
    }

    func unreadable(_ why: String) -> TraceFault { .unreadable(line: self.line, why) }
}
