/// Why a bid did not win (`${AUCTION_LOSS}`, OpenRTB 2.6 §4.4), with the codes of AdCOM 1.0, "Loss Reason Codes".
package enum LossReason: Int, Hashable, Sendable, CaseIterable {
    /// The auction or the show failed for a reason of the app.
    case internalError = 1
    /// The bid came too late, or its ad was not shown in time.
    case expired = 2
    /// The bid can't be understood, such as one in a currency without a rate.
    case invalidBid = 3
    /// The bid has no markup.
    case missingMarkup = 7
    /// The price is below the floor.
    case belowFloor = 100
    /// Another bid was higher.
    case outbid = 102
    /// Another offer has a higher priority whatever its price.
    case outranked = 103
    /// The creative can't be shown.
    case filtered = 200
    /// The creative is of a format that the placement does not accept.
    case wrongFormat = 204

    /// The reason in words.
    package var text: String {
        switch self {
        case .internalError: "it could not be shown"
        case .expired: "it came too late, or was not shown in time"
        case .invalidBid: "the bid is invalid"
        case .missingMarkup: "it has no markup"
        case .belowFloor: "its price is below the floor"
        case .outbid: "another bid was higher, or as high and before it"
        case .outranked: "another offer has a higher priority"
        case .filtered: "its creative can't be shown"
        case .wrongFormat: "its creative has a format that the placement does not accept"
        }
    }
}
