import AdCore
import Testing

@testable import OpenRTB

@Suite("Fields of bid requests")
struct RequestFieldTests {
    typealias Change = @Sendable (inout BidRequest) -> Void

    /// One value at a time, with the fields that it adds to a request of which nothing else is known.
    static let fields: [(fields: [String], set: Change)] = [
        (["imp.tagid=\"u\""], { $0.impression.tagID = "u" }),
        (["imp.instl=1"], { $0.impression.isInterstitial = true }),
        (["imp.rwdd=1"], { $0.impression.isRewarded = true }), (["imp.secure=1"], { $0.impression.isSecure = true }),
        (["imp.secure=0"], { $0.impression.isSecure = false }),
        (["imp.exp=90"], { $0.impression.lifetime = .milliseconds(90_900) }),
        (["imp.displaymanager=\"y\""], { $0.impression.displayManager = .init("y") }),
        (["imp.banner.h=50", "imp.banner.w=320"], { $0.banner = .init(Size(width: 320.9, height: 50)) }),
        (["imp.banner.api=6"], { $0.banner.apis = [.mraid3, .mraid3] }),
        (["imp.banner.expdir=6"], { $0.banner.expandableDirections = [.resize] }),
        (["imp.banner.btype=3"], { $0.banner.blockedTypes = [.script] }),
        (["imp.banner.mimes=\"text/html\""], { $0.banner.mimeTypes = ["", "text/html", "text/html"] }),
        (["imp.banner.pos=17"], { $0.banner.position = .reversedLShape }),
        (["app.id=\"1\""], { $0.app.id = "1" }), (["app.name=\"n\""], { $0.app.name = "n" }),
        (["app.bundle=\"b\""], { $0.app.bundle = "b" }), (["app.domain=\"d\""], { $0.app.domain = "d" }),
        (["app.ver=\"1\""], { $0.app.version = "1" }),
        (["app.cat=\"IAB1\""], { $0.app.categories = .init(["IAB1"]) }),
        (["app.cat=\"1\"", "app.cattax=9"], { $0.app.categories = .init(["1"], of: .content31) }),
        ([], { $0.app.categories = .init([""], of: .content31) }),
        (["app.publisher.id=\"p\""], { $0.app.publisher.id = "p" }),
        (["app.publisher.name=\"p\""], { $0.app.publisher.name = "p" }),
        (["app.publisher.domain=\"p\""], { $0.app.publisher.domain = "p" }),
        (["device.ua=\"u\""], { $0.device.userAgent = "u" }), ([], { $0.device.userAgent = "" }),
        (["device.devicetype=8"], { $0.device.type = .outOfHome }), (["device.make=\"m\""], { $0.device.make = "m" }),
        (["device.model=\"m\""], { $0.device.model = "m" }), (["device.os=\"o\""], { $0.device.os = "o" }),
        (["device.osv=\"1\""], { $0.device.osVersion = "1" }),
        (["device.hwv=\"1\""], { $0.device.hardwareVersion = "1" }), (["device.w=1"], { $0.device.width = 1 }),
        (["device.h=100000"], { $0.device.height = 100_000 }), (["device.ppi=326"], { $0.device.ppi = 326 }),
        (["device.pxratio=1.5"], { $0.device.pixelRatio = 1.5 }),
        (["device.language=\"en\""], { $0.device.language = .iso639("en") }),
        (["device.langb=\"fil\""], { $0.device.language = .bcp47("fil") }),
        (["device.carrier=\"c\""], { $0.device.carrier = "c" }),
        (["device.connectiontype=1"], { $0.device.connection = .ethernet }),
        (["device.dnt=1"], { $0.device.doesNotTrack = true }), (["device.dnt=0"], { $0.device.doesNotTrack = false }),
        (["device.lmt=1"], { $0.tracking = .limited }), (["device.lmt=0"], { $0.tracking = .unrestricted(.init()) }),
        (["device.ifa=\"i\""], { $0.tracking = .unstated(.init(ifa: "i")) }),
        (["user.id=\"u\""], { $0.tracking = .unstated(.init(userID: "u")) }),
        ([], { $0.tracking = .unstated(.init(geo: .init())) }),
        (
            ["device.geo.country=\"BGR\"", "device.geo.type=3"],
            {
                var geo = BidRequest.Geo(type: .userProvided)
                geo.country = "BGR"
                $0.tracking = .unstated(.init(geo: geo))
            }
        ),
        (["source.fd=0"], { $0.source.decision = .exchange }),
        (["source.tid=\"t\""], { $0.source.transactionID = "t" }),
        ([], { $0.source.supplyChain = .init([], isComplete: true) }), (["test=1"], { $0.isTest = true }),
        (["at=2"], { $0.auction = .secondPrice }), (["allimps=1"], { $0.isOnlyImpression = true }),
        (["tmax=1500"], { $0.timeout = .milliseconds(1500) }),
        (["cur=\"EUR\""], { $0.currencies = [AdCurrency("EUR"), AdCurrency("EUR")].compactMap { $0 } }),
        (["bcat=\"IAB26\""], { $0.blockedCategories = .init(["IAB26"]) }),
        (["badv=\"a.example\""], { $0.blockedAdvertisers = ["a.example"] }),
        (["bapp=\"1\""], { $0.blockedApps = ["1"] }), (["ext.own=1"], { $0.ext = [.init("own", 1)] }),
        (["imp.ext.own=null"], { $0.impression.ext = [.init("own", .null)] }),
    ]

