import AdCore
import AdRuntime
import SandboxSSP
import Testing
import YabbiTesting

@testable import YabbiAds

@MainActor
@Suite("Yabbi: rewarded videos", .serialized, .timeLimit(.minutes(1)))
struct FacadeVideoTests {
    private static let vast = """
        <VAST version='3.0'><Ad><InLine><AdSystem>S</AdSystem><AdTitle>T</AdTitle><Impression>http://t.example/i</Impression>\
        <Creatives><Creative><Linear><Duration>00:00:08</Duration><MediaFiles><MediaFile delivery='progressive' \
        type='video/mp4' width='640' height='360'>http://m.example/a.mp4</MediaFile></MediaFiles></Linear></Creative>\
        </Creatives></InLine></Ad></VAST>
        """

    private static var reward: AdReward {
        var reward = AdReward(1, of: "life")
        reward.verificationURL = "http://v.example/reward?user=${USER_ID}&data=${CUSTOM_DATA}&of=${REWARD_TYPE}"
        return reward
    }

    private let clock = ManualClock()
    private let transport: ScriptedTransport
    private let delegate = DelegateRecorder()
    private let presenter = RecordingPresenter()

    init() throws {
        Yabbi.reset()
        let answer: AdJSON = [
            "type": 3, "adm": .string(Self.vast), "closeTimeout": 0, "width": 640, "height": 360,
            "tracker": ["view": "http://t.example/view", "click": "http://t.example/click"],
        ]
        let text = answer.text()
        self.transport = ScriptedTransport(clock: self.clock) { request in
            request.url.host == "ssp.example" ? .json(text) : .status(200)
        }
        Yabbi.initialize(
            publisherID: "pub",
            configuration: YabbiConfiguration(
                endpoint: try #require(HTTPURL("http://ssp.example/load")),
                bundle: "com.example",
                appName: "Example",
                services: AdServices(transport: self.transport, opener: NoOpener(), clock: self.clock),
                reward: Self.reward
            )
        ) { error in #expect(error == nil) }
        Yabbi.setRewardedDelegate(self.delegate)
        Yabbi.loadAd(.rewarded, "life")
    }

    /// Shows the loaded video; it is on screen and visible when this returns.
    private func show() async {
        await self.clock.settle()
        Yabbi.showAd(adType: .rewarded, placementName: "life", presenter: self.presenter)
        await self.clock.settle()
    }

    @Test(
        "onUserRewarded comes before onRewardedClosed, and only if the video was watched to its end",
        arguments: [true, false]
    )
    func reward(watches: Bool) async throws {
        await self.show()
        #expect(self.delegate.calls == ["loaded life", "shown life"], "the video has not started")
        self.presenter.report(.video(.started(duration: .seconds(8))))
        self.presenter.report(watches ? .video(.completed) : .gone)
        if watches { self.presenter.report(.closeRequested(by: .user)) }
        await self.clock.settle()
        let expected =
            ["loaded", "shown", "started", "impression"] + (watches ? ["completed", "rewarded"] : []) + ["closed"]
        #expect(self.delegate.calls == expected.map { $0 + " life" })
        #expect(self.delegate.rewards.map(\.amount) == (watches ? [Self.reward.amount] : []))
        #expect(self.delegate.rewards.allSatisfy { $0.transactionID != nil })
        let trackers = self.transport.requests.map(\.url.text).filter { $0.hasPrefix("http://t.example/") }
        #expect(Set(trackers) == ["http://t.example/view", "http://t.example/i"] && trackers.count == 2)
    }

    @Test(
        "a reward is verified once, for the user of setCustomParams if there is consent",
        arguments: [true, false]
    )
    func verification(hasConsent: Bool) async throws {
        Yabbi.setCustomParams("userId", "before")
        await self.show()
        Yabbi.setCustomParams("userId", "player 1")
        Yabbi.setCustomParams("customData", "level=3")
        Yabbi.setUserConsent(hasConsent)
        self.presenter.report(.video(.started(duration: .seconds(8))))
        self.presenter.report(.video(.completed))
        self.presenter.report(.closeRequested(by: .user))
        await self.clock.settle()
        let user = hasConsent ? "user=player%201&data=level%3D3" : "user=&data="
        #expect(
            self.transport.requests.map(\.url.text).filter { $0.hasPrefix("http://v.example") } == [
                "http://v.example/reward?\(user)&of=life"
            ]
        )
    }

    @Test("the click on a rewarded video is reported, once")
    func click() async throws {
        await self.show()
        self.presenter.report(.video(.started(duration: .seconds(8))))
        let link = try #require(ClickThroughURL("https://shop.example/"))
        for _ in 0..<2 { self.presenter.report(.click(link, byUser: true)) }
        await self.clock.settle()
        #expect(self.delegate.calls.count { $0 == "clicked life" } == 1)
        #expect(self.transport.requests.contains { $0.url.text == "http://t.example/click" })
    }

    @Test("a rewarded video that is not shown in time is reported as expired, once")
    func expiry() async {
        await self.clock.settle()
        await self.clock.advance(by: .seconds(1800))
        #expect(self.delegate.calls == ["loaded life", "expired life"])
    }
}
