import AdCore
package import PlayConsole
package import SandboxSSP

/// What pages told their server by themselves, held against its bill.
///
/// None of it is in the ledger: the runtime passes on what a page says, and the page says it once.
package struct PageReconciliation: Hashable, Sendable {
    private(set) var impressions = 0
    private(set) var actions = 0
    /// Told, and on the bill once.
    private(set) var counted = 0
    /// Told, and not on the bill.
    private(set) var lost = 0
    /// On the bill, and taken more than once.
    private(set) var doubled = 0
    /// On the server's bill, and sent by no page here.
    private(set) var unknown = 0

    /// Holds what was told against the lines of a bill that came over sockets.
    package init(_ told: [PageServerMessage], against lines: [Sandbox.Bill.Line]) {
        let own = lines.filter { $0.path == Sandbox.socketPath && $0.isBilled }
        self.init(told, counted: own.map { ($0.key ?? "", $0.counted) })
    }

    /// Holds what was told against how often the server took each, by the engagement and what became of it.
    init(_ told: [PageServerMessage], counted lines: [(key: String, times: Int)]) {
        var counts: [String: Int] = [:]
        for line in lines { counts[line.key, default: 0] += line.times }
        for told in told {
            guard let uid = told.uid, let word = self.take(told.what) else { continue }
            switch counts.removeValue(forKey: "\(uid)/\(word)") ?? 0 {
            case 0: self.lost += 1
            case 1: self.counted += 1
            default: self.doubled += 1
            }
        }
        self.unknown = counts.count
    }

    /// Counts what was told; returns the bill's word for it, or nil where that costs nothing.
    private mutating func take(_ what: PageServerMessage.What) -> String? {
        switch what {
        case .impression:
            self.impressions += 1
            return "impression"
        case .action:
            self.actions += 1
            return "click"
        case .spin: return nil
        }
    }

    package var isClean: Bool { self.lost + self.doubled + self.unknown == 0 }

    package func line(_ style: Style) -> String {
        let impressions = self.impressions == 1 ? "1 impression" : "\(self.impressions) impressions"
        let actions = self.actions == 1 ? "1 action" : "\(self.actions) actions"
        let text = "sent by pages: \(impressions), \(actions), "
        guard !self.isClean else { return text + style.green("all counted once") }
        return text + style.red("\(self.lost) lost, \(self.doubled) duplicates, \(self.unknown) unmatched")
    }

    package var json: String {
        AdJSON.object([
            .init("event", "toldByPages"), .init("impressions", .int(self.impressions)),
            .init("actions", .int(self.actions)), .init("counted", .int(self.counted)),
            .init("lost", .int(self.lost)), .init("doubled", .int(self.doubled)),
            .init("unknown", .int(self.unknown)),
        ]).text()
    }
}
