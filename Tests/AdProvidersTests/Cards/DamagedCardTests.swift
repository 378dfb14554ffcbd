import AdCore
import AdProviders
import TestSupport
import Testing

@Suite("Damaged responses of card providers")
struct DamagedCardTests {
    @Test(
        "removed and inserted bytes never crash, and never make an invalid card",
        arguments: 1...8 as ClosedRange<UInt64>
    )
    func bytes(seed: UInt64) throws {
        var random = TestRandom(seed: TestSeed.chosen ?? seed)
        for subject in DamagedCardTests.subjects {
            var cards = 0
            for round in 0..<400 {
                let body = DamagedResponseTests.torn(subject.answer, &random)
                let place = "YABBI_SEED=\(TestSeed.chosen ?? seed), round \(round): \(Cards.text(body))"
                cards += subject.check(body, place)
            }
            #expect(cards > 0, "YABBI_SEED=\(TestSeed.chosen ?? seed)")
        }
    }

    @Test(
        "values of wrong types never crash, and never make an invalid card",
        arguments: 1...8 as ClosedRange<UInt64>
    )
    func values(seed: UInt64) throws {
        var random = TestRandom(seed: TestSeed.chosen ?? seed)
        for subject in DamagedCardTests.subjects {
            let whole = try AdJSON(parsing: subject.answer)
            var cards = 0
            for round in 0..<400 {
                let body = DamagedResponseTests.damaged(whole, &random).bytes()
                let place = "YABBI_SEED=\(TestSeed.chosen ?? seed), round \(round): \(Cards.text(body))"
                cards += subject.check(body, place)
            }
            #expect(cards > 0, "YABBI_SEED=\(TestSeed.chosen ?? seed)")
        }
    }

    private static let subjects = [
        Subject(Cards.market, AttentionMarketPlacement(userMessage: "fern"), CardExamples.decide.answer, [.click]),
        Subject(
            Cards.ceed,
            CeedAdsPlacement(conversationID: "c", messageID: "m", contextText: "fern"),
            CardExamples.ceedRequest.answer,
            [.view, .click]
        ),
        Subject(Cards.active, ActiveAdsPlacement.feed, CardExamples.activeAds.answer, [.click]),
    ]

    /// A provider, its full response, and the events that it tracks.
    private struct Subject: Sendable {
        let answer: String
        let trackedEvents: Set<BeaconEvent>
        private let read: @Sendable ([UInt8]) throws(AdError) -> OfferBatch

        init<Provider: AdProvider>(
            _ provider: Provider,
            _ placement: Provider.Placement,
            _ answer: String?,
            _ trackedEvents: Set<BeaconEvent>
        ) {
            self.answer = answer ?? ""
            self.trackedEvents = trackedEvents
            self.read = { (body) throws(AdError) in
                let response = AdHTTPResponse(status: 200, body: body, url: Responses.endpoint)
                return try provider.offers(from: response, for: placement, in: Cards.everything)
            }
        }

        /// Checks the cards or the error of a response, and returns the number of cards.
        func check(_ body: [UInt8], _ round: String) -> Int {
            do throws(AdError) {
                let batch = try self.read(body)
                #expect(batch.proposals.count == batch.offers.count, "\(round)")
                for offer in batch.offers { self.check(offer, round) }
                self.check(batch.issues, round)
                return batch.offers.count
            } catch {
                let codes: Set<AdError.Code> = [.unreadableResponse, .incompleteOffer, .unknownType, .serverStatus]
                #expect(codes.contains(error.code), "\(round)")
                #expect(!error.message.isEmpty && error.message.utf8.count < 1_500, "\(round)")
                self.check(error.issues, round)
                return 0
            }
        }

        private func check(_ issues: [AdCore.AdIssue], _ round: String) {
            for issue in issues {
                #expect(!issue.message.isEmpty && issue.message.utf8.count < 1_000, "\(round)")
                #expect(
                    issue.code.hasPrefix("json.") == (issue.place.description.hasPrefix("line")),
                    "\(round): \(issue)"
                )
            }
        }

        private func check(_ offer: Offer, _ round: String) {
            guard let card = offer.card else {
                Testing.Issue.record("not a card: \(round)")
                return
            }
            let texts: [String?] = [card.headline, card.body, card.callToAction, card.teaser, card.promoCode]
            for text in texts.compactMap({ $0 }) {
                #expect(!text.isEmpty && text.unicodeScalars.count <= 1_001, "\(round)")
            }
            #expect(card.disclosure.label == "Sponsored", "\(round)")
            #expect(card.link.map { ["http", "https"].contains($0.scheme) } ?? true, "\(round)")
            #expect(offer.rules.kind == .card && offer.rules.clickThrough == card.link, "\(round)")
            #expect(Set(offer.beacons.map(\.event)).isSubset(of: self.trackedEvents), "\(round)")
            #expect(offer.beacons.count == Set(offer.beacons.map(\.event)).count, "\(round)")
            for beacon in offer.beacons {
                #expect(beacon.call.method == .post && beacon.call.address.uncallableReason == nil, "\(round)")
                #expect((try? AdJSON(parsing: beacon.call.body ?? [])) != nil, "\(round)")
            }
            // A missing beacon has an issue; that of CeedAds' request id belongs to the batch.
            if offer.beacons.isEmpty { #expect(!offer.issues.isEmpty || offer.provider == "ceedads", "\(round)") }
            self.check(offer.issues, round)
        }
    }
}
