import AdCore
import LoopbackServer
import Testing

@testable import SandboxSSP

@Suite("ActiveAds' campaigns")
struct ActiveAdsCampaignTests {
    @Test("a campaign has exactly the fields of ActiveAds' protocol, with null for missing values")
    func fields() {
        var state = Samples.state()
        let response = state.active("popup")
        #expect(response.status == 200)
        #expect(
            response.text == #"""
                {"ads":[{"id":"ac710ead-0000-4000-8000-000000000040","format":"popup","title":"Ljuset är tänt i fyren","description":"Sista veckan i lamprummet.","image_url":"http://127.0.0.1:9/pictures/keeperholm.gif","cta_text":"Kom upp","cta_url":"http://127.0.0.1:9/landing?from=activeads-keeperholm","daily_bid":95},{"id":"ac710ead-0000-4000-8000-000000000041","format":"popup","title":"Regn på beställning","description":null,"image_url":null,"cta_text":"Beställ regn","cta_url":"http://127.0.0.1:9/landing?from=activeads-kumuloo","daily_bid":null}]}
                """#
        )
    }

    @Test("every format has only its own ads, and every optional field is null in some ad")
    func formats() throws {
        var seen: [AdJSON] = []
        for format in ["feed", "banner", "popup"] {
            var state = Samples.state()
            let ads = try #require(state.active(format).json?["ads"]?.array)
            #expect(!ads.isEmpty && ads.allSatisfy { $0["format"]?.string == format })
            seen += ads
        }
        for name in ["description", "image_url", "cta_text", "cta_url", "daily_bid"] {
            #expect(seen.contains { $0[name] == .null } && seen.contains { $0[name] != .null })
        }
    }

    @Test(
        "a missing or unknown format is an error",
        arguments: ["{}", #"{"format":null}"#, #"{"format":"Feed"}"#, #"{"format":""}"#, #"{"format":1}"#, "[]", ""]
    )
    func badFormat(body: String) {
        var state = Samples.state()
        let response = state.request("POST", "/functions/v1/get-active-ads", bytes: Array(body.utf8))
        #expect(response.status == 400)
        #expect(response.json?["error"]?.string?.isEmpty == false)
    }

    @Test(
        "a request that identifies its user is refused, and the error lists what does",
        arguments: [
            (["cookie": "a=b"], "", [:], ["the header \"Cookie\""]),
            (["authorization": "Bearer x"], "", [:], ["the header \"Authorization\""]),
            (["apikey": ""], "", [:], ["the header \"apikey\""]),
            ([:], "?user=1", [:], ["the query"]),
            ([:], "", ["user_id": "u-1"], ["the member \"user_id\""]),
            (
                ["apikey": "x", "cookie": "a=b"], "", ["lat": 1, "lon": 2],
                ["the header \"Cookie\"", "the header \"apikey\"", "the member \"lat\"", "the member \"lon\""]
            ),
        ] as [([String: String], String, AdJSON, [String])]
    )
    func identifying(headers: [String: String], query: String, more: AdJSON, named: [String]) throws {
        guard case .object(let members) = more else {
            Issue.record("\(more)")
            return
        }
        for (path, own) in [
            ("get-active-ads", AdJSON.Member("format", "feed")),
            ("track-ad-click", AdJSON.Member("campaign_id", .string(Campaign.pool[0].id))),
        ] {
            var state = Samples.state()
            let body = AdJSON.object([own] + members).bytes()
            let response = state.request("POST", "/functions/v1/" + path + query, headers: headers, bytes: body)
            #expect(response.status == 400)
            let list = named.joined(separator: ", ")
            #expect(
                response.json?["error"]?.string == "\(list) must not be sent: no request may identify its user"
            )
        }
    }

    @Test("the headers that every HTTP client sends are allowed")
    func neutral() {
        var state = Samples.state()
        let headers = ["user-agent": "Test/1.0", "accept": "*/*", "content-type": "application/json", "host": "h"]
        let body: AdJSON = ["format": "feed"]
        let response = state.request("POST", "/functions/v1/get-active-ads", headers: headers, bytes: body.bytes())
        #expect(response.status == 200)
    }

    @Test("paused, ended and future campaigns are not served, and dates are respected")
    func dates() {
        var state = Samples.state()
        let always = (0..<40).flatMap { _ in state.titles("feed") }
        for word in ["Pausad", "Slut", "Kommer"] { #expect(!always.contains { $0.hasPrefix(word) }) }
        #expect(!(0..<40).flatMap { _ in state.titles("feed", onDay: 19) }.contains { $0.hasPrefix("Kommer") })
        #expect((0..<40).flatMap { _ in state.titles("feed", onDay: 20) }.contains { $0.hasPrefix("Kommer") })
        #expect((0..<40).flatMap { _ in state.titles("feed", onDay: -1) }.contains { $0.hasPrefix("Slut") })
        #expect(state.titles("popup", onDay: 6).count == 2)
        #expect(state.titles("popup", onDay: 7) == ["Regn på beställning"])
    }

    @Test("a day starts at its first millisecond, also before the sandbox's start")
    func days() {
        var state = SandboxState(base: Samples.base, startTime: WallTime(milliseconds: 1000))
        for (time, day) in [(999, -1), (1000, 0), (86_400_999, 0), (86_401_000, 1), (-86_399_000, -1)] {
            _ = state.request("GET", "/", bytes: [], at: Int64(time))
            #expect(state.day == day)
        }
    }
}

@Suite("ActiveAds' ranking and selection")
struct ActiveAdsRankingTests {
    private static func campaign(_ number: Int, day: Int = 0, rate: Double = 0, bid: Double? = nil) -> Campaign {
        Campaign(
            id: "c-\(number)",
            format: .feed,
            firstDay: day,
            clickRate: rate,
            bid: bid,
            title: "Nummer \(number)",
            description: nil,
            picture: nil,
            button: nil,
            link: nil
        )
    }

    @Test(
        "the score is 50 % freshness, 30 % click-through rate and 20 % bid",
        arguments: [
            (0, 0.05, 100, 1), (0, 0, nil, 0.5), (-15, 0, nil, 0.25), (-30, 0, nil, 0), (-99, 0, nil, 0),
            (-30, 0.025, nil, 0.15), (-30, 0.5, nil, 0.3), (-30, 0, 50, 0.1), (-30, 0, 5000, 0.2), (-30, 0, 0, 0),
        ] as [(Int, Double, Double?, Double)]
    )
    func score(day: Int, rate: Double, bid: Double?, score: Double) {
        let found = Self.campaign(1, day: day, rate: rate, bid: bid).score(on: 0)
        #expect(abs(found - score) < 1e-9)
    }

    @Test("the highest score comes first, and the bid alone does not decide")
    func order() throws {
        for format in Campaign.Format.allCases {
            let ranked = Campaign.ranked(format, on: 0)
            let scores = ranked.map { $0.score(on: 0) }
            #expect(scores == scores.sorted(by: >))
            var state = Samples.state()
            let wanted = ranked.map(\.title)
            let titles = state.titles(format.rawValue)
            #expect(titles == wanted.filter(titles.contains))
        }
        let bids = Campaign.ranked(.feed, on: 0).map { $0.bid ?? 0 }
        #expect(bids != bids.sorted(by: >))
    }

    @Test("an old campaign is ranked below a newer one in time")
    func ageing() {
        let (fresh, loved) = (Self.campaign(1), Self.campaign(2, day: -30, rate: 0.05))
        #expect(fresh.score(on: 0) > loved.score(on: 0) && fresh.score(on: 20) < loved.score(on: 20))
        let ids = Campaign.ranked(.feed, on: 0).map(\.id)
        #expect(ids != Campaign.ranked(.feed, on: 30).map(\.id).filter(ids.contains))
    }

    @Test("up to eight campaigns are all served")
    func few() {
        var random = SplitMix(seed: 1)
        let eight = (0..<8).map { Self.campaign($0) }
        #expect(Campaign.rotated(eight, using: &random) == eight)
        #expect(random == SplitMix(seed: 1))
        var state = Samples.state()
        #expect((0..<5).map { _ in state.titles("banner").count } == [4, 4, 4, 4, 4])
    }

    @Test("of more than eight campaigns a random eight are served, with equal probability and in order")
    func rotation() {
        var random = SplitMix(seed: 7)
        let ten = (0..<10).map { Self.campaign($0) }
        var counts = [Int](repeating: 0, count: 10)
        for _ in 0..<2000 {
            let drawn = Campaign.rotated(ten, using: &random)
            let places = drawn.compactMap { ten.firstIndex(of: $0) }
            #expect(places.count == 8 && places == places.sorted() && Set(places).count == 8)
            for place in places { counts[place] += 1 }
        }
        // The probability is 4 in 5: 1,600 times, plus or minus five standard deviations of 18.
        #expect(counts.allSatisfy { abs($0 - 1600) < 90 })
    }

    @Test("equal seeds give equal responses, different seeds different ones")
    func seeded() {
        func answers(_ seed: UInt64) -> [[String]] {
            var state = SandboxState(base: Samples.base, seed: seed)
            return (0..<10).map { _ in state.titles("feed") }
        }
        #expect(answers(42) == answers(42))
        #expect(answers(42) != answers(43))
        #expect(Set(answers(42)).count > 1)
        #expect(Set(answers(42).joined()).count == 11)
    }

    @Test("a sandbox uses the configured seed")
    func configured() throws {
        func answers() throws -> [[UInt8]] {
            var configuration = Sandbox.Configuration()
            configuration.seed = 42
            let sandbox = try Sandbox.start(configuration)
            return try (0..<5).map { _ in
                let answer = try fetch(
                    sandbox.port,
                    "POST",
                    "/functions/v1/get-active-ads",
                    body: #"{"format":"feed"}"#
                )
                let ads = try #require(answer.json?["ads"]?.array)
                return Array(ads.compactMap { $0["id"]?.string }.joined(separator: ",").utf8)
            }
        }
        #expect(try answers() == answers())
        #expect(Sandbox.Configuration().seed != Sandbox.Configuration().seed)
    }

    @Test("the random number generator has the reference values of SplitMix64")
    func generator() {
        var random = SplitMix(seed: 1_234_567)
        let expected: [UInt64] = [
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        ]
        #expect((0..<3).map { _ in random.next() } == expected)
    }
}

@Suite("ActiveAds' clicks and pictures")
struct ActiveAdsClickTests {
    @Test("a click on any campaign is accepted, whether the campaign is active or not")
    func known() {
        var state = Samples.state()
        #expect(Set(Campaign.pool.map(\.id)).count == Campaign.pool.count)
        for campaign in Campaign.pool {
            let response = state.activeClick(campaign.id)
            #expect(response.status == 200 && response.text == #"{"success":true}"#)
        }
    }

    @Test("a click on an unknown campaign gets status 404")
    func unknown() {
        var state = Samples.state()
        let response = state.activeClick("ac710ead-0000-4000-8000-000000000099")
        #expect(response.status == 404 && response.json?["field"] == "campaign_id")
    }

    @Test(
        "a campaign id that is missing or not a string is refused",
        arguments: ["{}", #"{"campaign_id":null}"#, "[]", "", "{"]
    )
    func malformed(body: String) {
        var state = Samples.state()
        #expect(state.request("POST", "/functions/v1/track-ad-click", bytes: Array(body.utf8)).status == 400)
    }

    @Test("every picture is a complete GIF of the declared size")
    func pictures() throws {
        var state = Samples.state()
        let names = Set(Campaign.pool.compactMap(\.picture))
        for name in names {
            let response = state.request("GET", "/pictures/\(name).gif")
            #expect(response.status == 200 && response.headers["Content-Type"] == "image/gif")
            let pixels = try #require(Self.pixels(response.bytes))
            #expect(pixels.count == 96 * 54 && Set(pixels) == [0, 1, 2])
        }
        #expect(Set(names.map { Picture($0).gif }).count == names.count)
    }

    @Test(
        "an unknown picture gets status 404",
        arguments: ["", "frondolo", "frondolo.png", "other.gif", "../frondolo.gif", ".gif"]
    )
    func noPicture(name: String) {
        var state = Samples.state()
        #expect(state.request("GET", "/pictures/" + name).status == 404)
    }

    /// The color indices of a GIF with one-byte codes; nil when the file is not as expected.
    private static func pixels(_ bytes: [UInt8]) -> [UInt8]? {
        let size: [UInt8] = [96, 0, 54, 0]
        guard bytes.starts(with: Array("GIF89a".utf8) + size + [0xF6, 0, 0]) else { return nil }
        var rest = bytes.dropFirst(13 + 128 * 3)
        guard rest.starts(with: [0x2C, 0, 0, 0, 0] + size + [0, 7]) else { return nil }
        rest = rest.dropFirst(11)
        var codes: [UInt8] = []
        while let count = rest.popFirst(), count > 0 {
            codes += rest.prefix(Int(count))
            rest = rest.dropFirst(Int(count))
        }
        guard rest.elementsEqual([0x3B]), codes.first == 0x80, codes.last == 0x81 else { return nil }
        let runs = codes.dropLast().split(separator: 0x80)
        // With more codes between two clear codes a decoder would expect nine bits.
        guard runs.allSatisfy({ $0.count <= 126 }) else { return nil }
        return Array(runs.joined())
    }
}
