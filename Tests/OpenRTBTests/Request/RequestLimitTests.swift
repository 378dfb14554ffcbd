import AdCore
import TestSupport
import Testing

@testable import OpenRTB

@Suite("Limits of bid requests")
struct RequestLimitTests {
    private static let long = String(repeating: "x", count: 2049)
    private static let longest = String(repeating: "x", count: 65_537)

    /// A value beyond its limit, with the issues.
    static let beyond: [(codes: [String], set: RequestFieldTests.Change)] = [
        (["tagid.long"], { $0.impression.tagID = long }), (["ua.long"], { $0.device.userAgent = long }),
        (["model.long"], { $0.device.model = long }), (["name.long"], { $0.app.name = long }),
        (["id.long"], { $0.app.publisher.id = long }), (["tid.long"], { $0.source.transactionID = long }),
        (["ifa.long"], { $0.tracking = .unstated(.init(ifa: long)) }), (["consent.long"], { $0.consent.tcf = longest }),
        (["gpp.long"], { $0.consent.gpp = longest }), (["badv.long"], { $0.blockedAdvertisers = [long] }),
        (["exp.range"], { $0.impression.lifetime = .zero }), (["exp.range"], { $0.impression.lifetime = .seconds(-1) }),
        (["exp.range"], { $0.impression.lifetime = .seconds(Int64.max) }), (["tmax.range"], { $0.timeout = .zero }),
        (["tmax.range"], { $0.timeout = .seconds(-9) }), (["tmax.range"], { $0.timeout = .seconds(Int64.max) }),
        (["tmax.range"], { $0.timeout = .microseconds(999) }), (["w.range"], { $0.device.width = 0 }),
        (["h.range"], { $0.device.height = .max }), (["ppi.range"], { $0.device.ppi = -1 }),
        (["pxratio.range"], { $0.device.pixelRatio = .nan }), (["pxratio.range"], { $0.device.pixelRatio = .infinity }),
        (["pxratio.range"], { $0.device.pixelRatio = 0 }), (["pxratio.range"], { $0.device.pixelRatio = -2 }),
        (
            ["members.many"],
            {
                $0.source.supplyChain = nil; $0.ext = deepList(many: 101, deep: 1)
            }
        ),
        (["own0.large"], { $0.ext = deepList(many: 1, deep: 40) }),
        (["own0.large"], { $0.ext = [.init("own0", .string(longest))] }),
        (["own0.large"], { $0.impression.ext = [.init("own0", .array(Array(repeating: 1, count: 40_000)))] }),
        (["one.large"], { $0.impression.prebid = .init(bidders: [.init("one", [.init("x", .string(longest))])]) }),
    ]

    /// Members with nested arrays.
    private static func deepList(many: Int, deep: Int) -> [AdJSON.Member] {
        (0..<many).map { .init("own\($0)", (0..<deep).reduce(AdJSON.null) { inner, _ in .array([inner]) }) }
    }

    @Test("a value beyond its limit is left out with an issue", arguments: beyond.indices)
    func each(index: Int) {
        var request = RequestSamples.bare
        Self.beyond[index].set(&request)
        let written = request.written()
        #expect(written.issues.map(\.code) == Self.beyond[index].codes)
        #expect(written.issues.allSatisfy { $0.message.utf8.count < 200 })
        guard Self.beyond[index].codes != ["members.many"] else { return }
        #expect(RequestFieldTests.leaves(written.json) == RequestFieldTests.leaves(RequestSamples.bare.json))
    }

    /// An impossible value of a video, with the issues.
    static let videos: [(codes: [String], set: @Sendable (inout BidRequest.Video) -> Void)] = [
        (["minduration.range"], { $0.durations = .atLeast(.seconds(-1)) }),
        (["maxduration.range"], { $0.durations = .atMost(.milliseconds(999)) }),
        (["maxduration.range"], { $0.durations = .between(.milliseconds(1100) ... .milliseconds(1900)) }),
        (["maxduration.range"], { $0.durations = .atMost(.seconds(Int64.max)) }),
        (["rqddurs.range"], { $0.durations = .exactly([.zero, .seconds(Int64.min)]) }),
        (["startdelay.range"], { $0.startDelay = .midRoll(after: .zero) }),
        (["startdelay.range"], { $0.startDelay = .midRoll(after: .seconds(-2)) }),
        (["maxbitrate.range"], { $0.maximumBitrate = 0 }),
    ]

