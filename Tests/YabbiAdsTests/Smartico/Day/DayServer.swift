import AdCore
import TestSupport

/// A faulty server of Smartico, as a value: it repeats and reorders messages, refuses requests, and falls silent.
struct DayServer {
    /// A reaction of the server, and its delay.
    struct Reaction {
        enum Kind {
            case message(String)
            case binary
            case close
        }

        let after: Duration
        let kind: Kind
    }

    private enum Stage: Equatable {
        case opened, initiated
        case identified(String)
    }

    private struct ConnectionState {
        var stage = Stage.opened
        var isSilent = false
        var unansweredPings: [String] = []
    }

    private var connections: [Int: ConnectionState] = [:]
    /// Engagements without a report of their page, by user; they are pushed again after every IDENTIFY.
    private var unreported: [String: [String]] = [:]
    private var lastID = 0
    private var random: TestRandom
    /// Whether it has no faults, as in the last hour.
    var isFaultless = false

    private(set) var pushes = 0
    private(set) var repeats = 0
    /// How often it received each message of a page.
    private(set) var reported: [String: Int] = [:]

    init(seed: UInt64) { self.random = TestRandom(seed: seed) }

    mutating func open(_ connection: Int) { self.connections[connection] = ConnectionState(isSilent: self.chance(3)) }
    mutating func close(_ connection: Int) { self.connections[connection] = nil }

    /// Whether a fault of this probability happens.
    private mutating func chance(_ percent: Int) -> Bool {
        let number = Int.random(in: 0..<100, using: &self.random)
        return !self.isFaultless && number < percent
    }

    private mutating func message(_ text: String) -> Reaction {
        Reaction(after: .milliseconds(Int.random(in: 1...80, using: &self.random)), kind: .message(text))
    }

    private mutating func stamp() -> String {
        self.lastID += 1
        return #""ts":\#(self.lastID),"uuid":"s-\#(self.lastID)""#
    }

    /// Handles a message of a client.
    mutating func handle(_ json: AdJSON, on number: Int) -> [Reaction] {
        guard var connection = self.connections[number], !connection.isSilent else { return [] }
        defer { self.connections[number] = connection }
        switch json["cid"]?.number {
        case 2:
            connection.unansweredPings.removeAll { $0 == json["uuid"]?.string }
            return []
        case 3:
            if self.chance(3) { return [self.message(#"{"cid":4,"errCode":1,"errMsg":"later",\#(self.stamp())}"#)] }
            connection.stage = .initiated
            let early = self.chance(4) ? [self.message(self.identified("nobody"))] : []
            return early + [self.message(#"{"cid":4,"errCode":0,"products":[100],"settings":{},\#(self.stamp())}"#)]
        case 5:
            guard case .initiated = connection.stage, let user = json["ext_user_id"]?.string else { return [] }
            if self.chance(3) { return [self.message(#"{"cid":6,"errCode":1,\#(self.stamp())}"#)] }
            connection.stage = .identified(user)
            return [self.message(self.identified(user))] + self.backlog(of: user)
        case 1003: return [self.message(#"{"cid":2003,"errCode":0,\#(self.stamp())}"#)]
        case 1101, 1102:
            guard let name = json["engagement_uid"]?.string, let cid = json["cid"]?.number else { return [] }
            self.reported["\(Int(cid))/\(name)", default: 0] += 1
            for user in self.unreported.keys { self.unreported[user]?.removeAll { $0 == name } }
            return []
        default: return []
        }
    }

    private mutating func identified(_ user: String) -> String {
        #"{"cid":6,"errCode":0,"props":{},"native_app_gf_url":"http://day.example/gf?u=\#(user)","#
            + #""native_app_popup_url":"http://day.example/popup?u=\#(user)",\#(self.stamp())}"#
    }

    /// The engagements without a report once more, in random order, some of them twice.
    private mutating func backlog(of user: String) -> [Reaction] {
        var names = self.unreported[user] ?? []
        names += names.filter { _ in Int.random(in: 0..<4, using: &self.random) == 0 }
        names.shuffle(using: &self.random)
        self.repeats += names.count
        return names.map { self.message(self.popup($0)) }
    }

    private mutating func popup(_ name: String) -> String {
        #"{"cid":110,"engagement_uid":"\#(name)","template_html":"<b>hi</b>","n":18446744073709551615,\#(self.stamp())}"#
    }

    /// Pushes an engagement to a user: on every connection of that user, or after the next IDENTIFY.
    mutating func push(to user: String) -> [(connection: Int, reaction: Reaction)] {
        self.pushes += 1
        self.lastID += 1
        let name = "\(user)/e-\(self.lastID)"
        var reactions: [Reaction] = []
        if Int.random(in: 0..<5, using: &self.random) == 0 {
            let game = #"{"cid":707,"saw_template_id":\#(self.lastID % 9),\#(self.stamp())}"#
            reactions = Array(repeating: self.message(game), count: self.chance(20) ? 2 : 1)
        } else {
            self.unreported[user, default: []].append(name)
            self.unreported[user] = self.unreported[user]?.suffix(4)
            reactions = [self.message(self.popup(name))]
            if self.chance(25) { reactions += self.backlog(of: user) }
        }
        if self.chance(5) { reactions.insert(self.message("{\"cid\":110,"), at: 0) }
        if self.chance(5) { reactions.insert(self.message(#"{"cid":4242,\#(self.stamp())}"#), at: 0) }
        if self.chance(3) { reactions.insert(Reaction(after: .zero, kind: .binary), at: 0) }
        let mine = self.connections.filter { if case .identified(user) = $0.value.stage { true } else { false } }
        return mine.keys.sorted().flatMap { connection in reactions.map { (connection, $0) } }
    }

    /// Pings a client, or closes after two unanswered pings; nil if the connection has ended.
    mutating func ping(_ number: Int) -> Reaction? {
        guard let connection = self.connections[number] else { return nil }
        guard !connection.isSilent else { return Reaction(after: .zero, kind: .message("")) }
        if connection.unansweredPings.count >= 2 { return Reaction(after: .zero, kind: .close) }
        self.lastID += 1
        self.connections[number]?.unansweredPings.append("p-\(self.lastID)")
        return self.message(#"{"cid":1,"ts":\#(self.lastID),"uuid":"p-\#(self.lastID)"}"#)
    }
}
