public import AdCore

/// The values of `${AUCTION_…}` macros, and how they get into markup and addresses.
///
/// A macro without a value becomes nothing, as the specification wants. `:B64` behind a name asks for base 64, which is
/// written in the alphabet for addresses and without padding, because that is where prices go. What is no macro of the
/// specification, and another encoding than that, stays as it is and is an issue. What was put in is never read again,
/// so no value can ask for another.
public struct PriceMacros: Hashable, Sendable {
    private let values: [String: String]

    /// Values; what is not known is left out.
    ///
    /// - Parameters:
    ///   - auctionID: The request's id.
    ///   - bidID: The bidder's id for the answer.
    ///   - impressionID: The impression's id within the request.
    ///   - seatID: The seat that bid.
    ///   - adID: The ad's id at the bidder.
    ///   - price: What is paid, in the unit of the bid.
    ///   - currency: The currency of the price.
    ///   - marketBidRatio: The price divided by the bid.
    ///   - lossReason: Why a bid lost, as OpenRTB numbers it.
    ///   - minimumToWin: The lowest bid that would have won.
    ///   - multiplier: How many views one showing stands for.
    ///   - impressionTime: When the ad was shown.
    ///   - discountPercent: The discount, in percent.
    ///   - discount: The discount per thousand, in the currency of the price.
    public init(
        auctionID: String? = nil,
        bidID: String? = nil,
        impressionID: String? = nil,
        seatID: String? = nil,
        adID: String? = nil,
        price: Double? = nil,
        currency: String? = nil,
        marketBidRatio: Double? = nil,
        lossReason: Int? = nil,
        minimumToWin: Double? = nil,
        multiplier: Double? = nil,
        impressionTime: WallTime? = nil,
        discountPercent: Double? = nil,
        discount: Double? = nil
    ) {
        self.values = [
            "ID": auctionID,
            "BID_ID": bidID,
            "IMP_ID": impressionID,
            "SEAT_ID": seatID,
            "AD_ID": adID,
            "PRICE": price.flatMap(PriceMacros.plain),
            "CURRENCY": currency,
            "MBR": marketBidRatio.flatMap(PriceMacros.plain),
            "LOSS": lossReason.map(String.init),
            "MIN_TO_WIN": minimumToWin.flatMap(PriceMacros.plain),
            "MULTIPLIER": multiplier.flatMap(PriceMacros.plain),
            "IMP_TS": (impressionTime?.milliseconds).map { String($0) },
            "DISCOUNT_PCT": discountPercent.flatMap(PriceMacros.plain),
            "DISCOUNT_CPM": discount.flatMap(PriceMacros.plain),
        ].compactMapValues { $0 }
    }

    /// The names of all macros, without `AUCTION_`.
    static let names: Set<String> = [
        "ID", "BID_ID", "IMP_ID", "SEAT_ID", "AD_ID", "PRICE", "CURRENCY", "MBR", "LOSS", "MIN_TO_WIN", "MULTIPLIER",
        "IMP_TS", "DISCOUNT_PCT", "DISCOUNT_CPM",
    ]

    /// The text with every macro replaced, and what could not be.
    public func filled(_ text: String) -> (text: String, issues: [AdIssue]) {
        var text = text
        return text.withUTF8 { bytes in
            var filling = Filling(bytes: bytes[...], values: self.values)
            return filling.run()
        }
    }

    /// A number without an exponent: servers read `0.0000001`, and not all of them `1e-07`.
    static func plain(_ value: Double) -> String? {
        guard let text = AdJSON.Number(value)?.text else { return nil }
        let parts = text.split(separator: "e")
        guard parts.count == 2, let exponent = Int(parts[1]) else { return text }
        let sign = parts[0].hasPrefix("-") ? "-" : ""
        let mantissa = parts[0].drop { $0 == "-" }.split(separator: ".")
        let digits = mantissa.joined()
        let point = (mantissa.first?.count ?? 0) + exponent
        if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
        // Swift writes an exponent only where the point lies outside the digits.
        return sign + digits + String(repeating: "0", count: max(0, point - digits.count))
    }
}

/// One pass over a text.
private struct Filling {
    private static let opening = Array("${AUCTION_".utf8)
    private static let longestName = 40
    private static let mostIssues = 20

    let bytes: Slice<UnsafeBufferPointer<UInt8>>
    let values: [String: String]
    private var output: [UInt8] = []
    private var issues: [AdIssue] = []
    /// Up to where lines were counted, so that no byte is counted twice.
    private var counted = 0
    private var line = 1

    init(bytes: Slice<UnsafeBufferPointer<UInt8>>, values: [String: String]) {
        self.bytes = bytes
        self.values = values
    }

    mutating func run() -> (text: String, issues: [AdIssue]) {
        self.output.reserveCapacity(self.bytes.count)
        var written = self.bytes.startIndex
        var at = written
        while at < self.bytes.endIndex {
            switch self.bytes[at] {
            case UInt8(ascii: "$") where self.bytes[at...].starts(with: Filling.opening):
                guard let (value, end) = self.macro(at) else { break }
                self.output.append(contentsOf: self.bytes[written..<at])
                self.output.append(contentsOf: value.utf8)
                written = end
                at = end
                continue
            case UInt8(ascii: "%") where self.bytes[at...].startsIgnoringCase("%7BAUCTION_"):
                self.note("macro.escaped", at, "a macro is percent-encoded, and was left as it is")
            default: break
            }
            at += 1
        }
        self.output.append(contentsOf: self.bytes[written...])
        return (String(decoding: self.output, as: UTF8.self), self.issues)
    }

    /// The value of the macro that begins here and the place behind it; nil where it stays.
    private mutating func macro(_ start: Int) -> (value: String, end: Int)? {
        let rest = self.bytes[(start + Filling.opening.count)...]
        guard let close = rest.prefix(Filling.longestName).firstIndex(of: UInt8(ascii: "}")) else {
            self.note("macro.open", start, "${AUCTION_ begins a macro that does not end, and was left as it is")
            return nil
        }
        let inside = String(decoding: rest[..<close], as: UTF8.self)
        let parts = inside.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard PriceMacros.names.contains(parts[0]), parts.count == 1 || parts[1] == "B64" else {
            let name = "${AUCTION_\(inside.excerpt())}"
            self.note("macro.unknown", start, "\(name) is no macro that is known, and was left as it is")
            return nil
        }
        let value = self.values[parts[0]] ?? ""
        return (parts.count == 1 ? value : Base64.addressText(Array(value.utf8)), close + 1)
    }

    private mutating func note(_ code: String, _ index: Int, _ message: String) {
        guard self.issues.count < Filling.mostIssues else { return }
        self.line += self.bytes[self.counted..<index].count { $0 == 0x0A }
        self.counted = index
        self.issues.append(AdIssue(code, at: .line(self.line), message))
    }
}
