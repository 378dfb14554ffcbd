import AdCore
import TestSupport
import Testing

@testable import PlayCompare

@Suite("Normalization")
struct NormalizationTests {
    @Test(
        "volatile parts of a text are replaced",
        arguments: [
            ("http://127.0.0.1:40123/a", "http://127.0.0.1:{port}/a"), ("localhost:8080", "localhost:{port}"),
            ("http://[::1]:5/", "http://[::1]:{port}/"), ("http://x.localhost:99", "http://x.localhost:{port}"),
            ("127.3.2.1:80 and 127.0.0.1:81", "127.3.2.1:{port} and 127.0.0.1:{port}"),
            ("id 550e8400-e29b-41d4-a716-446655440000.", "id {id}."),
            ("click-550E8400-E29B-41D4-A716-446655440000-x", "click-{id}-x"),
            ("at 1700000000123", "at {id}"), ("12345678", "{id}"), ("v12345678b", "v{id}b"), ("0.84372619", "0.{id}"),
            ("1fe9989c0c2c879b/-/view/0/0", "{id}/-/view/0/0"), ("img_1fe9989c0c2c879b.png", "img_{id}.png"),
            ("kJ8sQ2mZ7pL4xW9vT1bY", "{id}"), ("click_kJ8sQ2mZ7pL4xW9vT1bY", "click_{id}"),
            ("aGVsbG8gd29ybGQhIQ-x_9Zk3", "{id}"), ("01ARZ3NDEKTSV4RRFFQ69G5FAV", "{id}"),
            ("k3j9x2m4q8w7e6r5t4y3", "{id}"),
            ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0", "{id}.{id}"),
            ("2026-03-09T07:05:04.012Z", "{time}"), ("from 2026-03-09 07:05 on", "from {time} on"),
            ("2026-03-09T07:05:04+01:00", "{time}"), ("2026-03-09T07%3A05%3A04Z", "{time}"),
            ("20260309T070504Z", "{time}"),
        ]
    )
    func replaced(text: String, result: String) { #expect(Normalization().text(text) == result) }

    @Test(
        "what names something stays",
        arguments: [
            "", "banner-300x250", "https://cdn.example:8443/a.png", "http://10.0.0.1:8080/", "a127.0.0.1:80",
            "http://128.0.0.1:80/", "http://127.0.0.999:80/", "localhosts:80", "localhost:123456", "1234567",
            "2026-03-09", "2026-03-09Tea", "2026-03-09T07", "deadbeef", "main.3f2a9c1b.js", "decadefacadebeef",
            "550e8400-e29b-41d4-a716", "Banner-300x250-Summer-Sale", "My-Creative-Name-2024-v2",
            "iPhone15ProMaxBanner300x250V2", "BANNER-300X250-SUMMER-SALE", "banner300x250summersale2024",
            "getElementsByClassName2", "HTML5_Banner_300x250_EN_v2", "S24_Q3_US_EN_300x250_A1_V2",
            "a1-b2-c3-d4-e5-f6-g7-h8", "thirdQuartile-SpotOne-2", "onAdVideoFirstQuartile",
            "ReferenceError: gsap is not defined", "気の長いオウムと学ぶ語学", "%%%", ":::80",
        ]
    )
    func kept(text: String) { #expect(Normalization().text(text) == text) }

    @Test(
        "two URLs that differ only in volatile parts are the same",
        arguments: [
            ("http://127.0.0.1:40123/t?ad=1", "http://127.0.0.1:3/t?ad=1"),
            ("https://a.example/?b=2&a=1", "https://a.example/?a=1&b=2"),
            ("https://a.example/?cb=1", "https://a.example/?cb=77"),
            ("https://a.example/ad;ord=123?", "https://a.example/ad;ord=9"),
            ("http://127.0.0.1:1/t?unit=source:x.html", "http://127.0.0.1:2/t?unit=source%3Atag%20two.xml"),
            ("https://a.example/?u=a%2Db", "https://a.example/?u=a-b"),
            ("https://a.example/?1700000000", "https://a.example/?1800000000"),
            ("https://a.example/?t=2026-03-09T07%3A05%3A04Z", "https://a.example/?t=2027-01-01T00%3A00%3A00Z"),
            (
                "https://a.example/?u=https%3A%2F%2Fb.example%2F%3Fx%3D1%26cb%3D5",
                "https://a.example/?u=https%3A%2F%2Fb.example%2F%3Fcb%3D6%26x%3D1"
            ),
            ("blob:http://127.0.0.1:1/550e8400-e29b-41d4-a716-446655440000", "blob:http://127.0.0.1:2/{id}"),
        ]
    )
    func same(one: String, other: String) {
        #expect(Normalization().url(one) == Normalization().url(other))
    }

    @Test(
        "two URLs that differ in anything else are not the same",
        arguments: [
            ("https://a.example/?a=1", "https://a.example/?a=2"), ("https://a.example/?a=1", "https://a.example/"),
            ("https://a.example/?a=1&a=2", "https://a.example/?a=1"), ("https://a.example/", "http://a.example/"),
            ("https://a.example/a", "https://a.example/b"), ("https://a.example/#a", "https://a.example/#b"),
            ("https://a.example/?cb=1", "https://a.example/?cb=[CACHEBUSTING]"),
            ("https://a.example/;a;b", "https://a.example/;b;a"),
            ("data:image/png;base64,aGVsbG8gd29ybGQhIQ9Zk3", "data:image/png;base64,bGVsbG8gd29ybGQhIQ9Zk3"),
            ("https://a.example/?u=https%3A%2F%2Fb.example%2F1", "https://a.example/?u=https%3A%2F%2Fb.example%2F2"),
        ]
    )
    func different(one: String, other: String) {
        #expect(Normalization().url(one) != Normalization().url(other))
    }

    @Test("the ids of the ads are replaced wherever they are, if they are long enough to be ids")
    func ids() {
        let normalization = Normalization(ids: ["ad-of-yesterday", "ad-of-yesterday-2", "ad", ""])
        #expect(normalization.text("x/ad-of-yesterday-2/ad-of-yesterday/ad") == "x/{id}/{id}/ad")
        #expect(normalization.url("https://a.example/?x=ad-of-yesterday") == "https://a.example/?x={id}")
    }

    @Test("nearly all random tokens are recognized")
    func tokens() {
        let alphabets = [
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
            "abcdefghijklmnopqrstuvwxyz0123456789", "0123456789ABCDEFGHJKMNPQRSTVWXYZ",
        ].map { Array($0.utf8) }
        var random = TestRandom(seed: TestSeed.chosen ?? 3)
        for alphabet in alphabets {
            for length in [20, 22, 32, 43] {
                let found = (0..<500).count { _ in
                    OpaqueToken.matches((0..<length).compactMap { _ in alphabet.randomElement(using: &random) }[...])
                }
                #expect(found > 450, "\(found) of 500 with \(length) of \(alphabet.count) characters")
            }
        }
    }

    @Test("a result is not changed again, whatever the text")
    func twice() {
        var mutator = Mutator(seed: TestSeed.chosen ?? 5)
        let seeds = [
            "https://a.example/x;ord=1?cb=12345678&u=https%3A%2F%2Fb.example%2F%3F2026-03-09T07%3A05Z#k",
            "127.0.0.1:80 550e8400-e29b-41d4-a716-446655440000 1fe9989c0c2c879b kJ8sQ2mZ7pL4xW9vT1bY",
        ].map { Array($0.utf8) }
        for _ in 0..<LongForm.either(50_000, short: 1_000) {
            let text = String(decoding: mutator.mutated(seeds, with: Mutator.html), as: UTF8.self)
            let once = Normalization().text(text)
            #expect(Normalization().text(once) == once, "\(text)")
            _ = Normalization().url(text)
        }
    }

    @Test("a long text takes time in proportion to its length")
    func long() {
        let parts = [
            "a-", "1", "aB3", "127.0.0.1:8", "550e8400-", "&a=%2525", "2026-03-09T07:05", ":::::80", "_", "Xkcdqwz_",
            "550e8400-e29b-41d4-a716-446655440000-",
        ]
        for part in parts {
            let text = String(repeating: part, count: 5_000)
            let time = ProcessorTime.measure { _ = Normalization().url("https://a.example/?" + text) }
            #expect(time < .seconds(10), "\(part)")
        }
    }
}
