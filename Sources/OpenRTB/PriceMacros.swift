public import AdCore

/// The values of `${AUCTION_…}` macros, and how they get into markup and addresses.
///
/// A macro without a value becomes nothing, as the specification wants. `:B64` behind a name asks for base 64, which is
/// written in the alphabet for addresses and without padding, because that is where prices go. What is no macro of the
/// specification, and another encoding than that, stays as it is and is an issue.
public struct PriceMacros: Hashable, Sendable {
    private let values: [String: String]

    /// Values; what is not known is left out.
    public init(
        auctionID: String? = nil,
        bidID: String? = nil,
        impressionID: String? = nil,
        seatID: String? = nil,
        adID: String? = nil,
        price: Double? = nil,
        currency: String? = nil
    ) {
        self.values = [
            "ID": auctionID, "BID_ID": bidID, "IMP_ID": impressionID, "SEAT_ID": seatID, "AD_ID": adID,
            "PRICE": price.flatMap { JSON.Number($0)?.text }, "CURRENCY": currency,
        ].compactMapValues { $0 }
    }

    private static let names: Set<String> = [
        "ID", "BID_ID", "IMP_ID", "SEAT_ID", "AD_ID", "PRICE", "CURRENCY", "MBR", "LOSS", "MIN_TO_WIN", "MULTIPLIER",
        "IMP_TS", "DISCOUNT_PCT", "DISCOUNT_CPM",
    ]
    private static let opening = Array("${AUCTION_".utf8)
    private static let longestName = 40

    /// The text with every macro replaced, and what could not be.
    public func filled(_ text: String) -> (text: String, issues: [Issue]) {
        guard text.utf8.contains(UInt8(ascii: "$")) else { return (text, []) }
        let bytes = Array(text.utf8)
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var issues: [Issue] = []
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "$"), bytes[index...].starts(with: PriceMacros.opening),
                let macro = self.macro(bytes[(index + PriceMacros.opening.count)...])
            else {
                output.append(bytes[index])
                index += 1
                continue
            }
            switch macro {
            case .value(let value, let length):
                output.append(contentsOf: value.utf8)
                index += PriceMacros.opening.count + length
            case .unknown(let name):
                if issues.count < 20 {
                    let line = bytes[..<index].count { $0 == 0x0A } + 1
                    issues.append(
                        Issue(
                            "macro.unknown",
                            at: .line(line),
                            "${AUCTION_\(name)} is no macro that is known, and was left as it is"
                        )
                    )
                }
                output.append(bytes[index])
                index += 1
            }
        }
        return (String(decoding: output, as: UTF8.self), issues)
    }

    private enum Macro {
        case value(String, length: Int)
        case unknown(String)
    }

    private func macro(_ rest: ArraySlice<UInt8>) -> Macro? {
        guard let end = rest.prefix(PriceMacros.longestName).firstIndex(of: UInt8(ascii: "}")) else { return nil }
        let inside = String(decoding: rest[..<end], as: UTF8.self)
        let parts = inside.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard PriceMacros.names.contains(parts[0]), parts.count == 1 || parts[1] == "B64" else {
            return .unknown(inside)
        }
        let value = self.values[parts[0]] ?? ""
        let length = end - rest.startIndex + 1
        return .value(parts.count == 1 ? value : PriceMacros.base64(value), length: length)
    }

    private static func base64(_ text: String) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var output: [UInt8] = []
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let group = bytes.prefix(3)
            bytes = bytes.dropFirst(3)
            let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * (3 - group.count))
            for position in 0...group.count { output.append(alphabet[Int(bits >> (18 - 6 * position) & 63)]) }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
