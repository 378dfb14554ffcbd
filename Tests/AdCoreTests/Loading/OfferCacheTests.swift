import Testing

@testable import AdCore

@Suite("Answers that are kept")
struct OfferCacheTests {
    private let now = Moment.origin
    private let once = Keeping(.seconds(60), includesShown: false)
    private let always = Keeping(.seconds(60), includesShown: true)

    private func key(_ body: String) throws -> OfferCache.Key {
        OfferCache.Key(HTTPRequest(.post, try #require(HTTPURL("http://a.example/")), body: Array(body.utf8)))
    }

    private func batch(_ names: [String], areNamed: Bool = false) -> OfferBatch {
        let offers = names.map { name in
            Offer(
                provider: "test",
                creative: .card(CardCreative(headline: name, by: nil)),
                terms: ShowTerms(.card),
                size: .adaptive,
                identity: areNamed ? name : nil
            )
        }
        return OfferBatch(offers: offers)
    }

    private func taken(_ cache: inout OfferCache, _ key: OfferCache.Key) throws -> OfferCache.Served {
        let served = cache.take(for: key, at: self.now)
        return try #require(served)
    }

    private func names(_ served: OfferCache.Served?) -> [String]? {
        served.map { served in
            let all = served.batch.offers
            return (served.open ?? Array(all.indices)).compactMap { place in
                guard case .card(let card) = all[place].creative else { return nil }
                return card.headline
            }
        }
    }

    @Test("serve the same question as long as they may, and no other")
    func fresh() throws {
        var cache = OfferCache()
        let key = try self.key("q")
        cache.keep(self.batch(["a"]), self.once, size: 10, for: key, at: self.now)
        #expect(self.names(cache.look(for: key, at: self.now + .milliseconds(59_999))) == ["a"])
        #expect(cache.look(for: try self.key("other"), at: self.now) == nil)
        #expect(cache.take(for: key, at: self.now + .seconds(60)) == nil)
        #expect(cache.count == 0)
    }

    @Test("are handed out to one at a time, and again when they come back")
    func handedOut() throws {
        var cache = OfferCache()
        let key = try self.key("q")
        cache.keep(self.batch(["a", "b"]), self.once, size: 10, for: key, at: self.now)
        #expect(self.names(cache.look(for: key, at: self.now)) == ["a", "b"], "whoever looks takes nothing")
        let taken = try self.taken(&cache, key)
        #expect(self.names(taken) == ["a", "b"] && taken.marks.count == 2 && taken.isKept)
        #expect(cache.take(for: key, at: self.now) == nil && cache.look(for: key, at: self.now) == nil)
        #expect(cache.count == 1, "what is in other hands may come back")
        cache.giveBack(taken.marks[1])
        let again = try self.taken(&cache, key)
        #expect(self.names(again) == ["b"])
        cache.giveBack(again.marks[0])
        cache.giveBack(taken.marks[0])
        #expect(self.names(cache.look(for: key, at: self.now)) == ["a", "b"])
    }

    @Test("serve nothing that was shown, where that is the rule")
    func shown() throws {
        var cache = OfferCache()
        let key = try self.key("q")
        cache.keep(self.batch(["a", "b"]), self.once, size: 10, for: key, at: self.now)
        let taken = try self.taken(&cache, key)
        cache.shown(taken.marks[0])
        for mark in taken.marks { cache.giveBack(mark) }
        let left = try self.taken(&cache, key)
        #expect(self.names(left) == ["b"])
        cache.shown(left.marks[0])
        #expect(cache.take(for: key, at: self.now) == nil && cache.count == 0)
    }

    @Test("are everybody's where what was shown may be shown again")
    func shared() throws {
        var cache = OfferCache()
        let key = try self.key("q")
        cache.keep(self.batch(["a", "b"]), self.always, size: 10, for: key, at: self.now)
        for _ in 0..<3 {
            let served = try self.taken(&cache, key)
            #expect(self.names(served) == ["a", "b"] && served.marks.isEmpty && served.isKept)
        }
    }

    @Test("know nothing of what was handed out of an older answer")
    func older() throws {
        var cache = OfferCache()
        let key = try self.key("q")
        cache.keep(self.batch(["a"]), self.once, size: 10, for: key, at: self.now)
        let old = try self.taken(&cache, key).marks[0]
        cache.keep(self.batch(["a"]), self.once, size: 10, for: key, at: self.now)
        cache.shown(old)
        let new = try self.taken(&cache, key)
        cache.giveBack(old)
        #expect(cache.take(for: key, at: self.now) == nil, "the newer one is in somebody's hands")
        cache.giveBack(new.marks[0])
        #expect(self.names(cache.look(for: key, at: self.now)) == ["a"])
    }

    @Test("serve an ad that was shown to no other question either, where it is known again by its name")
    func identity() throws {
        var cache = OfferCache()
        let (one, other, open) = (try self.key("one"), try self.key("other"), try self.key("open"))
        cache.keep(self.batch(["a"], areNamed: true), self.once, size: 10, for: one, at: self.now)
        cache.keep(self.batch(["b", "a"], areNamed: true), self.once, size: 10, for: other, at: self.now)
        cache.keep(self.batch(["a"], areNamed: true), self.always, size: 10, for: open, at: self.now)
        cache.shown(try self.taken(&cache, one).marks[0])
        #expect(self.names(cache.look(for: other, at: self.now)) == ["b"])
        #expect(self.names(cache.look(for: open, at: self.now)) == ["a"], "where nobody minds")
        // What the server offers from now on it offers anew.
        cache.keep(self.batch(["a"], areNamed: true), self.once, size: 10, for: one, at: self.now)
        #expect(self.names(cache.look(for: one, at: self.now)) == ["a"])
    }

    @Test("are not kept where there is no time or no ad, and an older one is forgotten all the same")
    func unkept() throws {
        var cache = OfferCache()
        let key = try self.key("q")
        cache.keep(self.batch(["a"]), self.once, size: 10, for: key, at: self.now)
        cache.keep(self.batch(["b"]), Keeping(.zero, includesShown: true), size: 10, for: key, at: self.now)
        #expect(cache.look(for: key, at: self.now) == nil)
        cache.keep(self.batch([]), self.once, size: 10, for: key, at: self.now)
        #expect(cache.count == 0)
        #expect(self.names(OfferCache.Served(unkept: self.batch(["a"]))) == ["a"])
    }

    @Test("are bounded: the one that was not asked for longest goes first, and one too large is not kept at all")
    func bounded() throws {
        var cache = OfferCache(mostBytes: 1_000)
        for name in ["a", "b", "c"] {
            cache.keep(self.batch([name]), self.once, size: 300, for: try self.key(name), at: self.now)
        }
        #expect(cache.look(for: try self.key("a"), at: self.now) != nil)
        cache.keep(self.batch(["d"]), self.once, size: 300, for: try self.key("d"), at: self.now)
        #expect(cache.look(for: try self.key("b"), at: self.now) == nil)
        #expect(cache.look(for: try self.key("a"), at: self.now) != nil)
        cache.keep(self.batch(["e"]), self.once, size: 1_001, for: try self.key("e"), at: self.now)
        #expect(cache.look(for: try self.key("e"), at: self.now) == nil)
        #expect(cache.count == 3)
    }
}
