/// A no-bid reason code (`nbr`, OpenRTB 2.6 §4.2.1).
///
/// The codes are those of the list "No-Bid Reason Codes" of OpenRTB 3.0. Codes from 500 on are exchange-specific.
package struct NoBidReason: Hashable, Sendable, CustomStringConvertible {
    /// The code as it was sent.
    package let rawValue: Int

    /// Creates a reason from a code, known or not.
    package init(_ rawValue: Int) { self.rawValue = rawValue }

    private static let meanings = [
        "unknown error", "technical error", "invalid request", "known web crawler", "suspected non-human traffic",
        "cloud, data center or proxy IP", "unsupported device", "blocked publisher or site", "unmatched user",
        "daily user cap met", "daily domain cap met", "ads.txt authorization unavailable",
        "ads.txt authorization violation", "ads.cert authentication unavailable", "ads.cert authentication violation",
        "insufficient auction time", "incomplete supply chain", "blocked supply chain node",
    ]

    /// The reason in words, with its code.
    package var description: String {
        let known = NoBidReason.meanings.indices.contains(self.rawValue)
        let meaning =
            known ? NoBidReason.meanings[self.rawValue] : self.rawValue >= 500 ? "exchange-specific" : "unknown reason"
        return "\(meaning) (nbr \(self.rawValue))"
    }
}
