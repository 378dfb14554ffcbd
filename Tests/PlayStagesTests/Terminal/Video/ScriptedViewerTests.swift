import AdCore
import AdRuntime
import PlaySupport
import SystemSupport
import Testing

@testable import PlayStages
@testable import PlayText

@Suite("A scripted user of a video, in real time")
struct ScriptedViewerTests {
    @Test("does not close the ad between the reveal and the start of the video")
    func waits() async throws {
        let clock = VirtualClock()
        clock.workStarted()
        let services = ShowServices(
            BufferConsole(),
            clock: clock,
            signals: HostSignalSource(),
            script: UserScript(),
            container: ContainerSize(chosen: nil, kind: .banner, requested: .adaptive, declared: nil),
            isSilent: true
        )
        let presenter = TerminalPresenter(services, probe: MediaProbe(transport: NoTransport(), userAgent: "Test/1.0"))
        let picture = VideoPart(.image(try #require(HTTPURL("http://m.example/a.png"))))
        let rules = SpotRules(.overlay(minimum: .seconds(2)))
        let creative = VideoCreative(VideoSpot(.overlay(picture), rules: rules))
        let room = AdContainer.fullScreen(Size(width: 390, height: 844))
        let kind = ShowRules.Kind.video(creative.rules)
        let options = StageOptions(ad: AdID(bits: 1), kind: kind, size: CreativeLayout(.adaptive, in: room))
        let events = Locked<[StageEvent]>([])
        let stage = try await presenter.present(.video(creative), options) { event in
            events.withLock { $0.append(event) }
        }
        await stage.reveal()
        await stage.setControl(.close, visible: true)
        await clock.rest(until: clock.now + .milliseconds(10))
        #expect(!events.withLock { $0 }.contains(.closeRequested(by: .user)))
        await stage.control(.play)
        await clock.rest(until: clock.now + .seconds(1))
        #expect(!events.withLock { $0 }.contains(.closeRequested(by: .user)), "it plays")
        await clock.rest(until: clock.now + .seconds(3))
        #expect(events.withLock { $0 }.last == .closeRequested(by: .user))
        await stage.close(.user)
        clock.workEnded()
    }
}

struct NoTransport: Transport {
    func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
        throw TransportError(.notSent(.refused), "there is no network")
    }
}
