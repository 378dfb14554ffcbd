/// The values of the substitution macros `${AUCTION_…}` (OpenRTB 2.6 §4.4), and their substitution in markup and URLs.
///
/// A macro without a value is replaced by an empty string (§4.4). The suffix `:B64` selects Base64; because the
/// result goes into URLs it is base64url without padding. Unknown macros and other encodings stay in the text and are
/// issues. Substituted values are not searched for macros.
package struct PriceMacros: Hashable, Sendable {
    private var values: [String: String]
    /// The macros that stay in the text, because their values are not known yet.
    private var kept: Set<String> = []

    /// Creates the values; nil for a macro without a value.
    ///
    /// - Parameters:
    ///   - auctionID: The bid request's id.
    ///   - bidID: The bidder's id for the response.
    ///   - impressionID: The impression's id within the request.
    ///   - seatID: The seat that made the bid.
    ///   - adID: The bidder's id for the ad.
    ///   - price: The clearing price, in the unit of the bid.
    ///   - currency: The currency of the price.
    ///   - marketBidRatio: The clearing price divided by the bid price.
    ///   - multiplier: The quantity of impressions won.
    ///   - impressionTime: When the impression was fulfilled.
    ///   - discountPercent: The discount, in percent.
    ///   - discount: The discount as CPM, in the currency of the price.
    package init(
        auctionID: String? = nil,
        bidID: String? = nil,
        impressionID: String? = nil,
        seatID: String? = nil,
        adID: String? = nil,
        price: AdDecimal? = nil,
        currency: String? = nil,
        marketBidRatio: AdDecimal? = nil,
        multiplier: AdDecimal? = nil,
        impressionTime: WallTime? = nil,
        discountPercent: AdDecimal? = nil,
        discount: AdDecimal? = nil
    ) {
        self.values = [
            "ID": auctionID,
            "BID_ID": bidID,
            "IMP_ID": impressionID,
            "SEAT_ID": seatID,
            "AD_ID": adID,
            "PRICE": price?.description,
            "CURRENCY": currency,
            "MBR": marketBidRatio?.description,
            "MULTIPLIER": multiplier?.description,
            "IMP_TS": (impressionTime?.milliseconds).map { String($0) },
            "DISCOUNT_PCT": discountPercent?.description,
            "DISCOUNT_CPM": discount?.description,
        ].compactMapValues { $0 }
    }

    /// The values of a bid that lost, for which nothing was paid.
    ///
    /// - Parameters:
    ///   - reason: Why it lost.
    ///   - minimum: The lowest bid that would have won, in the currency of the bid; nil if it is not known.
    /// - Returns: The same values with those two. The price is that of the winner if the bid was outbid, else empty.
    package func lost(_ reason: LossReason, minimumToWin minimum: AdDecimal?) -> PriceMacros {
        var macros = self
        macros.values["LOSS"] = String(reason.rawValue)
        macros.values["MIN_TO_WIN"] = minimum?.description
        macros.values["PRICE"] = reason == .outbid ? minimum?.description : nil
        macros.values["MBR"] = nil
        macros.values["MULTIPLIER"] = nil
        return macros
    }

    /// The values of a bid that won at a time.
    package func won(at time: WallTime) -> PriceMacros {
        var macros = self
        macros.values["IMP_TS"] = String(time.milliseconds)
        return macros
    }

    /// The same values, for a text whose time of the impression is filled in later.
    package var withoutTime: PriceMacros {
        var macros = self
        macros.kept = ["IMP_TS"]
        return macros
    }

    /// Replaces the time of the impression in a text from `withoutTime`.
    package static func filling(_ time: WallTime, in text: String) -> String {
        var macros = PriceMacros(impressionTime: time)
        macros.kept = PriceMacros.names.subtracting(["IMP_TS"])
        return macros.substituted(in: text).text
    }

    /// Whether a text from `withoutTime` has a time to be filled in.
    package static func needsTime(_ text: String) -> Bool { text.contains("${AUCTION_IMP_TS") }

    /// The names of all macros of §4.4, without `AUCTION_`.
    static let names: Set<String> = [
        "ID", "BID_ID", "IMP_ID", "SEAT_ID", "AD_ID", "PRICE", "CURRENCY", "MBR", "LOSS", "MIN_TO_WIN", "MULTIPLIER",
        "IMP_TS", "DISCOUNT_PCT", "DISCOUNT_CPM",
    ]

    /// Replaces every macro in a text; the macros that stay are issues.
    package func substituted(in text: String) -> (text: String, issues: [AdIssue]) {
        var text = text
        return text.withUTF8 { bytes in
            var substitution = MacroSubstitution(bytes: bytes[...], values: self.values, kept: self.kept)
            return substitution.run()
        }
    }
}