    @Test("an impossible value of a video is left out with an issue and its place", arguments: videos.indices)
    func eachOfVideo(index: Int) {
        var request = RequestSamples.bare
        request.video = .init()
        let before = request.json
        Self.videos[index].set(&request.video)
        let written = request.written()
        #expect(written.issues.map(\.code) == Self.videos[index].codes)
        #expect(written.issues.allSatisfy { $0.place.description.hasPrefix("imp[0].video.") })
        #expect(written.json == before)
    }

    @Test("lists, nodes and issues are limited, and a chain that was cut is not complete")
    func many() {
        var request = RequestSamples.bare
        request.blockedAdvertisers = (0..<5000).map { "a\($0).example" }
        request.blockedApps = (0..<5000).map { "\($0)" + Self.long }
        request.consent.gppSections = Array(0..<5000)
        let node = SupplyChain.Node(system: "s", sellerID: "1")
        request.source.supplyChain = .init(Array(repeating: node, count: 5000), isComplete: true)
        request.banner = .init(.anyOf((1...5000).compactMap { WholeSize(width: $0, height: 1) }))
        let written = request.written()
        #expect(written.json["badv"]?.array?.count == 1000)
        #expect(written.json["bapp"] == nil)
        #expect(written.json["regs"]?["gpp_sid"]?.array?.count == 100)
        #expect(written.json["source"]?["schain"]?["nodes"]?.array?.count == 100)
        #expect(written.json["source"]?["schain"]?["complete"] == 0)
        #expect(written.json["imp"]?.array?.first?["banner"]?["format"]?.array?.count == 100)
        #expect(written.issues.count == 100)
    }

    @Test(
        "a hostile text is one string of the document",
        arguments: [
            #"","ifa":"x"#, "\u{0}", "\u{1F}\n\r\t\u{8}\u{C}", #"\"#, #"\u0000"#, "\u{2028}\u{2029}", "</script>",
            "🏳️‍🌈", "\u{202E}abc", "e\u{301}", "\u{FFFF}", "${AUCTION_PRICE}", "null", "{}", " ",
        ]
    )
    func hostile(text: String) throws {
        var request = RequestSamples.bare
        request.impression.tagID = text
        request.device.model = text
        request.app.name = text
        request.consent.tcf = text
        request.blockedApps = [text]
        request.ext = [.init(text, .string(text))]
        let json = try AdJSON(parsing: request.json.bytes(.sorted))
        #expect(json["imp"]?.array?.first?["tagid"] == .string(text))
        #expect(json["device"] == .object([.init("model", .string(text))]))
        #expect(json["app"] == .object([.init("name", .string(text))]))
        #expect(json["user"]?["consent"] == .string(text))
        #expect(json["bapp"] == .array([.string(text)]))
        #expect(json["ext"] == .object([.init(text, .string(text))]))
    }

    @Test("any numbers give a document that can be parsed, without impossible values")
    func property() throws {
        let seed = TestSeed.chosen ?? .random(in: 0 ... .max)
        var random = TestRandom(seed: seed)
        for _ in 0..<500 {
            func number() -> Int { Int(truncatingIfNeeded: random.next()) >> Int.random(in: 0...63, using: &random) }
            func duration() -> Duration { .nanoseconds(Int64(number())) }
            var request = RequestSamples.bare
            request.timeout = duration()
            request.device.width = number()
            request.device.pixelRatio = Double(bitPattern: random.next())
            request.impression.lifetime = duration()
            let (one, two) = (duration(), duration())
            request.video.durations = .between(min(one, two)...max(one, two))
            request.video.skip = .after(duration(), inVideosLongerThan: duration())
            request.video.size = WholeSize(width: number(), height: number())
            let json = try AdJSON(parsing: request.json.bytes())
            let video = json["imp"]?.array?.first?["video"]
            let comment = Comment(rawValue: "YABBI_SEED=\(seed): \(json.text())")
            #expect((json["tmax"]?.number ?? 1) >= 1, comment)
            #expect((1...100_000).contains(json["device"]?["w"]?.number ?? 1), comment)
            #expect((0.1...100).contains(json["device"]?["pxratio"]?.number ?? 1), comment)
            #expect((video?["minduration"]?.number ?? 0) <= (video?["maxduration"]?.number ?? 1e9), comment)
            #expect((video?["w"] == nil) == (video?["h"] == nil), comment)
        }
    }
}
