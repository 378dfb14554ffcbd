/// Why an exchange bids nothing, as its `nbr` numbers it.
///
/// The list is open: exchanges add reasons of their own from 500 on.
public struct NoBidReason: Hashable, Sendable, CustomStringConvertible {
    /// The number as it was sent.
    public let rawValue: Int

    /// Takes a number, known or not.
    public init(_ rawValue: Int) { self.rawValue = rawValue }

    private static let meanings = [
        "a fault that it does not name", "a technical fault", "the request is not valid", "a known crawler asks",
        "it suspects that no human asks", "the address belongs to a data centre or a proxy",
        "it does not serve this device", "it blocks this publisher or app", "it does not know this user",
        "the user has seen enough for today", "the app has had enough for today",
        "there is no ads.txt or app-ads.txt to check", "ads.txt or app-ads.txt does not allow the seller",
        "there is no signature to check", "the signature is not valid", "there was too little time",
        "the supply chain is incomplete", "it blocks somebody in the supply chain",
    ]

    /// The reason in words, with its number.
    public var description: String {
        let known = NoBidReason.meanings.indices.contains(self.rawValue)
        let meaning =
            known ? NoBidReason.meanings[self.rawValue] : self.rawValue >= 500 ? "a reason of its own" : "unknown"
        return "\(meaning) (nbr \(self.rawValue))"
    }
}
