/// How many stopped attempts of one ad were reported, and how many were not.
///
/// A creative can make as many as it likes. The limit is one of each kind, so that a hundred windows do not hide a request.
struct BlockedLog: Hashable, Sendable {
    /// How many attempts of one kind are reported.
    static let mostOfKind = 100

    private var reported: [BlockedAttempt.Kind: Int] = [:]
    private var hidden: [BlockedAttempt.Kind: Int] = [:]

    /// Counts an attempt; false where those of its kind are reported no more.
    mutating func admit(_ attempt: BlockedAttempt) -> Bool {
        let count = self.reported[attempt.kind, default: 0]
        guard count < BlockedLog.mostOfKind else {
            let hidden = self.hidden[attempt.kind, default: 0]
            self.hidden[attempt.kind] = hidden == .max ? hidden : hidden + 1
            return false
        }
        self.reported[attempt.kind] = count + 1
        return true
    }

    /// How many were not reported, of which kind; nil where all were.
    var issue: AdIssue? {
        guard !self.hidden.isEmpty else { return nil }
        let kinds = self.hidden.sorted { $0.key.rawValue < $1.key.rawValue }.map { kind, count in
            "\(count) of kind \(kind.rawValue)"
        }
        let words = "more attempts of the creative were stopped than are listed: \(kinds.joined(separator: ", ")) more"
        return AdIssue("creative.blockedMany", at: .whole, words)
    }
}