/// One pass of substitution over a text.
private struct MacroSubstitution {
    private static let prefix = Array("${AUCTION_".utf8)
    private static let maximumNameLength = 40
    private static let maxIssues = 20

    let bytes: Slice<UnsafeBufferPointer<UInt8>>
    let values: [String: String]
    let kept: Set<String>
    private var output: [UInt8] = []
    private var issues: [AdIssue] = []
    /// The position up to which lines are counted, so that each byte is counted once.
    private var countedUpTo = 0
    private var line = 1

    init(bytes: Slice<UnsafeBufferPointer<UInt8>>, values: [String: String], kept: Set<String>) {
        self.bytes = bytes
        self.values = values
        self.kept = kept
    }

    mutating func run() -> (text: String, issues: [AdIssue]) {
        self.output.reserveCapacity(self.bytes.count)
        var copiedUpTo = self.bytes.startIndex
        var index = copiedUpTo
        while index < self.bytes.endIndex {
            switch self.bytes[index] {
            case UInt8(ascii: "$") where self.bytes[index...].starts(with: MacroSubstitution.prefix):
                guard let (value, end) = self.macro(at: index) else { break }
                self.output.append(contentsOf: self.bytes[copiedUpTo..<index])
                self.output.append(contentsOf: value.utf8)
                copiedUpTo = end
                index = end
                continue
            case UInt8(ascii: "%") where self.bytes[index...].startsIgnoringCase("%7BAUCTION_"):
                self.addIssue("macro.escaped", at: index, "a macro is percent-encoded; it was not replaced")
            default: break
            }
            index += 1
        }
        self.output.append(contentsOf: self.bytes[copiedUpTo...])
        return (String(decoding: self.output, as: UTF8.self), self.issues)
    }

    /// The value of the macro that starts here and the index after the macro; nil when it is not replaced.
    private mutating func macro(at start: Int) -> (value: String, end: Int)? {
        let rest = self.bytes[(start + MacroSubstitution.prefix.count)...]
        guard let close = rest.prefix(MacroSubstitution.maximumNameLength).firstIndex(of: UInt8(ascii: "}")) else {
            self.addIssue("macro.open", at: start, "${AUCTION_ without a closing brace; it was not replaced")
            return nil
        }
        let inside = String(decoding: rest[..<close], as: UTF8.self)
        let parts = inside.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard PriceMacros.names.contains(parts[0]), parts.count == 1 || parts[1] == "B64" else {
            let name = "${AUCTION_\(inside.excerpt())}"
            self.addIssue("macro.unknown", at: start, "\(name) is an unknown macro; it was not replaced")
            return nil
        }
        guard !self.kept.contains(parts[0]) else { return nil }
        let value = self.values[parts[0]] ?? ""
        return (parts.count == 1 ? value : Base64.addressText(Array(value.utf8)), close + 1)
    }

    private mutating func addIssue(_ code: String, at index: Int, _ message: String) {
        guard self.issues.count < MacroSubstitution.maxIssues else { return }
        self.line += self.bytes[self.countedUpTo..<index].count { $0 == 0x0A }
        self.countedUpTo = index
        self.issues.append(AdIssue(code, at: .line(self.line), message))
    }
}
