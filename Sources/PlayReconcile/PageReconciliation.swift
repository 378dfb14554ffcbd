import AdCore
package import PlayConsole
package import PlayText

/// Compares the messages that pages sent to their server with its bill.
///
/// They are not in the ledger: a page sends them itself, and the runtime only passes them on.
package struct PageReconciliation: Hashable, Sendable {
    private(set) var impressions = 0
    private(set) var actions = 0
    /// Sent, and on the bill once.
    private(set) var counted = 0
    /// Sent, but not on the bill.
    private(set) var lost = 0
    /// On the bill more than once.
    private(set) var duplicates = 0
    /// On the bill, but not sent by a page of this run.
    private(set) var unmatched = 0

    /// Compares messages with the number of times that the server counted each, by engagement and event.
    package init(_ messages: [PageServerMessage], counted lines: [(key: String, times: Int)]) {
        var counts: [String: Int] = [:]
        for line in lines { counts[line.key, default: 0] += line.times }
        for message in messages {
            guard let uid = message.uid, let event = self.count(message.what) else { continue }
            switch counts.removeValue(forKey: "\(uid)/\(event)") ?? 0 {
            case 0: self.lost += 1
            case 1: self.counted += 1
            default: self.duplicates += 1
            }
        }
        self.unmatched = counts.count
    }

    /// Counts a message.
    ///
    /// - Returns: The event on the bill; nil if it is not billable.
    private mutating func count(_ what: PageServerMessage.What) -> String? {
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

    package var isClean: Bool { self.lost + self.duplicates + self.unmatched == 0 }

    package func line(_ style: Style) -> String {
        let impressions = self.impressions == 1 ? "1 impression" : "\(self.impressions) impressions"
        let actions = self.actions == 1 ? "1 action" : "\(self.actions) actions"
        let text = "sent by pages: \(impressions), \(actions), "
        guard !self.isClean else { return text + style.green("all counted once") }
        return text
            + style.red(
                "\(self.lost) lost, \(Quantity.text(self.duplicates, "duplicate")), \(self.unmatched) unmatched"
            )
    }

    package var json: String {
        AdJSON.object([
            .init("event", "toldByPages"), .init("impressions", .int(self.impressions)),
            .init("actions", .int(self.actions)), .init("counted", .int(self.counted)),
            .init("lost", .int(self.lost)), .init("doubled", .int(self.duplicates)),
            .init("unknown", .int(self.unmatched)),
        ]).text()
    }
}
