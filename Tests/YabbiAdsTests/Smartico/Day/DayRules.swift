import AdCore

/// What has to hold of everything that a session says, checked as it says it.
struct DayRules {
    /// Who is logged in by the host's word, whether the app is in sight, and whether a beginning is due.
    var user: String?
    var isAway = false
    var isDue = false

    /// What was broken.
    private(set) var faults: [String] = []
    /// What pages told, and on which line it went out.
    private(set) var told: [String: Int] = [:]
    private var lines: [Int: Line] = [:]
    private var ids: Set<String> = []

    private struct Line {
        var said: [Int] = []
        var heard: [Int] = []
        var user: String?
        var pings: Set<String> = []

        /// Whether the server has taken the app, and the user.
        var isInitialized: Bool { self.heard.contains(4) }
        var isIdentified: Bool { self.heard.contains(6) }
    }

    mutating func fault(_ text: String) { self.faults.append(text) }

    /// The server said something that the session has heard.
    mutating func heard(_ json: AdJSON, on line: Int) {
        guard let cid = json["cid"]?.number.map({ Int($0) }) else { return }
        var known = self.lines[line] ?? Line()
        // What comes before its turn is no answer.
        let counts = cid != 4 && cid != 6 || json["errCode"]?.number == 0 && known.said.contains(cid - 1)
        if counts { known.heard.append(cid) }
        if cid == 1, let id = json["uuid"]?.string { known.pings.insert(id) }
        self.lines[line] = known
    }

    /// Whether pings of a line wait for an answer.
    func owesPong(on line: Int) -> Bool { self.lines[line]?.pings.isEmpty == false }

    /// The session says something.
    mutating func said(_ json: AdJSON, on line: Int, isOpen: Bool, at wall: WallTime) {
        var known = self.lines[line] ?? Line()
        let cid = json["cid"]?.number.map { Int($0) } ?? -1
        if !isOpen { self.fault("\(cid) was sent into line \(line), which is not open") }
        // What a page tells has the time at which it told it.
        let time = json["ts"]?.number.map { Int64($0) } ?? .max
        if time > wall.milliseconds || cid < 1_100 && time != wall.milliseconds {
            self.fault("\(cid) has another time")
        }
        let id = json["uuid"]?.string ?? ""
        if cid != 2, !self.ids.insert(id).inserted || id.utf8.count != 36 { self.fault("\(cid) has no id of its own") }
        if (cid == 3) != known.said.isEmpty, cid != 2 || known.said.isEmpty {
            self.fault("\(cid) comes after \(known.said)")
        }
        switch cid {
        case 2:
            if known.pings.remove(id) == nil { self.fault("a pong for no ping") }
        case 3: break
        case 5:
            if known.said.contains(5) || !known.isInitialized { self.fault("5 comes after \(known.said)") }
            known.user = json["ext_user_id"]?.string
            if known.user == nil || known.user != self.user { self.fault("5 is of another user") }
        default:
            if !known.isIdentified { self.fault("\(cid) comes before the server knows the user") }
            if known.user != self.user { self.fault("\(cid) goes out under another user") }
        }
        if cid == 7 {
            if !self.isDue || self.isAway { self.fault("a logical session begins that is not due") }
            self.isDue = false
        }
        if cid == 1101 || cid == 1102, let name = json["engagement_uid"]?.string {
            self.told["\(cid)/\(name)", default: 0] += 1
            if self.told["\(cid)/\(name)"] != 1 { self.fault("\(cid)/\(name) goes out twice") }
            if let user = known.user, !name.hasPrefix(user) { self.fault("\(name) goes out under \(user)") }
        }
        known.said.append(cid)
        self.lines[line] = known
    }

    /// At rest nothing is owed.
    mutating func check(present line: Int?) {
        guard let line, let known = self.lines[line], known.isIdentified else { return }
        if self.isDue, !self.isAway { self.fault("a logical session is due and was not told") }
    }
}
