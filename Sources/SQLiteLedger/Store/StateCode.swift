package import AdCore

/// A beacon's state as stored in a database; a number never gets a second meaning.
package enum StateCode: Int64, CaseIterable, Sendable { case pending = 0, inFlight, delivered, unconfirmed, dead }

extension AdHTTPRequest.Method {
    /// The number by which it is stored.
    package var code: Int64 {
        switch self {
        case .get: 0
        case .post: 1
        }
    }

    init?(code: Int64) {
        switch code {
        case 0: self = .get
        case 1: self = .post
        default: return nil
        }
    }
}

extension BeaconCall.SuccessRule {
    /// The number by which it is stored.
    package var code: Int64 {
        switch self {
        case .success: 0
        case .only200: 1
        case .errCodeZero: 2
        case .okNotFalse: 3
        }
    }

    init?(code: Int64) {
        switch code {
        case 0: self = .success
        case 1: self = .only200
        case 2: self = .errCodeZero
        case 3: self = .okNotFalse
        default: return nil
        }
    }
}

extension DeliveryGuarantee {
    /// The number by which it is stored.
    package var code: Int64 {
        switch self {
        case .atMostOnce: 0
        case .atLeastOnce: 1
        }
    }

    init?(code: Int64) {
        switch code {
        case 0: self = .atMostOnce
        case 1: self = .atLeastOnce
        default: return nil
        }
    }
}
