import AdCore
import AdMarkup
import TestSupport
import Testing
import YabbiTesting

@testable import AdRuntime

@Suite("A video from load to close", .timeLimit(.minutes(5)))
struct VideoShowTests {
    private func shown(_ world: VideoWorld, _ proposal: Proposal) async throws -> Ad {
        let ad = try await world.loader.load([proposal])
        try await ad.show(on: world.presenter)
        await world.clock.settle()
        return ad
    }

    @Test("the view and the impressions are recorded at the first frame, together and once each")
    func firstFrame() async throws {
        let world = VideoWorld([
            "/2": .xml(Tag.vast(Tag.inline("film", linear: Tag.tracking("film", "start", "complete"))))
        ])
        let ad = try await self.shown(world, .video(Tag.vast(Tag.wrapper("w", to: "/2"))))
        #expect(world.trackerCalls.isEmpty, "the video is on screen and does not play yet")
        #expect(world.presenter.calls.contains(.video(.play)))
        for _ in 0..<3 { world.presenter.report(.video(.started(duration: .seconds(8)))) }
        await world.clock.settle()
        #expect(Set(world.trackerCalls) == ["/view", "/w/impression", "/film/impression", "/film/start"])
        #expect(world.trackerCalls.count == 4)
        let entries = try await world.services.beacons.entries()
        let billing = entries.filter(\.beacon.call.isBilling).map(\.beacon.call.address.text)
        #expect(billing.count == 3, "the view and both impressions: \(billing)")
        #expect(
            entries.allSatisfy { $0.beacon.call.headers["User-Agent"] == "Test/1.0" || $0.beacon.key.event == .view }
        )
        ad.destroy()
    }

    @Test("a tracking event named impression, error or clickTracking is ignored with an issue")
    func impostors() async throws {
        let world = VideoWorld()
        let linear = Tag.tracking("film", "impression", "error", "clickTracking", "start")
        let ad = try await self.shown(world, .video(Tag.vast(Tag.inline("film", linear: linear))))
        world.presenter.report(.video(.started(duration: nil)))
        world.presenter.report(.click(landing, byUser: true))
        world.presenter.report(.video(.failed(vastCode: 400, "for the test")))
        await world.clock.settle()
        #expect(Set(world.trackerCalls) == ["/view", "/click", "/film/impression", "/film/start", "/film/error?400"])
        #expect(world.trackerCalls.count(where: { $0 == "/film/impression" }) == 1)
        #expect(ad.offer?.issues.filter { $0.code == "vast.tracking.name" }.count == 3)
        ad.destroy()
    }

    @Test("a beacon's key has the spot, the event and its number, so that an event is recorded once")
    func keys() async throws {
        let linear =
            Tag.tracking("film", "mute", "progress")
            + "<VideoClicks><ClickTracking>http://t.example/ct</ClickTracking></VideoClicks>"
        let world = VideoWorld()
        let ad = try await self.shown(world, .video(Tag.vast(Tag.inline("film", linear: linear))))
        world.presenter.report(.video(.started(duration: nil)))
        world.presenter.report(.video(.muted(true)))
        world.presenter.report(.video(.muted(false)))
        world.presenter.report(.video(.muted(true)))
        world.presenter.report(.click(landing, byUser: true))
        world.presenter.report(.click(landing, byUser: true))
        await world.clock.settle()
        let keys = try await world.services.beacons.entries().map {
            $0.beacon.key.text.split(separator: "/").dropFirst().joined(separator: "/")
        }
        #expect(
            Set(keys) == [
                "-/view/0/0", "-/click/0/0", "spot-1/impression/0/0", "spot-1/mute/0/0", "spot-1/mute/1/0",
                "spot-1/clickTracking/0/0",
            ]
        )
        ad.destroy()
    }

    @Test("macros are replaced when a beacon is recorded")
    func macros() async throws {
        let linear = """
            <TrackingEvents><Tracking event="start">http://t.example/s?[ADPLAYHEAD]&[TIMESTAMP]&[ASSETURI]&[UNKNOWN]&[PODSEQUENCE]&[ADSERVINGID]
            </Tracking><Tracking event="midpoint">http://t.example/m?[ADPLAYHEAD]&[PLAYERSTATE]&[PLAYERSIZE]</Tracking></TrackingEvents>
            """
        let world = VideoWorld()
        let inline = Tag.inline("film", linear: linear, body: "<AdServingId>a/b</AdServingId>")
        let ad = try await self.shown(world, .video(Tag.vast(inline)))
        world.presenter.report(.video(.started(duration: nil)))
        world.presenter.report(.video(.muted(true)))
        world.presenter.report(.video(.progressed(.milliseconds(4012))))
        await world.clock.settle()
        #expect(
            world.trackerCalls.contains {
                $0.hasPrefix("/s?00%3A00%3A00.000&20")
                    && $0.hasSuffix("Z&http%3A%2F%2Fm.example%2Ffilm.mp4&[UNKNOWN]&-1&a%2Fb")
            },
            "\(world.trackerCalls)"
        )
        #expect(world.trackerCalls.contains("/m?00%3A00%3A04.012&muted,fullscreen&390,844"))
        ad.destroy()
    }

    @Test("PLAYERSIZE in a wrapper's URL is the app's container size, or -1 without one")
    func playerSizeOfWrappers() async throws {
        for (container, value) in [(Size(width: 320, height: 480), "320,480"), (nil, "-1")] {
            var policy = VideoPolicy()
            policy.container = container
            let tag = "/tag?s=[PLAYERSIZE]"
            let target = "/tag?s=\(value)"
            let world = VideoWorld([target: .xml(Tag.vast(Tag.inline("film")))], policy: policy)
            let ad = try await self.shown(world, .video(Tag.vast(Tag.wrapper("w", to: tag))))
            #expect(world.documentRequests.contains(target), "\(world.documentRequests)")
            ad.destroy()
        }
    }

    @Test("the reward comes before the close, and a rewarded ad can't be closed before the video ends")
    func rewarded() async throws {
        let world = VideoWorld()
        let linear = Tag.tracking("film", "complete", "closeLinear")
        let ad = try await self.shown(world, .video(Tag.vast(Tag.inline("film", linear: linear)), isRewarded: true))
        world.presenter.report(.video(.started(duration: .seconds(8))))
        world.presenter.report(.closeRequested(by: .user))
        world.presenter.report(.closeRequested(by: .creative))
        await world.clock.settle()
        #expect(ad.isShowing)
        world.presenter.report(.video(.completed))
        world.presenter.report(.closeRequested(by: .user))
        await world.clock.settle()
        let names = world.observer.names.filter { ["rewarded", "closeAvailable", "closed"].contains($0) }
        #expect(names == ["rewarded", "closeAvailable", "closed"])
        #expect(world.trackerCalls.contains("/film/complete") && !world.trackerCalls.contains("/film/closeLinear"))
        #expect(world.clock.alarms == 0)
    }

    @Test("a video that can't be loaded fires its error URL with the code, and no impression")
    func failure() async throws {
        let world = VideoWorld()
        let presenter = RecordingPresenter(.manual)
        let ad = try await world.loader.load([.video(Tag.vast(Tag.inline("film")))])
        let show = Task { try await ad.show(on: presenter) }
        await world.clock.settle()
        while presenter.calls.isEmpty { await Task.yield() }
        presenter.report(.video(.failed(vastCode: 401, "it is not there")))
        await #expect {
            try await show.value
        } throws: { error in
            (error as? AdError)?.vastCode == 401
        }
        await world.clock.settle()
        #expect(world.trackerCalls == ["/film/error?401"])
    }

    @Test("in a pod a failed spot is replaced, and each spot fires its own trackers")
    func pod() async throws {
        let pod = Tag.vast(Tag.inline("one", sequence: 1), Tag.inline("two", sequence: 2), Tag.inline("spare"))
        let world = VideoWorld()
        let ad = try await self.shown(world, .video(pod))
        world.presenter.report(.video(.started(duration: nil)))
        world.presenter.report(.video(.completed))
        await world.clock.settle()
        #expect(world.presenter.calls.suffix(2) == [.video(.next(spot: 1)), .video(.play)])
        world.presenter.report(.video(.failed(vastCode: 405, "no codec"), spot: 1))
        world.presenter.report(.video(.started(duration: nil), spot: 2))
        world.presenter.report(.video(.completed, spot: 2))
        await world.clock.settle()
        #expect(Set(world.trackerCalls) == ["/view", "/one/impression", "/two/error?405", "/spare/impression"])
        ad.destroy()
    }

    @Test("an ad that expires unshown fires notUsed only")
    func unused() async throws {
        let world = VideoWorld()
        let linear = Tag.tracking("film", "notUsed", "start")
        let ad = try await world.loader.load([
            .video(Tag.vast(Tag.inline("film", linear: linear, body: "<Expires>60</Expires>")))
        ])
        await world.clock.advance(by: .seconds(61))
        #expect(!ad.isLoaded)
        await world.clock.settle()
        #expect(world.trackerCalls == ["/film/notUsed"])
    }

    @Test("a tracker with an invalid URL is an issue and a dead beacon, and the others are called")
    func badAddress() async throws {
        let linear = """
            <TrackingEvents><Tracking event="start">ftp://t.example/s</Tracking><Tracking event="start">about:blank</Tracking>
            <Tracking event="start">//t.example/secure</Tracking></TrackingEvents>
            """
        let world = VideoWorld()
        let ad = try await self.shown(world, .video(Tag.vast(Tag.inline("film", linear: linear))))
        world.presenter.report(.video(.started(duration: nil)))
        await world.clock.settle()
        #expect(world.trackerCalls.contains("/secure"))
        let issues = world.observer.records.compactMap { if case .issue(let issue) = $0.event { issue } else { nil } }
        #expect(issues.contains { $0.code == "vast.tracker.noURL" && $0.message.contains("http") })
        // The invalid URL is listed as dead; `about:blank` is not listed (VAST 4.3).
        let entries = try await world.services.beacons.entries()
        let dead = entries.filter { if case .dead = $0.state { true } else { false } }
        #expect(dead.map(\.beacon.call.address.text) == ["ftp://t.example/s"])
        ad.destroy()
    }

    @Test("trackers that fire while the ad is destroyed are still recorded, and then everything is released")
    func trackersOfDestroy() async throws {
        let world = VideoWorld()
        let linear = Tag.tracking("film", "closeLinear") + ""
        let viewable = "<ViewableImpression><NotViewable>http://t.example/nv</NotViewable></ViewableImpression>"
        let ad = try await self.shown(world, .video(Tag.vast(Tag.inline("film", linear: linear, body: viewable))))
        world.presenter.report(.video(.started(duration: nil)))
        await world.clock.settle()
        ad.destroy()
        await world.clock.settle()
        #expect(world.trackerCalls.contains("/nv") && !world.trackerCalls.contains("/film/closeLinear"))
        #expect(world.clock.alarms == 0)
        #expect(world.presenter.calls.last == .close(.destroyed))
    }

    @Test("the trackers of the markup have the proposal's delivery guarantee")
    func guarantee() async throws {
        let world = VideoWorld()
        let ad = try await self.shown(world, .video(Tag.vast(Tag.inline("film")), guarantee: .atLeastOnce))
        world.presenter.report(.video(.started(duration: nil)))
        await world.clock.settle()
        let calls = try await world.services.beacons.entries().map(\.beacon.call)
        #expect(calls.first { $0.address.text.hasSuffix("/film/impression") }?.guarantee == .atLeastOnce)
        ad.destroy()
    }

    @Test("the ad has the video's progress, for a progress bar")
    func progress() async throws {
        let world = VideoWorld()
        let markup = Tag.vast(Tag.inline("film")).replacing("<Linear>", with: "<Linear skipoffset=\"00:00:05\">")
        let ad = try await self.shown(world, .video(markup))
        world.presenter.report(.video(.started(duration: .seconds(8))))
        world.presenter.report(.video(.progressed(.seconds(2))))
        await world.clock.settle()
        let progress = try #require(ad.progress)
        #expect(progress.position == .seconds(2) && progress.duration == .seconds(8) && progress.isPlaying)
        #expect(progress.skippableIn == .seconds(3) && progress.spots == 1 && progress.spot == 0)
        world.presenter.report(.video(.completed))
        await world.clock.settle()
        #expect(ad.progress == nil)
        ad.destroy()
    }

    @Test(
        "error codes of the player are reported once, before the first frame and after it",
        arguments: [400, 401, 402, 405, 407, 410, 500, 502, 900, 901, 902]
    )
    func playersCodes(code: Int) async throws {
        let early = VideoWorld()
        let ad = try await self.shown(early, .video(Tag.vast(Tag.inline("film"))))
        early.presenter.report(.video(.failed(vastCode: code, "for the test")))
        await early.clock.settle()
        #expect(early.trackerCalls == ["/film/error?\(code)"])
        ad.destroy()

        let late = VideoWorld()
        let other = try await self.shown(late, .video(Tag.vast(Tag.inline("film"))))
        late.presenter.report(.video(.started(duration: nil)))
        late.presenter.report(.video(.failed(vastCode: code, "for the test")))
        late.presenter.report(.video(.failed(vastCode: code, "again")))
        await late.clock.settle()
        #expect(late.trackerCalls.filter { $0.contains("error") } == ["/film/error?\(code)"])
        other.destroy()
    }

    @Test("a stage that is not ready in time is error 304, and one that fails is 400 or its own code")
    func stageCodes() async throws {
        let slow = VideoWorld()
        let silent = RecordingPresenter(.manual)
        let ad = try await slow.loader.load([.video(Tag.vast(Tag.inline("film")))])
        let show = Task { try await ad.show(on: silent) }
        await slow.clock.settle()
        while silent.calls.isEmpty { await Task.yield() }
        await slow.clock.advance(by: .seconds(11))
        await #expect(throws: AdError.self) { try await show.value }
        await slow.clock.settle()
        #expect(slow.trackerCalls == ["/film/error?304"])
        for (error, code) in [(StageError("no screen"), 400), (StageError("no codec", vastCode: 405), 405)] {
            let world = VideoWorld()
            let broken = try await world.loader.load([.video(Tag.vast(Tag.inline("film")))])
            await #expect(throws: AdError.self) { try await broken.show(on: RecordingPresenter(.failing(error))) }
            await world.clock.settle()
            #expect(world.trackerCalls == ["/film/error?\(code)"])
        }
    }

    @Test("a companion that can't be fetched fires the error URL with its code, and the video continues")
    func partCodes() async throws {
        let card = """
            <Creative><CompanionAds><Companion width="300" height="250"><StaticResource creativeType="image/png">
            http://m.example/c.png</StaticResource></Companion></CompanionAds></Creative>
            """
        let world = VideoWorld()
        let ad = try await self.shown(world, .video(Tag.vast(Tag.inline("film", extra: card))))
        world.presenter.report(.video(.started(duration: nil)))
        world.presenter.report(.video(.partFailed(.companion(0), vastCode: 603, "gone")))
        await world.clock.settle()
        #expect(world.trackerCalls.contains("/film/error?603") && ad.isShowing)
    }

    @Test("thousands of trackers are recorded within two seconds")
    func many() async throws {
        let trackers = (0..<20_000).map {
            "<Tracking event=\"progress\" offset=\"\(Double($0) / 10_000)\">http://t.example/\($0)</Tracking>"
        }
        let linear = "<TrackingEvents>\(trackers.joined())</TrackingEvents>"
        let world = VideoWorld()
        let ad = try await self.shown(world, .video(Tag.vast(Tag.inline("film", linear: linear))))
        let start = ContinuousClock.now
        world.presenter.report(.video(.started(duration: nil)))
        world.presenter.report(.video(.progressed(.seconds(8))))
        let time = ContinuousClock.now - start
        #expect(time < .timeout(2), "\(time)")
        ad.destroy()
    }
}
