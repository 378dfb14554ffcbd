import AdCore

/// Checks every message that a session sends.
struct DayRules {
    /// The user who is logged in, whether the app is in the background, and whether a logical session is due.
    var user: String?
    var isAway = false
    var isDue = false

    /// The violations.
    private(set) var faults: [String] = []
    /// How often each message of a page was sent.
    private(set) var reported: [String: Int] = [:]
    private var connections: [Int: ConnectionState] = [:]
    private var ids: Set<String> = []

    private struct ConnectionState {
        var sent: [Int] = []
        var received: [Int] = []
        var user: String?
        var pings: Set<String> = []

        /// Whether the server has accepted INIT, and IDENTIFY.
        var isInitialized: Bool { self.received.contains(4) }
        var isIdentified: Bool { self.received.contains(6) }
    }

    mutating func fault(_ text: String) { self.faults.append(text) }

    /// Handles a message of the server.
    mutating func received(_ json: AdJSON, on connection: Int) {
        guard let cid = json["cid"]?.number.map({ Int($0) }) else { return }
        var known = self.connections[connection] ?? ConnectionState()
        // A message without its request is not a response.
        let counts = cid != 4 && cid != 6 || json["errCode"]?.number == 0 && known.sent.contains(cid - 1)
        if counts { known.received.append(cid) }
        if cid == 1, let id = json["uuid"]?.string { known.pings.insert(id) }
        self.connections[connection] = known
    }

    /// Whether pings of a connection are unanswered.
    func hasUnansweredPing(on connection: Int) -> Bool { self.connections[connection]?.pings.isEmpty == false }

    /// Checks a message of the session.
    mutating func sent(_ json: AdJSON, on connection: Int, isOpen: Bool, at wall: WallTime) {
        var known = self.connections[connection] ?? ConnectionState()
        let cid = json["cid"]?.number.map { Int($0) } ?? -1
        if !isOpen { self.fault("\(cid) was sent on connection \(connection), which is not open") }
        // A message of a page has the time at which the page sent it.
        let time = json["ts"]?.number.map { Int64($0) } ?? .max
        if time > wall.milliseconds || cid < 1_100 && time != wall.milliseconds {
            self.fault("\(cid) has a wrong time")
        }
        let id = json["uuid"]?.string ?? ""
        if cid != 2, !self.ids.insert(id).inserted || id.utf8.count != 36 { self.fault("\(cid) has no unique uuid") }
        if (cid == 3) != known.sent.isEmpty, cid != 2 || known.sent.isEmpty {
            self.fault("\(cid) comes after \(known.sent)")
        }
        switch cid {
        case 2:
            if known.pings.remove(id) == nil { self.fault("a pong without a ping") }
        case 3: break
        case 5:
            if known.sent.contains(5) || !known.isInitialized { self.fault("5 comes after \(known.sent)") }
            known.user = json["ext_user_id"]?.string
            if known.user == nil || known.user != self.user { self.fault("5 has another user") }
        default:
            if !known.isIdentified { self.fault("\(cid) was sent before IDENTIFY") }
            if known.user != self.user { self.fault("\(cid) was sent with another user") }
        }
        if cid == 7 {
            if !self.isDue || self.isAway { self.fault("a logical session starts that is not due") }
            self.isDue = false
        }
        if cid == 1101 || cid == 1102, let name = json["engagement_uid"]?.string {
            self.reported["\(cid)/\(name)", default: 0] += 1
            if self.reported["\(cid)/\(name)"] != 1 { self.fault("\(cid)/\(name) was sent twice") }
            if let user = known.user, !name.hasPrefix(user) { self.fault("\(name) was sent with user \(user)") }
        }
        known.sent.append(cid)
        self.connections[connection] = known
    }

    /// Checks that no logical session is due when no work is pending.
    mutating func check(openConnection connection: Int?) {
        guard let connection, let known = self.connections[connection], known.isIdentified else { return }
        if self.isDue, !self.isAway { self.fault("a logical session is due and was not sent") }
    }
}
