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
        #expect(world.told.isEmpty, "it is on screen, and does not play yet")
        #expect(world.presenter.calls.contains(.video(.play)))
        for _ in 0..<3 { world.presenter.report(.video(.started(duration: .seconds(8)))) }
        await world.clock.settle()
        #expect(Set(world.told) == ["/view", "/w/impression", "/film/impression", "/film/start"])
        #expect(world.told.count == 4)
        let entries = try await world.services.beacons.entries()
        let billing = entries.filter(\.beacon.call.isBilling).map(\.beacon.call.address.text)
        #expect(billing.count == 3, "the view and both impressions: \(billing)")
        #expect(
            entries.allSatisfy { $0.beacon.call.headers["User-Agent"] == "Test/1.0" || $0.beacon.key.event == .view }
        )
        ad.destroy()
    }

    @Test("a tracking event that calls itself an impression or an error is none, and is told to be left out")
    func impostors() async throws {
        let world = VideoWorld()
        let linear = Tag.tracking("film", "impression", "error", "clickTracking", "start")
        let ad = try await self.shown(world, .video(Tag.vast(Tag.inline("film", linear: linear))))
        world.presenter.report(.video(.started(duration: nil)))
        world.presenter.report(.click(landing, byUser: true))
        world.presenter.report(.video(.failed(vastCode: 400, "for the test")))
        await world.clock.settle()
        #expect(Set(world.told) == ["/view", "/click", "/film/impression", "/film/start", "/film/error?400"])
        #expect(world.told.count(where: { $0 == "/film/impression" }) == 1)
        #expect(ad.offer?.issues.filter { $0.code == "vast.tracking.name" }.count == 3)
        ad.destroy()
    }

    @Test("keys name the spot, the event and the number, so that a fact is written down once")
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

    @Test("what stands for macros is filled in when the call is written down")
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
            world.told.contains {
                $0.hasPrefix("/s?00%3A00%3A00.000&20")
                    && $0.hasSuffix("Z&http%3A%2F%2Fm.example%2Ffilm.mp4&[UNKNOWN]&-1&a%2Fb")
            },
            "\(world.told)"
        )
        #expect(world.told.contains("/m?00%3A00%3A04.012&muted,fullscreen&390,844"))
        ad.destroy()
    }

    @Test("the server of a wrapper is told the size of the player where the app has said it, and -1 where not")
    func playerSizeOfWrappers() async throws {
        for (room, sent) in [(Size(width: 320, height: 480), "320,480"), (nil, "-1")] {
            var policy = VideoPolicy()
            policy.container = room
            let tag = "/tag?s=[PLAYERSIZE]"
            let asked = "/tag?s=\(sent)"
            let world = VideoWorld([asked: .xml(Tag.vast(Tag.inline("film")))], policy: policy)
            let ad = try await self.shown(world, .video(Tag.vast(Tag.wrapper("w", to: tag))))
            #expect(world.asked.contains(asked), "\(world.asked)")
            ad.destroy()
        }
    }

    @Test("a reward comes before the close, and rewarded ads can't be closed before their end")
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
        #expect(world.told.contains("/film/complete") && !world.told.contains("/film/closeLinear"))
        #expect(world.clock.alarms == 0)
    }

    @Test("a film that can't be had is told of with its code, and nobody is billed")
    func failure() async throws {
        let world = VideoWorld()
        let presenter = RecordingPresenter(.silent)
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
        #expect(world.told == ["/film/error?401"])
    }

    @Test("in a pod the spot that fails is replaced, and each is told of its own")
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
        #expect(Set(world.told) == ["/view", "/one/impression", "/two/error?405", "/spare/impression"])
        ad.destroy()
    }

    @Test("an ad that is never shown says that it was not used, and costs nothing")
    func unused() async throws {
        let world = VideoWorld()
        let linear = Tag.tracking("film", "notUsed", "start")
        let ad = try await world.loader.load([
            .video(Tag.vast(Tag.inline("film", linear: linear, body: "<Expires>60</Expires>")))
        ])
        await world.clock.advance(by: .seconds(61))
        #expect(!ad.isLoaded)
        await world.clock.settle()
        #expect(world.told == ["/film/notUsed"])
    }

    @Test("an address that can't be called is an issue, and the others are called")
    func badAddress() async throws {
        let linear = """
            <TrackingEvents><Tracking event="start">ftp://t.example/s</Tracking><Tracking event="start">about:blank</Tracking>
            <Tracking event="start">//t.example/secure</Tracking></TrackingEvents>
            """
        let world = VideoWorld()
        let ad = try await self.shown(world, .video(Tag.vast(Tag.inline("film", linear: linear))))
        world.presenter.report(.video(.started(duration: nil)))
        await world.clock.settle()
        #expect(world.told.contains("/secure"))
        let issues = world.observer.records.compactMap { if case .issue(let issue) = $0.event { issue } else { nil } }
        #expect(issues.contains { $0.code == "vast.tracker.noURL" && $0.message.contains("http") })
        // Whoever looks for what was not told finds it; nobody is meant to be told of what goes nowhere.
        let entries = try await world.services.beacons.entries()
        let dead = entries.filter { if case .dead = $0.state { true } else { false } }
        #expect(dead.map(\.beacon.call.address.text) == ["ftp://t.example/s"])
        ad.destroy()
    }

    @Test("what is told while the ad goes is still written down, and then it lets go of everything")
    func lastWords() async throws {
        let world = VideoWorld()
        let linear = Tag.tracking("film", "closeLinear") + ""
        let viewable = "<ViewableImpression><NotViewable>http://t.example/nv</NotViewable></ViewableImpression>"
        let ad = try await self.shown(world, .video(Tag.vast(Tag.inline("film", linear: linear, body: viewable))))
        world.presenter.report(.video(.started(duration: nil)))
        await world.clock.settle()
        ad.destroy()
        await world.clock.settle()
        #expect(world.told.contains("/nv") && !world.told.contains("/film/closeLinear"))
        #expect(world.clock.alarms == 0)
        #expect(world.presenter.calls.last == .close(.destroyed))
    }

    @Test("with resend in doubt the trackers of the markup are sent again as well")
    func guarantee() async throws {
        let world = VideoWorld()
        let ad = try await self.shown(world, .video(Tag.vast(Tag.inline("film")), guarantee: .atLeastOnce))
        world.presenter.report(.video(.started(duration: nil)))
        await world.clock.settle()
        let calls = try await world.services.beacons.entries().map(\.beacon.call)
        #expect(calls.first { $0.address.text.hasSuffix("/film/impression") }?.guarantee == .atLeastOnce)
        ad.destroy()
    }

    @Test("how far the video is can be asked, for a progress bar")
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
        "the codes that only a player can know reach whoever asked for them, before the first frame and after it",
        arguments: [400, 401, 402, 405, 407, 410, 500, 502, 900, 901, 902]
    )
    func playersCodes(code: Int) async throws {
        let early = VideoWorld()
        let ad = try await self.shown(early, .video(Tag.vast(Tag.inline("film"))))
        early.presenter.report(.video(.failed(vastCode: code, "for the test")))
        await early.clock.settle()
        #expect(early.told == ["/film/error?\(code)"])
        ad.destroy()

        let late = VideoWorld()
        let other = try await self.shown(late, .video(Tag.vast(Tag.inline("film"))))
        late.presenter.report(.video(.started(duration: nil)))
        late.presenter.report(.video(.failed(vastCode: code, "for the test")))
        late.presenter.report(.video(.failed(vastCode: code, "again")))
        await late.clock.settle()
        #expect(late.told.filter { $0.contains("error") } == ["/film/error?\(code)"])
        other.destroy()
    }

    @Test("a stage that does not show the video in time is 304, one that can't show it at all 400, or what it says")
    func stageCodes() async throws {
        let slow = VideoWorld()
        let silent = RecordingPresenter(.silent)
        let ad = try await slow.loader.load([.video(Tag.vast(Tag.inline("film")))])
        let show = Task { try await ad.show(on: silent) }
        await slow.clock.settle()
        while silent.calls.isEmpty { await Task.yield() }
        await slow.clock.advance(by: .seconds(11))
        await #expect(throws: AdError.self) { try await show.value }
        await slow.clock.settle()
        #expect(slow.told == ["/film/error?304"])
        for (error, code) in [(StageError("no screen"), 400), (StageError("no codec", vastCode: 405), 405)] {
            let world = VideoWorld()
            let broken = try await world.loader.load([.video(Tag.vast(Tag.inline("film")))])
            await #expect(throws: AdError.self) { try await broken.show(on: RecordingPresenter(.failing(error))) }
            await world.clock.settle()
            #expect(world.told == ["/film/error?\(code)"])
        }
    }

    @Test("a companion that can't be fetched is told of by its code, and the film goes on")
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
        #expect(world.told.contains("/film/error?603") && ad.isShowing)
    }

    @Test("whoever asks for thousands of trackers holds up nobody")
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
        #expect(time < .patience(2), "\(time)")
        ad.destroy()
    }
}
