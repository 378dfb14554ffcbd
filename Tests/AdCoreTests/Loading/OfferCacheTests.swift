import Testing

@testable import AdCore

@Suite("The cache of responses")
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
                rules: ShowRules(.card),
                size: .adaptive,
                identity: areNamed ? name : nil
            )
        }
        return OfferBatch(offers: offers)
    }

    /// Reserves a proposal by its index among those that may be served.
    private func reserved(
        _ cache: inout OfferCache,
        _ key: OfferCache.Key,
        _ index: Int = 0
    ) throws -> OfferCache.ProposalID {
        let served = cache.lookUp(for: key, at: self.now)
        return try self.reserved(&cache, try #require(served), index)
    }

    private func reserved(
        _ cache: inout OfferCache,
        _ served: OfferCache.Served,
        _ index: Int
    ) throws -> OfferCache.ProposalID {
        let indices = served.open ?? Array(served.batch.proposals.indices)
        let proposalID = try #require(served.proposalID(indices[index]))
        let isReserved = cache.reserve(proposalID)
        try #require(isReserved)
        return proposalID
    }

    private func names(_ served: OfferCache.Served?) -> [String]? {
        served.map { served in
            let all = served.batch.offers
            return (served.open ?? Array(all.indices)).compactMap { index in
                guard case .card(let card) = all[index].creative else { return nil }
                return card.headline
            }
        }
    }

    @Test("a response is served for the same request only, until it expires")
    func fresh() throws {
        var cache = OfferCache()
        let key = try self.key("q")
        _ = cache.store(self.batch(["a"]), self.once, size: 10, for: key, at: self.now)
        #expect(self.names(cache.lookUp(for: key, at: self.now + .milliseconds(59_999))) == ["a"])
        #expect(cache.lookUp(for: try self.key("other"), at: self.now) == nil)
        #expect(cache.lookUp(for: key, at: self.now + .seconds(60)) == nil)
        #expect(cache.count == 0)
    }

    @Test("an ad is reserved by one load at a time, and again after a release")
    func reserved() throws {
        var cache = OfferCache()
        let key = try self.key("q")
        let first = cache.store(self.batch(["a", "b"]), self.once, size: 10, for: key, at: self.now)
        #expect(self.names(cache.lookUp(for: key, at: self.now)) == ["a", "b"], "a lookup reserves nothing")
        let a = try self.reserved(&cache, first, 0)
        #expect(self.names(cache.lookUp(for: key, at: self.now)) == ["b"])
        let again = try #require(first.proposalID(0))
        #expect(cache.reserve(again) == false, "it is reserved already")
        let b = try self.reserved(&cache, key)
        #expect(cache.lookUp(for: key, at: self.now) == nil && cache.count == 1, "a reserved ad may be released")
        cache.release(b)
        #expect(self.names(cache.lookUp(for: key, at: self.now)) == ["b"])
        cache.release(a)
        #expect(self.names(cache.lookUp(for: key, at: self.now)) == ["a", "b"])
    }

    @Test("without includesShown, a shown ad is not served again")
    func shown() throws {
        var cache = OfferCache()
        let key = try self.key("q")
        let served = cache.store(self.batch(["a", "b"]), self.once, size: 10, for: key, at: self.now)
        let a = try self.reserved(&cache, served, 0)
        cache.markShown(a)
        cache.release(a)
        #expect(self.names(cache.lookUp(for: key, at: self.now)) == ["b"])
        cache.markShown(try self.reserved(&cache, key))
        #expect(cache.lookUp(for: key, at: self.now) == nil && cache.count == 0)
    }

    @Test("with includesShown, every ad is served to every load")
    func shared() throws {
        var cache = OfferCache()
        let key = try self.key("q")
        let served = cache.store(self.batch(["a", "b"]), self.always, size: 10, for: key, at: self.now)
        for _ in 0..<3 {
            let proposalID = try self.reserved(&cache, served, 0)
            cache.markShown(proposalID)
            #expect(!proposalID.isExclusive)
            #expect(self.names(cache.lookUp(for: key, at: self.now)) == ["a", "b"])
        }
    }

    @Test("a failed proposal is not served again", arguments: [true, false])
    func failed(isShared: Bool) throws {
        var cache = OfferCache()
        let key = try self.key("q")
        let policy = isShared ? self.always : self.once
        let served = cache.store(self.batch(["a", "b"]), policy, size: 10, for: key, at: self.now)
        cache.markFailed(try #require(served.proposalID(0)))
        #expect(self.names(cache.lookUp(for: key, at: self.now)) == ["b"])
        cache.markFailed(try #require(served.proposalID(1)))
        #expect(cache.lookUp(for: key, at: self.now) == nil)
    }

    @Test("a response is not affected by reservations of an older one")
    func older() throws {
        var cache = OfferCache()
        let key = try self.key("q")
        let first = cache.store(self.batch(["a"]), self.once, size: 10, for: key, at: self.now)
        let old = try self.reserved(&cache, first, 0)
        _ = cache.store(self.batch(["a"]), self.once, size: 10, for: key, at: self.now)
        cache.markShown(old)
        let new = try self.reserved(&cache, key)
        cache.release(old)
        #expect(cache.lookUp(for: key, at: self.now) == nil, "the newer one is reserved")
        cache.release(new)
        #expect(self.names(cache.lookUp(for: key, at: self.now)) == ["a"])
    }

    @Test("an ad is not served for another request while it is reserved or after it was shown")
    func identity() throws {
        var cache = OfferCache()
        let (one, other, open) = (try self.key("one"), try self.key("other"), try self.key("open"))
        _ = cache.store(self.batch(["a"], areNamed: true), self.once, size: 10, for: one, at: self.now)
        _ = cache.store(self.batch(["b", "a"], areNamed: true), self.once, size: 10, for: other, at: self.now)
        _ = cache.store(self.batch(["a"], areNamed: true), self.always, size: 10, for: open, at: self.now)
        let late = try #require(cache.lookUp(for: other, at: self.now)?.proposalID(1))
        let proposalID = try self.reserved(&cache, one)
        #expect(cache.reserve(late) == false)
        #expect(self.names(cache.lookUp(for: other, at: self.now)) == ["b"])
        cache.release(proposalID)
        #expect(self.names(cache.lookUp(for: other, at: self.now)) == ["b", "a"])
        let again = try self.reserved(&cache, one)
        cache.markShown(again)
        cache.release(again)
        #expect(self.names(cache.lookUp(for: other, at: self.now)) == ["b"])
        #expect(self.names(cache.lookUp(for: open, at: self.now)) == ["a"], "includesShown serves it again")
    }

    @Test("a new response serves an ad that is reserved in an older one, and then only once")
    func anew() throws {
        var cache = OfferCache()
        let (one, other) = (try self.key("one"), try self.key("other"))
        let first = cache.store(self.batch(["a"], areNamed: true), self.once, size: 10, for: one, at: self.now)
        let held = try self.reserved(&cache, first, 0)
        let second = cache.store(self.batch(["a"], areNamed: true), self.once, size: 10, for: other, at: self.now)
        let anew = try self.reserved(&cache, second, 0)
        cache.markShown(anew)
        cache.release(anew)
        cache.release(held)
        #expect(cache.lookUp(for: one, at: self.now) == nil && cache.lookUp(for: other, at: self.now) == nil)
    }

    @Test("an ad that a response repeats is served once")
    func repeated() throws {
        var cache = OfferCache()
        let key = try self.key("q")
        let served = cache.store(
            self.batch(["a", "b", "a"], areNamed: true),
            self.once,
            size: 10,
            for: key,
            at: self.now
        )
        #expect(self.names(served) == ["a", "b"])
        let all = cache.store(self.batch(["a", "a"], areNamed: true), self.always, size: 10, for: key, at: self.now)
        #expect(self.names(all) == ["a", "a"])
    }

    @Test("requests with different headers have separate responses")
    func headers() throws {
        let url = try #require(HTTPURL("http://a.example/"))
        let keys = ["alice", "bob", "alice"].map {
            OfferCache.Key(AdHTTPRequest(.post, url, headers: ["Authorization": $0], body: []))
        }
        #expect(keys[0] != keys[1] && keys[0] == keys[2])
    }

    @Test("a response without a duration or an ad is not stored, but removes an older one")
    func uncached() throws {
        var cache = OfferCache()
        let key = try self.key("q")
        _ = cache.store(self.batch(["a"]), self.once, size: 10, for: key, at: self.now)
        _ = cache.store(self.batch(["b"]), CachePolicy(.zero, includesShown: true), size: 10, for: key, at: self.now)
        #expect(cache.lookUp(for: key, at: self.now) == nil)
        _ = cache.store(self.batch([]), self.once, size: 10, for: key, at: self.now)
        #expect(cache.count == 0)
        #expect(self.names(OfferCache.Served(uncached: self.batch(["a"]))) == ["a"])
    }

    @Test("the cache is bounded in bytes: the least recently used response is removed first")
    func bounded() throws {
        var cache = OfferCache(byteLimit: 1_000)
        for name in ["a", "b", "c"] {
            _ = cache.store(self.batch([name]), self.once, size: 300, for: try self.key(name), at: self.now)
        }
        #expect(cache.lookUp(for: try self.key("a"), at: self.now) != nil)
        _ = cache.store(self.batch(["d"]), self.once, size: 300, for: try self.key("d"), at: self.now)
        #expect(cache.lookUp(for: try self.key("b"), at: self.now) == nil)
        #expect(cache.lookUp(for: try self.key("a"), at: self.now) != nil)
        _ = cache.store(self.batch(["e"]), self.once, size: 1_001, for: try self.key("e"), at: self.now)
        #expect(cache.lookUp(for: try self.key("e"), at: self.now) == nil)
        #expect(cache.count == 3)
    }
}
