import AdCore
import AdTrace

// Live sessions.
extension TraceReplay {
    mutating func replay(session number: AdJSON, _ json: AdJSON) throws(ReplayError) -> [ReplayedEvent] {
        guard let number: Int = number.whole() else { throw self.unreadable("\"session\" is not a number") }
        if let traced = json["begins"] {
            try self.startSession(number, json, traced)
            return []
        }
        guard var session = self.sessions[number] else {
            throw self.unreadable("session \(number) has no line with \"begins\" before this one")
        }
        let now = try self.time(json)
        let provider = session.provider
        if let issue = json["issue"] {
            guard case .issue(let issue)? = AdEvent(traced: "issue", of: AdID(""), issue) else {
                throw self.unreadable("\"issue\" has no code, place or message")
            }
            return [ReplayedEvent(at: now, provider: provider, kind: .session(.issue(issue)))]
        }
        guard let wall: Int64 = json["wall"]?.whole(), let minutes: Int = json["behindUTC"]?.whole() else {
            throw self.unreadable("\"wall\" or \"behindUTC\" is missing or no number")
        }
        let time = EngagementTime(now: now, wall: WallTime(milliseconds: wall), minutesBehindUTC: minutes)
        guard let step = json["in"].flatMap({ session.handle($0, at: time) }) else {
            throw self.unreadable("\"in\" is not an input of a session of \(provider)")
        }
        let replayed = self.redacted(TraceLine.session(number, step.input, at: time, step.actions, really: nil))
        try self.compare(["out"], of: .session(number), json, replayed, after: step.input)
        self.sessions[number] = session
        self.counts.inputs += 1
        return step.events.map { ReplayedEvent(at: now, provider: provider, kind: .session($0)) }
    }

    private mutating func startSession(_ number: Int, _ json: AdJSON, _ traced: AdJSON) throws(ReplayError) {
        guard let provider = json["provider"]?.string.map({ ProviderName($0) }),
            let seed = json["seed"]?.string.flatMap({ UInt64($0) })
        else { throw self.unreadable("the session's provider or seed is missing") }
        guard self.sessions[number] == nil else { throw self.unreadable("session \(number) begins a second time") }
        guard self.sessions.count < TraceReplay.limit else {
            throw self.unreadable("the trace has more than \(TraceReplay.limit) sessions")
        }
        guard let machine = self.machines[provider] else {
            throw self.unreadable("live sessions of \(provider) are not supported")
        }
        guard let session = machine.replay(traced, seed: seed) else {
            throw self.unreadable("\"begins\" is not a session of \(provider)")
        }
        self.sessions[number] = session
        self.counts.sessions += 1
    }
}
