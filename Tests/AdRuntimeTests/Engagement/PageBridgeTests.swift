import AdCore
import SystemSupport
import Testing

@testable import AdRuntime

/// A presenter that is its own stage, as a view of an app may be.
private final class View: Presenter, Stage {
    private let report = Locked<(@Sendable (StageEvent) -> Void)?>(nil)

    func container(for kind: ShowRules.Kind) async -> AdContainer {
        AdContainer(width: 320, screen: Size(width: 320, height: 480))
    }

    func present(
        _ creative: Creative,
        _ options: StageOptions,
        report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageError) -> any Stage {
        self.report.withLock { $0 = report }
        return self
    }

    func reveal() async {}
    func setControl(_ control: StageControl, visible: Bool) async {}
    func control(_ command: VideoCommand) async {}
    func post(_ message: String) async {}
    func close(_ reason: CloseReason) async {}

    /// Reports an event.
    func send(_ event: StageEvent) { self.report.withLock { $0 }?(event) }
}

@Suite("The bridge between a page and its session")
struct PageBridgeTests {
    private func present(_ view: View, _ toSession: Locked<[String]>, _ toAd: Locked<[StageEvent]>) async throws {
        let bridge = PageBridge { event in toSession.withLock { $0.append("\(event)") } }
        let options = StageOptions(
            ad: AdID("page"),
            kind: .engagement,
            size: CreativeLayout(.adaptive, in: await view.container(for: .engagement))
        )
        let creative = Creative.html(HTMLCreative(markup: "<p>x</p>", document: "<p>x</p>"))
        _ = try await bridge.wrap(view).present(creative, options) { event in toAd.withLock { $0.append(event) } }
    }

    @Test("messages go to the session and other events to the ad, and the stage's ready is dropped")
    func ways() async throws {
        let (toSession, toAd) = (Locked<[String]>([]), Locked<[StageEvent]>([]))
        let view = View()
        try await self.present(view, toSession, toAd)
        for event in [StageEvent.ready, .message("{}"), .revealed, .gone] { view.send(event) }
        #expect(toSession.withLock { $0.count } == 1)
        #expect(toAd.withLock { $0 } == [.revealed, .gone])
    }

    @Test("a stage that is its own presenter and stores its report closure does not retain itself")
    func cycle() async throws {
        weak var released: View?
        do {
            let view = View()
            released = view
            try await self.present(view, Locked([]), Locked([]))
        }
        #expect(released == nil)
    }
}
