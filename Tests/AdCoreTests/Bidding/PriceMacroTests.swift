import TestSupport
import Testing

@testable import AdCore

@Suite("Price macros")
struct PriceMacroTests {
    /// Each macro with a distinct value.
    private static let all: [(name: String, value: String)] = [
        ("ID", "r1"), ("BID_ID", "b1"), ("IMP_ID", "i1"), ("SEAT_ID", "s1"), ("AD_ID", "a1"), ("PRICE", "1.25"),
        ("CURRENCY", "EUR"), ("MBR", "0.5"), ("LOSS", ""), ("MIN_TO_WIN", ""), ("MULTIPLIER", "2.5"),
        ("IMP_TS", "1700000000123"), ("DISCOUNT_PCT", "10"), ("DISCOUNT_CPM", "0.125"),
    ]
    private static let macros = PriceMacros(
        auctionID: "r1",
        bidID: "b1",
        impressionID: "i1",
        seatID: "s1",
        adID: "a1",
        price: 1.25,
        currency: "EUR",
        marketBidRatio: 0.5,
        multiplier: 2.5,
        impressionTime: WallTime(milliseconds: 1_700_000_000_123),
        discountPercent: 10,
        discount: 0.125
    )

    @Test("a loss has its reason and what would have won; its price is that of the winner, or empty")
    func loss() {
        let names = ["PRICE", "CURRENCY", "MBR", "MULTIPLIER", "LOSS", "MIN_TO_WIN"]
        func text(_ macros: PriceMacros) -> String {
            macros.substituted(in: names.map { "${AUCTION_\($0)}" }.joined(separator: "|")).text
        }
        #expect(text(Self.macros) == "1.25|EUR|0.5|2.5||")
        #expect(text(Self.macros.lost(.outbid, minimumToWin: 1.3)) == "1.3|EUR|||102|1.3")
        #expect(text(Self.macros.lost(.belowFloor, minimumToWin: 1.5)) == "|EUR|||100|1.5")
        #expect(text(Self.macros.lost(.expired, minimumToWin: nil)) == "|EUR|||2|")
    }

    @Test("the time of the impression is filled in when it is known, and every other macro before")
    func time() {
        let text = "${AUCTION_PRICE}|${AUCTION_IMP_TS}|${AUCTION_IMP_TS:B64}|${AUCTION_PRIZE}"
        let filled = PriceMacros(price: 2).withoutTime.substituted(in: text)
        #expect(filled.text == "2|${AUCTION_IMP_TS}|${AUCTION_IMP_TS:B64}|${AUCTION_PRIZE}")
        #expect(filled.issues.map(\.code) == ["macro.unknown"])
        #expect(PriceMacros.needsTime(filled.text) && !PriceMacros.needsTime("${AUCTION_PRICE}"))
        let whole = PriceMacros.filling(WallTime(milliseconds: 7), in: filled.text)
        #expect(whole == "2|7|Nw|${AUCTION_PRIZE}")
    }

    @Test("every macro of the specification is replaced by its value or an empty string", arguments: all.indices)
    func each(index: Int) {
        let (name, value) = PriceMacroTests.all[index]
        #expect(PriceMacroTests.macros.substituted(in: "<${AUCTION_\(name)}>").text == "<\(value)>")
        let empty = PriceMacros().substituted(in: "<${AUCTION_\(name)}|${AUCTION_\(name):B64}>")
        #expect(empty.text == "<|>")
        #expect(empty.issues.isEmpty)
        #expect(Set(PriceMacroTests.all.map(\.name)) == PriceMacros.names)
    }

    @Test(
        "macros are replaced and every other byte stays",
        arguments: [
            ("p=${AUCTION_PRICE}&c=${AUCTION_CURRENCY}", "p=1.25&c=EUR"), ("${AUCTION_PRICE:B64}", "MS4yNQ"),
            ("$${AUCTION_PRICE}}", "$1.25}"), ("${AUCTION_PRICE}${AUCTION_PRICE}", "1.251.25"),
            ("no macro at all", "no macro at all"), ("", ""), ("ж${AUCTION_ID}ж", "жr1ж"),
            ("${auction_price} $ {AUCTION_PRICE} ${PRICE}", "${auction_price} $ {AUCTION_PRICE} ${PRICE}"),
        ]
    )
    func filled(text: String, filled: String) {
        let result = PriceMacroTests.macros.substituted(in: text)
        #expect(result.text == filled)
        #expect(result.issues.isEmpty)
    }

