import Testing

@testable import AdCore

@Suite("Answers that are kept")
struct OfferCacheTests {
    private let now = Moment.origin

    private func key(_ body: String) throws -> OfferCache.Key {
        OfferCache.Key(HTTPRequest(.post, try #require(HTTPURL("http://a.example/")), body: Array(body.utf8)))
    }

    private func batch(_ names: [String], _ keeping: Keeping? = Keeping(.seconds(60), includesShown: false))
        -> OfferBatch
    {
        let offers = names.map { name in
            Offer(
                provider: "test",
                creative: .card(CardCreative(headline: name, by: nil)),
                terms: ShowTerms(.card),
                size: .adaptive
            )
        }
        return OfferBatch(offers: offers, keeping: keeping)
    }

    private func names(_ kept: OfferCache.Kept?) -> [String]? {
        kept?.open.compactMap { entry in
            guard case .offer(let offer) = entry.proposal, case .card(let card) = offer.creative else { return nil }
            return card.headline
        }
    }

    @Test("serve the same question as long as they may, and no other")
    func fresh() throws {
        var cache = OfferCache()
        let key = try self.key("q")
        _ = cache.keep(self.batch(["a"]), size: 10, for: key, at: self.now)
        #expect(self.names(cache.kept(for: key, at: self.now + .milliseconds(59_999))) == ["a"])
        #expect(cache.kept(for: try self.key("other"), at: self.now) == nil)
        #expect(cache.kept(for: key, at: self.now + .seconds(60)) == nil)
        #expect(cache.count == 0)
    }

    @Test("serve nothing that was shown, where that is the rule")
    func shown() throws {
        var cache = OfferCache()
        let key = try self.key("q")
        let marks = cache.keep(self.batch(["a", "b"]), size: 10, for: key, at: self.now)
        cache.shown(marks[0])
        #expect(self.names(cache.kept(for: key, at: self.now)) == ["b"])
        cache.shown(marks[1])
        #expect(cache.kept(for: key, at: self.now) == nil)

        let again = cache.keep(
            self.batch(["a"], Keeping(.seconds(60), includesShown: true)),
            size: 10,
            for: key,
            at: self.now
        )
        cache.shown(again[0])
        #expect(self.names(cache.kept(for: key, at: self.now)) == ["a"])
        // What was shown of an older answer says nothing of the newer one.
        _ = cache.keep(self.batch(["c"]), size: 10, for: key, at: self.now)
        cache.shown(again[0])
        #expect(self.names(cache.kept(for: key, at: self.now)) == ["c"])
    }

    @Test("are not kept where the provider says nothing, or there is no ad, and an older one is forgotten all the same")
    func unkept() throws {
        var cache = OfferCache()
        let key = try self.key("q")
        _ = cache.keep(self.batch(["a"]), size: 10, for: key, at: self.now)
        #expect(cache.keep(self.batch(["b"], nil), size: 10, for: key, at: self.now).count == 1)
        #expect(cache.kept(for: key, at: self.now) == nil)
        _ = cache.keep(self.batch([]), size: 10, for: key, at: self.now)
        #expect(cache.count == 0)
    }

    @Test("are bounded: the one that was not asked for longest goes first, and one too large is not kept at all")
    func bounded() throws {
        var cache = OfferCache(mostBytes: 1_000)
        for name in ["a", "b", "c"] {
            _ = cache.keep(self.batch([name]), size: 300, for: try self.key(name), at: self.now)
        }
        #expect(cache.kept(for: try self.key("a"), at: self.now) != nil)
        _ = cache.keep(self.batch(["d"]), size: 300, for: try self.key("d"), at: self.now)
        #expect(cache.kept(for: try self.key("b"), at: self.now) == nil)
        #expect(cache.kept(for: try self.key("a"), at: self.now) != nil)
        _ = cache.keep(self.batch(["e"]), size: 1_001, for: try self.key("e"), at: self.now)
        #expect(cache.kept(for: try self.key("e"), at: self.now) == nil)
        #expect(cache.count == 3)
    }
}