    @Test("each value adds its fields and no other", arguments: fields.indices)
    func each(index: Int) {
        let (fields, set) = Self.fields[index]
        var request = RequestSamples.bare
        set(&request)
        let written = request.written()
        #expect(written.issues == [])
        let added = Self.leaves(written.json).filter { !Self.leaves(RequestSamples.bare.json).contains($0) }
        #expect(added.sorted() == fields.sorted())
    }

    /// One value of a video at a time, with the fields that it adds.
    static let videos: [(fields: [String], set: @Sendable (inout BidRequest.Video) -> Void)] = [
        (["w=640", "h=360"], { $0.size = WholeSize(width: 640, height: 360) }),
        (["protocols=2"], { $0.protocols = [.vast2] }),
        (["minduration=3"], { $0.durations = .atLeast(.milliseconds(2001)) }),
        (["maxduration=2"], { $0.durations = .atMost(.milliseconds(2999)) }),
        (["minduration=0", "maxduration=30"], { $0.durations = .between(.zero ... .seconds(30)) }),
        (["rqddurs=15", "rqddurs=30"], { $0.durations = .exactly([.seconds(15), .seconds(30), .seconds(15)]) }),
        (["startdelay=0"], { $0.startDelay = .preRoll }),
        (["startdelay=15"], { $0.startDelay = .midRoll(after: .seconds(15)) }),
        (["startdelay=-1"], { $0.startDelay = .genericMidRoll }),
        (["startdelay=-2"], { $0.startDelay = .genericPostRoll }), (["plcmt=9"], { $0.plcmt = .inScene }),
        (["placement=2"], { $0.placement = .inBanner }), (["linearity=2"], { $0.linearity = .nonLinear }),
        (["skip=0"], { $0.skip = .byMarkupOnly }),
        (["skip=1"], { $0.skip = .after(.zero, inVideosLongerThan: .zero) }),
        (["skip=1", "skipafter=6"], { $0.skip = .after(.milliseconds(5001), inVideosLongerThan: .zero) }),
        (["skip=1", "skipmin=15"], { $0.skip = .after(.zero, inVideosLongerThan: .seconds(15)) }),
        (["api=8"], { $0.apis = [.simid10] }), (["playbackmethod=1"], { $0.playback = .automaticWithSound }),
        (["maxbitrate=800"], { $0.maximumBitrate = 800 }), (["delivery=1"], { $0.delivery = [.streaming] }),
        (["pos=7"], { $0.position = .fullScreen }),
    ]

    @Test("each value of a video adds its fields and no other", arguments: videos.indices)
    func eachOfVideo(index: Int) {
        let (fields, set) = Self.videos[index]
        var request = RequestSamples.bare
        request.video = .init()
        let before = Self.leaves(request.json)
        set(&request.video)
        let written = request.written()
        #expect(written.issues == [])
        let added = Self.leaves(written.json).filter { !before.contains($0) }
        #expect(added.sorted() == fields.map { "imp.video.\($0)" }.sorted())
    }

    /// The path and the value of each field, without the indices of arrays.
    static func leaves(_ json: AdJSON, _ path: String = "") -> [String] {
        switch json {
        case .object(let members):
            members.flatMap { Self.leaves($0.value, path.isEmpty ? $0.name : "\(path).\($0.name)") }
        case .array(let elements): elements.flatMap { Self.leaves($0, path) }
        default: ["\(path)=\(json.text())"]
        }
    }
}
