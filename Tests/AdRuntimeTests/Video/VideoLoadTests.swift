import AdCore
import AdMarkup
import Testing
import YabbiTesting

@testable import AdRuntime

@Suite("From a video's markup to an offer")
struct VideoLoadTests {
    @Test(
        "wrappers are followed with the request's user agent and replaced macros, and their inline ad is played"
    )
    func wrappers() async throws {
        let world = VideoWorld([
            "/2?cb=10000003": .xml(Tag.vast(Tag.wrapper("w2", to: "/3"))), "/3": .xml(Tag.vast(Tag.inline("video"))),
        ])
        let ad = try await world.loader.load([.video(Tag.vast(Tag.wrapper("w1", to: "/2?cb=[CACHEBUSTING]")))])
        #expect(world.documentRequests == ["/2?cb=10000003", "/3"])
        #expect(
            world.transport.requests.filter { $0.url.host == "vast.example" }.allSatisfy {
                $0.headers["User-Agent"] == "Test/1.0"
            }
        )
        let offer = try #require(ad.offer)
        guard case .video(let video) = offer.creative, case .media(let files) = video.spots[0].content else {
            Issue.record("the offer is no video")
            return
        }
        #expect(files.map(\.url.text) == ["http://m.example/video.mp4"])
        #expect(offer.rules.video?.duration == .seconds(8))
        let impressions = offer.videoBeacons.all.filter { $0.event == .impression }
        #expect(impressions.map(\.url.text) == ["w1", "w2", "video"].map { "http://t.example/\($0)/impression" })
        #expect(impressions.map(\.depth) == [0, 1, 2])
    }

    @Test("a relative VASTAdTagURI is resolved against the wrapper's URL")
    func relative() async throws {
        let relative = Tag.vast(
            "<Ad><Wrapper><AdSystem>S</AdSystem><VASTAdTagURI>../deep/er?x</VASTAdTagURI></Wrapper></Ad>"
        )
        let world = VideoWorld(["/a/b": .xml(relative), "/deep/er?x": .xml(Tag.vast(Tag.inline()))])
        _ = try await world.loader.load([.video(Tag.vast(Tag.wrapper(to: "/a/b")))])
        #expect(world.documentRequests == ["/a/b", "/deep/er?x"])
    }

    @Test(
        "each failure has its VAST error code, and the chain's error beacons are recorded before the load ends",
        arguments: [
            (ScriptedTransport.Outcome.status(404), 301, AdError.Code.wrapperFailed),
            (.failure(TransportError(.notSent(.refused), "refused")), 301, .wrapperFailed),
            (.failure(TransportError(.tooLarge, "too much")), 100, .unreadableResponse),
            (.status(204), 303, .noFill), (.xml(" \n"), 303, .noFill), (.xml("<VAST version='3.0'/>"), 303, .noFill),
            (.xml("<html><body>Not found</body></html>"), 101, .unreadableResponse),
            (.xml("{}"), 100, .unreadableResponse),
            (.xml("<VideoAdServingTemplate/>"), 102, .unreadableResponse),
        ]
    )
    func failures(answer: ScriptedTransport.Outcome, vast: Int, code: AdError.Code) async throws {
        let world = VideoWorld(["/2": .xml(Tag.vast(Tag.wrapper("w2", to: "/3"))), "/3": answer])
        let ad = world.loader.ad(for: [.video(Tag.vast(Tag.wrapper("w1", to: "/2")))])
        await #expect {
            try await ad.load()
        } throws: { error in
            guard let error = error as? AdError else { return false }
            return error.code == code && error.vastCode == vast && error.place.wrapperDepth == 2
        }
        // Recorded before the load failed.
        let names = world.observer.names
        let failed = try #require(names.firstIndex(of: "loadFailed"))
        #expect(names[..<failed].count(where: { $0 == "beaconRecorded" }) == 2)
        await world.clock.settle()
        #expect(world.trackerCalls.sorted() == ["/w1/error?\(vast)", "/w2/error?\(vast)"])
    }

    @Test("each wrapper request has a timeout of its own, and a slow wrapper fails the load")
    func deadline() async throws {
        let slow = ScriptedTransport.Outcome.after(.seconds(20), .xml(Tag.vast(Tag.inline())))
        let world = VideoWorld(["/slow": slow])
        // The scripted transport has no timeouts, so the request's limits are checked.
        let ad = world.loader.ad(for: [.video(Tag.vast(Tag.wrapper(to: "/slow")))])
        let load = Task { try await ad.load() }
        await world.transport.waitForRequests(2)
        let limits = try #require(world.transport.requests.last?.limits)
        #expect(limits.total == .seconds(5), "each wrapper request has its own timeout")
        await world.clock.advance(by: .seconds(21))
        await #expect(throws: AdError.self) { try await load.value }
    }

    @Test("without time left a wrapper fails with 301")
    func lessTime() async throws {
        let clock = ManualClock()
        let services = AdServices(
            transport: ScriptedTransport(clock: clock) { _ in .status(200) },
            opener: NoOpener(),
            clock: clock
        )
        let proposal = Proposal.video(Tag.vast(Tag.wrapper(to: "/x")))
        guard case .video(let video) = proposal else {
            Issue.record("the proposal is no video")
            return
        }
        let load = VideoLoad(services: services, proposal: video, deadline: clock.now)
        let outcome = await load.run()
        let error = try #require(throws: AdError.self) { try outcome.result.get() }
        #expect(error.vastCode == 301 && error.message.contains("no time was left"))
        #expect(outcome.errorCalls.map(\.address.text) == ["http://t.example/w/error?301"])
    }

    @Test("the next proposal is tried when a video has no ad")
    func nextBest() async throws {
        let world = VideoWorld()
        let banner = Proposal.offer(.sample())
        let ad = try await world.loader.load([.video(Tag.vast()), .video(Tag.vast(Tag.wrapper(to: "/404"))), banner])
        #expect(ad.offer?.rules.kind == .interstitial)
        await world.clock.settle()
        #expect(world.trackerCalls == ["/w/error?301"])
    }

    @Test("a pod's ad without a supported media file is replaced by a stand-alone ad, with an issue")
    func replaced() async throws {
        let pod = Tag.vast(
            Tag.inline("one", sequence: 1),
            Tag.inline("two", sequence: 2, type: "video/x-flv"),
            Tag.inline("spare")
        )
        let world = VideoWorld()
        let ad = try await world.loader.load([.video(pod)])
        guard case .video(let video)? = ad.offer?.creative else {
            Issue.record("the offer is no video")
            return
        }
        #expect(video.spots.map(\.title) == ["one", "spare"] && video.fallbackCount == 0)
        #expect(ad.offer?.issues.contains { $0.code == "vast.ad.403" } == true)
        await world.clock.settle()
        #expect(world.trackerCalls == ["/two/error?403"])
    }

    @Test("the shortest lifetime of markup and proposal is used")
    func lifetime() async throws {
        let markup = Tag.vast(Tag.inline(body: "<Expires>120</Expires>"))
        let ad = try await VideoWorld().loader.load([.video(markup)])
        #expect(ad.offer?.rules.effectiveLifetime == .seconds(120))
    }

    @Test("of a VMAP the break before the content is played, with its trackers")
    func schedule() async throws {
        let vmap = """
            <vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">
            <vmap:AdBreak timeOffset="00:10:00" breakType="linear"><vmap:AdSource><vmap:VASTAdData>\(Tag.vast(Tag.inline("mid")))
            </vmap:VASTAdData></vmap:AdSource></vmap:AdBreak>
            <vmap:AdBreak timeOffset="start" breakType="linear"><vmap:AdSource><vmap:AdTagURI templateType="vast3">
            http://vast.example/pre</vmap:AdTagURI></vmap:AdSource><vmap:TrackingEvents>
            <vmap:Tracking event="breakStart">http://t.example/breakStart</vmap:Tracking>
            <vmap:Tracking event="error">http://t.example/breakError?[ERROR_CODE]</vmap:Tracking>
            </vmap:TrackingEvents></vmap:AdBreak></vmap:VMAP>
            """
        let world = VideoWorld(["/pre": .xml(Tag.vast(Tag.inline("pre")))])
        let ad = try await world.loader.load([.video(vmap)])
        guard case .video(let video)? = ad.offer?.creative else {
            Issue.record("the offer is no video")
            return
        }
        #expect(video.spots.map(\.title) == ["pre"])
        #expect(ad.offer?.videoBeacons.all.filter { $0.spot == nil }.map(\.event) == ["breakStart"])
        let broken = VideoWorld()
        await #expect(throws: AdError.self) { try await broken.loader.load([.video(vmap)]) }
        await broken.clock.settle()
        #expect(broken.trackerCalls == ["/breakError?301"])
    }

    @Test("markup that is no VAST is an error with its line, and no tracker is called")
    func damaged() async throws {
        let world = VideoWorld()
        await #expect {
            try await world.loader.load([.video("\n\n<VMAP version='1.0'>")])
        } throws: { error in
            (error as? AdError)?.vastCode == 303
        }
        await #expect {
            try await world.loader.load([.video("\n<VAST version='9'")])
        } throws: { error in
            guard let error = error as? AdError else { return false }
            return error.code == .unreadableResponse && error.place.line != nil
        }
        #expect(world.trackerCalls.isEmpty)
    }

    @Test("a destroyed load sends no further request")
    func destroyed() async throws {
        let world = VideoWorld(["/2": .silence])
        let ad = world.loader.ad(for: [.video(Tag.vast(Tag.wrapper(to: "/2")))])
        let load = Task { try await ad.load() }
        await world.transport.waitForRequests(2)
        ad.destroy()
        await #expect(throws: AdError.self) { try await load.value }
        await world.clock.settle()
        #expect(world.documentRequests == ["/2"])
    }

    @Test("a load that the host ends fires no error URL", arguments: [true, false])
    func endedByHost(isDestroyed: Bool) async throws {
        let world = VideoWorld(["/2": .silence])
        let wrapper = Tag.vast(Tag.wrapper(to: "/2"))
        let ad = world.loader.ad(for: [.video(wrapper), .video(wrapper)])
        let load = Task { try await ad.load() }
        await world.transport.waitForRequests(2)
        if isDestroyed { ad.destroy() } else { load.cancel() }
        await #expect(throws: AdError.self) { try await load.value }
        await world.clock.settle()
        #expect(world.trackerCalls.isEmpty && world.documentRequests == ["/2"])
        let entries = try await world.services.beacons.entries()
        #expect(entries.isEmpty)
    }

    @Test("the error of a failed load has the issues of the response and of invalid error URLs")
    func issuesOfFailures() async throws {
        let markup = Tag.vast(Tag.wrapper(to: "/404")).replacing("http://t.example/w/error", with: "ftp://t.example/")
        let note = AdIssue("tracker.view.missing", at: .field("tracker.view"), "for the test")
        let video = VideoProposal(
            provider: "test",
            markup: markup,
            isRewarded: false,
            issues: [note]
        )
        await #expect {
            try await VideoWorld().loader.load([.video(video)])
        } throws: { error in
            let codes = (error as? AdError)?.issues.map(\.code) ?? []
            return codes.first == note.code && codes.contains("vast.tracker.noURL")
        }
    }

    @Test("a load that times out fires the wrappers' error URLs although the request is still open")
    func timedOut() async throws {
        let world = VideoWorld(["/2": .silence])
        let ad = world.loader.ad(for: [.video(Tag.vast(Tag.wrapper(to: "/2")))])
        let load = Task { try await ad.load() }
        await world.transport.waitForRequests(2)
        await world.clock.advance(by: .seconds(10))
        await #expect(throws: AdError.self) { try await load.value }
        await world.clock.settle()
        #expect(world.trackerCalls == ["/w/error?301"])
    }

    @Test("the failure of an earlier proposal is an issue of the ad that is loaded")
    func skippedCandidate() async throws {
        let ad = try await VideoWorld().loader.load([.video(Tag.vast(Tag.wrapper(to: "/404"))), .offer(.sample())])
        let issue = try #require(ad.offer?.issues.first { $0.code == "video.passedOver" })
        #expect(issue.message.contains("404") && issue.message.contains("301"))
    }

    @Test("without consent the macros for identifier and location are -2")
    func withheld() async throws {
        let context = AdContext(
            ifa: "A1",
            userAgent: "Test/1.0",
            location: .init(latitude: 1.5, longitude: -2, precision: 10)
        )
        let target = "/x?[IFA]&[LATLONG]&[LIMITADTRACKING]&[APPBUNDLE]&[DOMAIN]"
        let open = VideoWorld()
        _ = try? await open.loader.load([.video(Tag.vast(Tag.wrapper(to: target)), context: context)])
        #expect(open.documentRequests == ["/x?A1&1.5,-2&0&com.example.test&-1"])
        let closed = VideoWorld()
        _ = try? await closed.loader.load([.video(Tag.vast(Tag.wrapper(to: target)), context: context.withholding())])
        #expect(closed.documentRequests == ["/x?-2&-2&1&com.example.test&-1"])
    }
}
