import AdCore
import AdTrace

// Live sessions.
extension TraceReplay {
    mutating func take(ofSession number: AdJSON, _ json: AdJSON) throws(TraceFault) -> [Told] {
        guard let number: Int = number.whole() else { throw self.unreadable("the session has no number") }
        if let written = json["begins"] {
            try self.begin(number, json, written)
            return []
        }
        guard var session = self.sessions[number] else {
            throw self.unreadable("the session \(number) has not begun")
        }
        let now = try self.time(json)
        let provider = session.provider
        if let issue = json["issue"] {
            guard case .issue(let issue)? = AdEvent(told: "issue", of: AdID(""), issue) else {
                throw self.unreadable("it does not say what was found")
            }
            return [Told(at: now, provider: provider, what: .session(.issue(issue)))]
        }
        guard let wall: Int64 = json["wall"]?.whole(), let minutes: Int = json["behindUTC"]?.whole() else {
            throw self.unreadable("it has no calendar")
        }
        let time = EngagementTime(now: now, wall: WallTime(milliseconds: wall), minutesBehindUTC: minutes)
        guard let step = json["in"].flatMap({ session.take($0, at: time) }) else {
            throw self.unreadable("nothing like that happens to a session of \(provider)")
        }
        let made = self.shown(TraceLine.session(number, step.input, at: time, step.out, really: nil))
        try self.compare(["out"], of: .session(number), json, made, after: step.input)
        self.sessions[number] = session
        self.counts.inputs += 1
        return step.told.map { Told(at: now, provider: provider, what: .session($0)) }
    }

    private mutating func begin(_ number: Int, _ json: AdJSON, _ written: AdJSON) throws(TraceFault) {
        guard let provider = json["provider"]?.string.map({ ProviderName($0) }),
            let seed = json["seed"]?.string.flatMap({ UInt64($0) })
        else { throw self.unreadable("it does not say how the session begins") }
        guard self.sessions[number] == nil else { throw self.unreadable("the session \(number) begins a second time") }
        guard self.sessions.count < TraceReplay.most else {
            throw self.unreadable("there are more than \(TraceReplay.most) sessions")
        }
        guard let machine = self.machines[provider] else {
            throw self.unreadable("nobody here knows live sessions of \(provider)")
        }
        guard let session = machine.replay(written, seed: seed) else {
            throw self.unreadable("it does not say how a session of \(provider) begins")
        }
        self.sessions[number] = session
        self.counts.sessions += 1
    }
}
