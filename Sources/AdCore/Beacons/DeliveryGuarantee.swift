/// What happens to a beacon that was sent without knowing whether the server received it.
public enum DeliveryGuarantee: String, Hashable, Sendable {
    /// It is not sent again, so that nothing is counted twice, and stays listed as unconfirmed.
    // Ledgers contain the raw values.
    case atMostOnce = "assumeDelivered"
    /// It is sent again with the same `Idempotency-Key`, for servers that count each key once.
    case atLeastOnce = "resend"

    /// Whether an unconfirmed beacon stays unconfirmed.
    var isFinal: Bool { self == .atMostOnce }
}
