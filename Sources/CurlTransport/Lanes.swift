/// Who may go next: in order of arrival within a host, and the hosts in turn.
///
/// Queueing here instead of in libcurl keeps two promises: a request that waits still meets its deadline, and a slow
/// host holds up nobody else's requests as long as there is room in all.
struct Lanes {
    private struct Lane {
        var waiting: ArraySlice<UInt64> = []
        var underway = 0
        var hasTurn = false
    }

    private let perHost: Int
    private let total: Int
    private var lanes: [String: Lane] = [:]
    /// Hosts that have something waiting and room for it.
    private var turns: ArraySlice<String> = []
    private var underway = 0

    init(perHost: Int, total: Int) {
        self.perHost = max(1, perHost)
        self.total = max(1, total)
    }

    /// Whether nothing waits and nothing is under way.
    var isEmpty: Bool { self.lanes.isEmpty }

    /// Puts a request at the end of its host's lane.
    mutating func arrive(_ id: UInt64, at host: String) {
        self.lanes[host, default: Lane()].waiting.append(id)
        self.offerTurn(to: host)
    }

    /// Takes the next request that may go, if there is one and room for it.
    mutating func admit() -> UInt64? {
        guard self.underway < self.total else { return nil }
        while let host = self.turns.popFirst() {
            guard var lane = self.lanes[host] else { continue }
            lane.hasTurn = false
            // Nothing is left where all that waited was withdrawn.
            let id = lane.waiting.popFirst()
            if id != nil {
                lane.underway += 1
                self.underway += 1
            }
            self.put(lane, at: host)
            if let id { return id }
        }
        return nil
    }

    /// A request that was admitted has ended.
    mutating func leave(_ host: String) {
        guard var lane = self.lanes[host], lane.underway > 0 else {
            preconditionFailure("A request left a lane that it never entered.")
        }
        lane.underway -= 1
        self.underway -= 1
        self.put(lane, at: host)
    }

    /// A request that still waits will not go.
    mutating func withdraw(_ id: UInt64, from host: String) {
        guard var lane = self.lanes[host], let index = lane.waiting.firstIndex(of: id) else { return }
        lane.waiting.remove(at: index)
        self.put(lane, at: host)
    }

    private mutating func put(_ lane: Lane, at host: String) {
        // A lane stays as long as its host stands among the turns: so it never stands there twice.
        if lane.waiting.isEmpty, lane.underway == 0, !lane.hasTurn {
            self.lanes[host] = nil
        } else {
            self.lanes[host] = lane
            self.offerTurn(to: host)
        }
    }

    private mutating func offerTurn(to host: String) {
        guard let lane = self.lanes[host], !lane.hasTurn, !lane.waiting.isEmpty, lane.underway < self.perHost else {
            return
        }
        self.lanes[host]?.hasTurn = true
        self.turns.append(host)
    }
}
