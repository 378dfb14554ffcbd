/// Counts the blocked attempts of one ad, and limits how many are reported.
///
/// The limit applies to each kind separately, so that many popups do not hide a download.
struct BlockedLog: Hashable, Sendable {
    /// The number of reported attempts of each kind.
    static let limitPerKind = 100

    private var reported: [BlockedAttempt.Kind: Int] = [:]
    private var hidden: [BlockedAttempt.Kind: Int] = [:]

    /// Counts an attempt; returns false if the limit of its kind is reached.
    mutating func admit(_ attempt: BlockedAttempt) -> Bool {
        let count = self.reported[attempt.kind, default: 0]
        guard count < BlockedLog.limitPerKind else {
            let hidden = self.hidden[attempt.kind, default: 0]
            self.hidden[attempt.kind] = hidden == .max ? hidden : hidden + 1
            return false
        }
        self.reported[attempt.kind] = count + 1
        return true
    }

    /// The numbers of attempts that were not reported, by kind; nil if all were.
    var issue: AdIssue? {
        guard !self.hidden.isEmpty else { return nil }
        let kinds = self.hidden.sorted { $0.key.rawValue < $1.key.rawValue }.map { kind, count in
            "\(count) of kind \(kind.rawValue)"
        }
        let text = "more attempts of the creative were blocked than are listed: \(kinds.joined(separator: ", ")) more"
        return AdIssue("creative.blockedMany", at: .whole, text)
    }
}