    @Test(
        "a macro that can't be replaced stays, with an issue and its line",
        arguments: [
            ("${AUCTION_PRIZE}", "macro.unknown"), ("${AUCTION_PRICE:AES}", "macro.unknown"),
            ("${AUCTION_PRICE:}", "macro.unknown"), ("${AUCTION_PRICE:B64:B64}", "macro.unknown"),
            ("${AUCTION_:B64}", "macro.unknown"), ("${AUCTION_}", "macro.unknown"), ("${AUCTION_PRICE", "macro.open"),
            ("${AUCTION_", "macro.open"), ("$%7bAUCTION_PRICE%7D", "macro.escaped"),
            ("%24%7BAUCTION_PRICE%7D", "macro.escaped"),
        ]
    )
    func leftover(text: String, code: String) {
        let result = PriceMacros(price: 1).substituted(in: "a\nb \(text)")
        #expect(result.text == "a\nb \(text)")
        #expect(result.issues.map(\.code) == [code])
        #expect(result.issues.map(\.place) == [.line(2)])
    }

    @Test("a macro inside an unclosed macro is replaced")
    func nested() {
        let result = PriceMacros(price: 1).substituted(in: "${AUCTION_${AUCTION_PRICE}")
        #expect(result.text == "${AUCTION_1")
        #expect(result.issues.count == 1)
    }

    @Test("a substituted value is not searched for macros")
    func once() {
        let macros = PriceMacros(auctionID: "${AUCTION_PRICE}", price: 7)
        #expect(macros.substituted(in: "${AUCTION_ID}").text == "${AUCTION_PRICE}")
    }

    @Test("substitution agrees with a simple reference implementation", arguments: 1...8 as ClosedRange<UInt64>)
    func property(seed: UInt64) {
        var random = TestRandom(seed: seed)
        let pieces =
            PriceMacroTests.all.filter { !$0.value.isEmpty }.map { "${AUCTION_\($0.name)}" } + [
                "${AUCTION_", "${", "$", "{", "}", "AUCTION_", "PRICE", ":B64}", "${AUCTION_PRICE:B64}", "\n", "я",
                "%7B",
                "%7bauction_", "<a href='", "${AUCTION_NOPE}", String(repeating: "x", count: 50),
            ]
        for round in 0..<500 {
            let text = (0..<Int.random(in: 0...14, using: &random))
                .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            let result = PriceMacroTests.macros.substituted(in: text)
            #expect(result.text == PriceMacroTests.reference(text), "seed \(seed), round \(round): \(text)")
            let isClean = !result.text.contains("${AUCTION_") && !result.text.asciiLowercased.contains("%7bauction_")
            #expect(result.issues.isEmpty == isClean, "seed \(seed), round \(round): \(text)")
        }
    }

    /// The reference implementation: character by character, with string comparison.
    private static func reference(_ text: String) -> String {
        let macros = Self.all.map { ("${AUCTION_\($0.name)}", $0.value) } + [("${AUCTION_PRICE:B64}", "MS4yNQ")]
        var rest = text.unicodeScalars[...]
        var output = String.UnicodeScalarView()
        while let first = rest.first {
            if let (macro, value) = macros.first(where: { rest.starts(with: $0.0.unicodeScalars) }) {
                output.append(contentsOf: value.unicodeScalars)
                rest = rest.dropFirst(macro.unicodeScalars.count)
            } else {
                output.append(first)
                rest = rest.dropFirst()
            }
        }
        return String(output)
    }

    @Test("Base64 is decodable and uses URL-safe characters only", arguments: 0...64)
    func base64(count: Int) {
        var random = TestRandom(seed: UInt64(count))
        let id = String(
            String.UnicodeScalarView(
                (0..<count).map { _ in
                    Unicode.Scalar(UInt8.random(in: 0x20...0x7E, using: &random))
                }
            )
        )
        let encoded = PriceMacros(auctionID: id).substituted(in: "${AUCTION_ID:B64}").text
        #expect(encoded.utf8.allSatisfy { $0.isASCIILetter || $0.isDigit || $0 == 0x2D || $0 == 0x5F })
        #expect(PriceMacroTests.decoded(encoded) == id)
    }

    private static func decoded(_ text: String) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        let bits = text.utf8.flatMap { byte in
            (0..<6).reversed().map { (alphabet.firstIndex(of: byte) ?? 0) >> $0 & 1 }
        }
        let bytes = stride(from: 0, to: bits.count - bits.count % 8, by: 8).map { start in
            UInt8(bits[start..<start + 8].reduce(0) { $0 << 1 | $1 })
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        "a large text full of macro prefixes is read once, and its issues are limited",
        .timeLimit(.minutes(1)),
        arguments: ["${AUCTION_", "${AUCTION_NOPE}", "${AUCTION_PRICE}", "\n%7BAUCTION_", "$", "${AUCTION_PRICE:"]
    )
    func hostile(piece: String) {
        // Reading the rest of the text at each prefix would not end within the time limit.
        let text = String(repeating: piece, count: 50_000)
        let result = PriceMacros(price: 1).substituted(in: text)
        #expect(result.issues.count <= 20)
        #expect(result.text.utf8.count == (piece == "${AUCTION_PRICE}" ? 50_000 : text.utf8.count))
    }
}
