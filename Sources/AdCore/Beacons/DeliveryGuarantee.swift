/// What happens to a beacon that was sent, and whose receipt is unknown.
public enum DeliveryGuarantee: String, Hashable, Sendable {
    /// It is not sent again: nothing is ever counted twice. The beacon stays listed as unconfirmed.
    // The raw values stand in ledgers.
    case atMostOnce = "assumeDelivered"
    /// It is sent again with the same `Idempotency-Key`, for servers that count each key once.
    case atLeastOnce = "resend"

    /// Whether an unconfirmed beacon stays so.
    var isFinal: Bool { self == .atMostOnce }
}
