import AdCore
import TestSupport

/// Smartico's server on a bad day, as a value: it repeats itself, mixes things up, refuses, and is silent.
struct DayServer {
    /// What it does, and after how long.
    struct Act {
        enum Deed {
            case say(String)
            case binary
            case hangUp
        }

        let after: Duration
        let deed: Deed
    }

    private enum Stage: Equatable {
        case opened, initiated
        case identified(String)
    }

    private struct Line {
        var stage = Stage.opened
        var isMute = false
        var unanswered: [String] = []
    }

    private var lines: [Int: Line] = [:]
    /// Engagements that no page has told of: they are pushed again with every introduction.
    private var untold: [String: [String]] = [:]
    private var last = 0
    private var random: TestRandom
    /// From the last hour on all goes well.
    var isKind = false

    private(set) var pushes = 0
    private(set) var repeats = 0
    /// How often it heard of what a page told.
    private(set) var told: [String: Int] = [:]

    init(seed: UInt64) { self.random = TestRandom(seed: seed) }

    mutating func open(_ line: Int) { self.lines[line] = Line(isMute: self.chance(3)) }
    mutating func close(_ line: Int) { self.lines[line] = nil }

    /// Whether something of a hundred happens; nothing does that is bad while all goes well.
    private mutating func chance(_ percent: Int) -> Bool {
        let number = Int.random(in: 0..<100, using: &self.random)
        return !self.isKind && number < percent
    }

    private mutating func say(_ text: String) -> Act {
        Act(after: .milliseconds(Int.random(in: 1...80, using: &self.random)), deed: .say(text))
    }

    private mutating func stamp() -> String {
        self.last += 1
        return #""ts":\#(self.last),"uuid":"s-\#(self.last)""#
    }

    /// Takes a message of a client.
    mutating func hear(_ json: AdJSON, on number: Int) -> [Act] {
        guard var line = self.lines[number], !line.isMute else { return [] }
        defer { self.lines[number] = line }
        switch json["cid"]?.number {
        case 2:
            line.unanswered.removeAll { $0 == json["uuid"]?.string }
            return []
        case 3:
            if self.chance(3) { return [self.say(#"{"cid":4,"errCode":1,"errMsg":"later",\#(self.stamp())}"#)] }
            line.stage = .initiated
            let early = self.chance(4) ? [self.say(self.identified("nobody"))] : []
            return early + [self.say(#"{"cid":4,"errCode":0,"products":[100],"settings":{},\#(self.stamp())}"#)]
        case 5:
            guard case .initiated = line.stage, let user = json["ext_user_id"]?.string else { return [] }
            if self.chance(3) { return [self.say(#"{"cid":6,"errCode":1,\#(self.stamp())}"#)] }
            line.stage = .identified(user)
            return [self.say(self.identified(user))] + self.backlog(of: user)
        case 1003: return [self.say(#"{"cid":2003,"errCode":0,\#(self.stamp())}"#)]
        case 1101, 1102:
            guard let name = json["engagement_uid"]?.string, let cid = json["cid"]?.number else { return [] }
            self.told["\(Int(cid))/\(name)", default: 0] += 1
            for user in self.untold.keys { self.untold[user]?.removeAll { $0 == name } }
            return []
        default: return []
        }
    }

    private mutating func identified(_ user: String) -> String {
        #"{"cid":6,"errCode":0,"props":{},"native_app_gf_url":"http://day.example/gf?u=\#(user)","#
            + #""native_app_popup_url":"http://day.example/popup?u=\#(user)",\#(self.stamp())}"#
    }

    /// What nobody has told of yet, once more, in any order, and some of it twice.
    private mutating func backlog(of user: String) -> [Act] {
        var names = self.untold[user] ?? []
        names += names.filter { _ in Int.random(in: 0..<4, using: &self.random) == 0 }
        names.shuffle(using: &self.random)
        self.repeats += names.count
        return names.map { self.say(self.popup($0)) }
    }

    private mutating func popup(_ name: String) -> String {
        #"{"cid":110,"engagement_uid":"\#(name)","template_html":"<b>hi</b>","n":18446744073709551615,\#(self.stamp())}"#
    }

    /// Pushes something to a user: on every line that is that user's, or with the next introduction.
    mutating func push(to user: String) -> [(line: Int, act: Act)] {
        self.pushes += 1
        self.last += 1
        let name = "\(user)/e-\(self.last)"
        var acts: [Act] = []
        if Int.random(in: 0..<5, using: &self.random) == 0 {
            let game = #"{"cid":707,"saw_template_id":\#(self.last % 9),\#(self.stamp())}"#
            acts = Array(repeating: self.say(game), count: self.chance(20) ? 2 : 1)
        } else {
            self.untold[user, default: []].append(name)
            self.untold[user] = self.untold[user]?.suffix(4)
            acts = [self.say(self.popup(name))]
            if self.chance(25) { acts += self.backlog(of: user) }
        }
        if self.chance(5) { acts.insert(self.say("{\"cid\":110,"), at: 0) }
        if self.chance(5) { acts.insert(self.say(#"{"cid":4242,\#(self.stamp())}"#), at: 0) }
        if self.chance(3) { acts.insert(Act(after: .zero, deed: .binary), at: 0) }
        let mine = self.lines.filter { if case .identified(user) = $0.value.stage { true } else { false } }
        return mine.keys.sorted().flatMap { line in acts.map { (line, $0) } }
    }

    /// Asks whether somebody is there; nil where the line is over.
    mutating func ping(_ number: Int) -> Act? {
        guard let line = self.lines[number] else { return nil }
        guard !line.isMute else { return Act(after: .zero, deed: .say("")) }
        if line.unanswered.count >= 2 { return Act(after: .zero, deed: .hangUp) }
        self.last += 1
        self.lines[number]?.unanswered.append("p-\(self.last)")
        return self.say(#"{"cid":1,"ts":\#(self.last),"uuid":"p-\#(self.last)"}"#)
    }
}
