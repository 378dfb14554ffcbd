import Testing

@testable import AdCore

@Suite("Answers that are kept")
struct OfferCacheTests {
    private let now = Moment.origin
    private let once = CachePolicy(.seconds(60), includesShown: false)
    private let always = CachePolicy(.seconds(60), includesShown: true)

    private func key(_ body: String) throws -> OfferCache.Key {
        OfferCache.Key(AdHTTPRequest(.post, try #require(HTTPURL("http://a.example/")), body: Array(body.utf8)))
    }

    private func batch(_ names: [String], areNamed: Bool = false) -> OfferBatch {
        let offers = names.map { name in
            Offer(
                provider: "test",
                creative: .card(CardCreative(headline: name, by: nil)),
                terms: ShowRules(.card),
                size: .adaptive,
                identity: areNamed ? name : nil
            )
        }
        return OfferBatch(offers: offers)
    }

    /// Takes a proposal by its place among those that are open.
    private func taken(_ cache: inout OfferCache, _ key: OfferCache.Key, _ index: Int = 0) throws -> OfferCache.Mark {
        let served = cache.look(for: key, at: self.now)
        return try self.taken(&cache, try #require(served), index)
    }

    private func taken(_ cache: inout OfferCache, _ served: OfferCache.Served, _ index: Int) throws -> OfferCache.Mark {
        let places = served.open ?? Array(served.batch.proposals.indices)
        let mark = try #require(served.mark(places[index]))
        let isTaken = cache.take(mark)
        try #require(isTaken)
        return mark
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
        _ = cache.keep(self.batch(["a"]), self.once, size: 10, for: key, at: self.now)
        #expect(self.names(cache.look(for: key, at: self.now + .milliseconds(59_999))) == ["a"])
        #expect(cache.look(for: try self.key("other"), at: self.now) == nil)
        #expect(cache.look(for: key, at: self.now + .seconds(60)) == nil)
        #expect(cache.count == 0)
    }

    @Test("are taken by one at a time, and may be again when they come back")
    func taken() throws {
        var cache = OfferCache()
        let key = try self.key("q")
        let first = cache.keep(self.batch(["a", "b"]), self.once, size: 10, for: key, at: self.now)
        #expect(self.names(cache.look(for: key, at: self.now)) == ["a", "b"], "whoever looks takes nothing")
        let a = try self.taken(&cache, first, 0)
        #expect(self.names(cache.look(for: key, at: self.now)) == ["b"])
        let again = try #require(first.mark(0))
        #expect(cache.take(again) == false, "whoever looked before is too late")
        let b = try self.taken(&cache, key)
        #expect(cache.look(for: key, at: self.now) == nil && cache.count == 1, "what is in other hands may come back")
        cache.giveBack(b)
        #expect(self.names(cache.look(for: key, at: self.now)) == ["b"])
        cache.giveBack(a)
        #expect(self.names(cache.look(for: key, at: self.now)) == ["a", "b"])
    }

    @Test("serve nothing that was shown, where that is the rule")
    func shown() throws {
        var cache = OfferCache()
        let key = try self.key("q")
        let served = cache.keep(self.batch(["a", "b"]), self.once, size: 10, for: key, at: self.now)
        let a = try self.taken(&cache, served, 0)
        cache.shown(a)
        cache.giveBack(a)
        #expect(self.names(cache.look(for: key, at: self.now)) == ["b"])
        cache.shown(try self.taken(&cache, key))
        #expect(cache.look(for: key, at: self.now) == nil && cache.count == 0)
    }

    @Test("are everybody's where what was shown may be shown again")
    func shared() throws {
        var cache = OfferCache()
        let key = try self.key("q")
        let served = cache.keep(self.batch(["a", "b"]), self.always, size: 10, for: key, at: self.now)
        for _ in 0..<3 {
            let mark = try self.taken(&cache, served, 0)
            cache.shown(mark)
            #expect(!mark.isExclusive)
            #expect(self.names(cache.look(for: key, at: self.now)) == ["a", "b"])
        }
    }

    @Test("don't try again what nothing can be made of", arguments: [true, false])
    func failed(isShared: Bool) throws {
        var cache = OfferCache()
        let key = try self.key("q")
        let keeping = isShared ? self.always : self.once
        let served = cache.keep(self.batch(["a", "b"]), keeping, size: 10, for: key, at: self.now)
        cache.failed(try #require(served.mark(0)))
        #expect(self.names(cache.look(for: key, at: self.now)) == ["b"])
        cache.failed(try #require(served.mark(1)))
        #expect(cache.look(for: key, at: self.now) == nil)
    }

    @Test("know nothing of what was taken of an older answer")
    func older() throws {
        var cache = OfferCache()
        let key = try self.key("q")
        let first = cache.keep(self.batch(["a"]), self.once, size: 10, for: key, at: self.now)
        let old = try self.taken(&cache, first, 0)
        _ = cache.keep(self.batch(["a"]), self.once, size: 10, for: key, at: self.now)
        cache.shown(old)
        let new = try self.taken(&cache, key)
        cache.giveBack(old)
        #expect(cache.look(for: key, at: self.now) == nil, "the newer one is in somebody's hands")
        cache.giveBack(new)
        #expect(self.names(cache.look(for: key, at: self.now)) == ["a"])
    }

    @Test("serve an ad that is known by its name to no other question, while one has it and once it was shown")
    func identity() throws {
        var cache = OfferCache()
        let (one, other, open) = (try self.key("one"), try self.key("other"), try self.key("open"))
        _ = cache.keep(self.batch(["a"], areNamed: true), self.once, size: 10, for: one, at: self.now)
        _ = cache.keep(self.batch(["b", "a"], areNamed: true), self.once, size: 10, for: other, at: self.now)
        _ = cache.keep(self.batch(["a"], areNamed: true), self.always, size: 10, for: open, at: self.now)
        let late = try #require(cache.look(for: other, at: self.now)?.mark(1))
        let mark = try self.taken(&cache, one)
        #expect(cache.take(late) == false)
        #expect(self.names(cache.look(for: other, at: self.now)) == ["b"])
        cache.giveBack(mark)
        #expect(self.names(cache.look(for: other, at: self.now)) == ["b", "a"])
        let again = try self.taken(&cache, one)
        cache.shown(again)
        cache.giveBack(again)
        #expect(self.names(cache.look(for: other, at: self.now)) == ["b"])
        #expect(self.names(cache.look(for: open, at: self.now)) == ["a"], "where nobody minds")
    }

    @Test("offer what the server offers anew, whoever has it from before, and then no more than once")
    func anew() throws {
        var cache = OfferCache()
        let (one, other) = (try self.key("one"), try self.key("other"))
        let first = cache.keep(self.batch(["a"], areNamed: true), self.once, size: 10, for: one, at: self.now)
        let held = try self.taken(&cache, first, 0)
        let second = cache.keep(self.batch(["a"], areNamed: true), self.once, size: 10, for: other, at: self.now)
        let anew = try self.taken(&cache, second, 0)
        cache.shown(anew)
        cache.giveBack(anew)
        cache.giveBack(held)
        #expect(cache.look(for: one, at: self.now) == nil && cache.look(for: other, at: self.now) == nil)
    }

    @Test("serve an ad that stands twice in one answer once")
    func repeated() throws {
        var cache = OfferCache()
        let key = try self.key("q")
        let served = cache.keep(
            self.batch(["a", "b", "a"], areNamed: true),
            self.once,
            size: 10,
            for: key,
            at: self.now
        )
        #expect(self.names(served) == ["a", "b"])
        let all = cache.keep(self.batch(["a", "a"], areNamed: true), self.always, size: 10, for: key, at: self.now)
        #expect(self.names(all) == ["a", "a"])
    }

    @Test("belong to whoever asked as whom: a header that differs is another question")
    func headers() throws {
        let url = try #require(HTTPURL("http://a.example/"))
        let keys = ["alice", "bob", "alice"].map {
            OfferCache.Key(AdHTTPRequest(.post, url, headers: ["Authorization": $0], body: []))
        }
        #expect(keys[0] != keys[1] && keys[0] == keys[2])
    }

    @Test("are not kept where there is no time or no ad, and an older one is forgotten all the same")
    func unkept() throws {
        var cache = OfferCache()
        let key = try self.key("q")
        _ = cache.keep(self.batch(["a"]), self.once, size: 10, for: key, at: self.now)
        _ = cache.keep(self.batch(["b"]), CachePolicy(.zero, includesShown: true), size: 10, for: key, at: self.now)
        #expect(cache.look(for: key, at: self.now) == nil)
        _ = cache.keep(self.batch([]), self.once, size: 10, for: key, at: self.now)
        #expect(cache.count == 0)
        #expect(self.names(OfferCache.Served(unkept: self.batch(["a"]))) == ["a"])
    }

    @Test("are bounded: the one that was not asked for longest goes first, and one too large is not kept at all")
    func bounded() throws {
        var cache = OfferCache(mostBytes: 1_000)
        for name in ["a", "b", "c"] {
            _ = cache.keep(self.batch([name]), self.once, size: 300, for: try self.key(name), at: self.now)
        }
        #expect(cache.look(for: try self.key("a"), at: self.now) != nil)
        _ = cache.keep(self.batch(["d"]), self.once, size: 300, for: try self.key("d"), at: self.now)
        #expect(cache.look(for: try self.key("b"), at: self.now) == nil)
        #expect(cache.look(for: try self.key("a"), at: self.now) != nil)
        _ = cache.keep(self.batch(["e"]), self.once, size: 1_001, for: try self.key("e"), at: self.now)
        #expect(cache.look(for: try self.key("e"), at: self.now) == nil)
        #expect(cache.count == 3)
    }
}
