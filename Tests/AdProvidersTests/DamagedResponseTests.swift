import AdCore
import AdProviders
import TestSupport
import Testing

@Suite("Damaged responses")
struct DamagedResponseTests {
    private static let bid = #"""
        {"id": "r1", "cur": "USD", "seatbid": [{"seat": "s", "bid": [
          {"id": "b", "impid": "1", "price": 1.5, "mtype": 1, "w": 300, "h": 250, "exp": 90, "adid": "a",
           "adm": "<a href='https://x.example/?p=${AUCTION_PRICE}'>Buy</a>",
           "nurl": "https://t.example/win", "burl": "https://t.example/bill?p=${AUCTION_PRICE}"}]}]}
        """#
    private static let placements: [YabbiPlacement] = [
        .banner(unit: "u"), .interstitial(unit: "u"), .rewarded(unit: "u"),
    ]
    private static let answers: [(any AdProvider<YabbiPlacement>, String)] = [
        (Responses.yabbi, Responses.whole), (Responses.rtb, bid),
    ]

    @Test(
        "removed and inserted bytes never crash, and never make an invalid offer",
        arguments: 1...8 as ClosedRange<UInt64>
    )
    func bytes(seed: UInt64) {
        var random = TestRandom(seed: seed)
        for (provider, text) in DamagedResponseTests.answers {
            var offers = 0
            for round in 0..<400 {
                let body = DamagedResponseTests.torn(text, &random)
                offers += self.check(provider, body, "seed \(seed), round \(round)")
            }
            #expect(offers > 0, "seed \(seed)")
        }
    }

    @Test(
        "values of wrong types never crash, and never make an invalid offer",
        arguments: 1...8 as ClosedRange<UInt64>
    )
    func values(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        for (provider, text) in DamagedResponseTests.answers {
            let whole = try AdJSON(parsing: text)
            var offers = 0
            for round in 0..<400 {
                let damaged = DamagedResponseTests.damaged(whole, &random)
                offers += self.check(provider, damaged.bytes(), "seed \(seed), round \(round): \(damaged.text())")
            }
            #expect(offers > 0, "seed \(seed)")
        }
    }

    @Test(
        "a response that once crashed is an error",
        arguments: [#"{"type":-9223372036854775808,"adm":"<b>x</b>"}"#]
    )
    func known(body: String) {
        for (provider, _) in DamagedResponseTests.answers {
            #expect(self.check(provider, Array(body.utf8), body) == 0)
        }
    }

    /// Checks the offers or the error of a response, and returns the number of offers with HTML.
    private func check(_ provider: any AdProvider<YabbiPlacement>, _ body: [UInt8], _ round: String) -> Int {
        var offers = 0
        let response = AdHTTPResponse(status: 200, body: body, url: Responses.endpoint)
        for placement in DamagedResponseTests.placements {
            do throws(AdError) {
                let batch = try provider.offers(from: response, for: placement, in: Responses.context)
                for offer in batch.offers { offers += self.check(offer, round) ? 1 : 0 }
            } catch {
                #expect(DamagedResponseTests.codes.contains(error.code), "\(round): \(error)")
                #expect(!error.message.isEmpty && error.message.utf8.count < 1500, "\(round)")
            }
        }
        return offers
    }

    private static let codes: Set<AdError.Code> = [
        .unreadableResponse, .incompleteOffer, .unknownType, .markupMismatch, .formatMismatch, .unsupportedCreative,
    ]

    /// Checks an offer, and returns whether it is HTML.
    private func check(_ offer: Offer, _ round: String) -> Bool {
        if case .fixed(let size) = offer.size {
            #expect((0...100_000).contains(size.width) && size.width > 0, "\(round)")
            #expect((0...100_000).contains(size.height) && size.height > 0, "\(round)")
        }
        #expect((.zero ... .seconds(600)).contains(offer.rules.closeDelay ?? .zero), "\(round)")
        if let lifetime = offer.rules.lifetime {
            #expect(lifetime > .zero && lifetime <= .seconds(604_800), "\(round)")
        }
        #expect(offer.rules.kind == .banner || offer.rules.kind == .interstitial, "\(round)")
        #expect(Set(offer.beacons.map(\.event)).count == offer.beacons.count, "\(round)")
        #expect(offer.beacons.allSatisfy { $0.call.isBilling == ($0.event == .view) }, "\(round)")
        #expect(offer.issues.allSatisfy { !$0.message.isEmpty && $0.message.utf8.count < 1000 }, "\(round)")
        // A missing beacon has an issue.
        let wanted: Set<BeaconEvent> = offer.provider == "yabbi" ? [.view, .click] : [.view]
        if Set(offer.beacons.map(\.event)) != wanted { #expect(!offer.issues.isEmpty, "\(round)") }
        guard case .html(let creative) = offer.creative else { return false }
        #expect(!creative.markup.allSatisfy(\.isWhitespace) && creative.document.contains(creative.markup), "\(round)")
        return true
    }

    /// The text's bytes with a few removed and others inserted.
    static func torn(_ text: String, _ random: inout TestRandom) -> [UInt8] {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let at = Int.random(in: 0...bytes.count, using: &random)
            let end = min(bytes.count, at + Int.random(in: 0...12, using: &random))
            bytes.replaceSubrange(at..<end, with: self.pieces.randomElement(using: &random) ?? [])
        }
        return bytes
    }

    private static let pieces = [
        "null", "-1", "\"", "{", "}", "[]", "1e999", "<VAST>", "\u{0}", "\\u0000", "\\ud800", "${AUCTION_", "}", "é",
        "0x10",
        "\u{FEFF}", "<", "--", ",", ":",
    ].map { Array($0.utf8) }

    /// The value with a few parts replaced, removed or repeated.
    static func damaged(_ json: AdJSON, _ random: inout TestRandom) -> AdJSON {
        if Int.random(in: 0..<12, using: &random) == 0 { return self.oddities.randomElement(using: &random) ?? .null }
        switch json {
        case .array(let elements):
            return .array(elements.flatMap { self.copies(&random) == 0 ? [] : [self.damaged($0, &random)] })
        case .object(let members):
            return .object(
                members.flatMap { member in
                    (0..<self.copies(&random)).map { _ in
                        AdJSON.Member(member.name, self.damaged(member.value, &random))
                    }
                }
            )
        case .null, .bool, .number, .string: return json
        }
    }

    private static func copies(_ random: inout TestRandom) -> Int {
        let roll = Int.random(in: 0..<20, using: &random)
        return roll == 0 ? 0 : roll == 1 ? 2 : 1
    }

    private static let oddities: [AdJSON] =
        [
            nil, true, false, 0, 1, 2, 3, 9, -1, 4_294_967_296, "", " ", "1", "-5", "NaN", "inf", "0x1F", "1e400",
            "<VAST version='4.0'/>", "<p>x</p>", "<!-- -->", "${AUCTION_PRICE}", "https://t.example/",
            "ftp://t.example/",
            "https://[::1", [], [:], [nil], [["adm": "<p>x</p>"]], ["view": 1], "\u{0}", "\u{202E}",
        ] + ["1e999", "-0.0", "1e-320", "0.5", "18446744073709551616"].compactMap { try? AdJSON(parsing: $0) }
}
