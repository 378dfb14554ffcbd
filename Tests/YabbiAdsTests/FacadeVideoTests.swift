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

    @Test(
        "onUserRewarded comes before onRewardedClosed, and only if the video was watched to its end",
        arguments: [true, false]
    )
    func reward(watches: Bool) async throws {
        Yabbi.reset()
        let clock = ManualClock()
        let answer: AdJSON = [
            "type": 3, "adm": .string(Self.vast), "closeTimeout": 0, "width": 640, "height": 360,
            "tracker": ["view": "http://t.example/view", "click": "http://t.example/click"],
        ]
        let text = answer.text()
        let transport = ScriptedTransport(clock: clock) { $0.url.host == "ssp.example" ? .json(text) : .status(200) }
        Yabbi.initialize(
            publisherID: "pub",
            configuration: YabbiConfiguration(
                endpoint: try #require(HTTPURL("http://ssp.example/load")),
                bundle: "com.example",
                appName: "Example",
                services: AdServices(transport: transport, clock: clock)
            )
        ) { error in #expect(error == nil) }
        let delegate = DelegateRecorder()
        let presenter = RecordingPresenter()
        Yabbi.setRewardedDelegate(delegate)
        Yabbi.loadAd(.rewarded, "life")
        await delegate.waitFor("loaded life")
        Yabbi.showAd(adType: .rewarded, placementName: "life", presenter: presenter)
        await delegate.waitFor("shown life")
        // The ad is on screen; now it becomes visible.
        await clock.settle()
        presenter.report(.video(.started(duration: .seconds(8))))
        presenter.report(watches ? .video(.completed) : .gone)
        if watches { presenter.report(.closeRequested(by: .user)) }
        await delegate.waitFor("closed life")
        let expected = ["loaded", "shown", "impression", "started"] + (watches ? ["completed", "rewarded"] : []) + ["closed"]
        #expect(delegate.calls == expected.map { $0 + " life" })
        await clock.settle()
        let trackers = transport.requests.map(\.url.text).filter { $0.hasPrefix("http://t.example/") }
        #expect(Set(trackers) == ["http://t.example/view", "http://t.example/i"] && trackers.count == 2)
    }
}
