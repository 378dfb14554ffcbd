import AdCore
import SystemSupport
import Testing

@testable import AdRuntime

/// A screen that is its own stage, as a view of an app may be.
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

    /// Tells of something that happens in it.
    func tell(_ event: StageEvent) { self.report.withLock { $0 }?(event) }
}

@Suite("What ties an ad to the session that pushed it")
struct PageBridgeTests {
    private func present(_ view: View, _ heard: Locked<[String]>, _ told: Locked<[StageEvent]>) async throws {
        let bridge = PageBridge { event in heard.withLock { $0.append("\(event)") } }
        let terms = StageOptions(
            ad: AdID("page"),
            kind: .engagement,
            size: CreativeLayout(.adaptive, in: await view.container(for: .engagement))
        )
        let creative = Creative.html(HTMLCreative(markup: "<p>x</p>", document: "<p>x</p>"))
        _ = try await bridge.through(view).present(creative, terms) { event in told.withLock { $0.append(event) } }
    }

    @Test("the session hears what the page says, the ad hears the rest, and only the session says when it can be seen")
    func ways() async throws {
        let (heard, told) = (Locked<[String]>([]), Locked<[StageEvent]>([]))
        let view = View()
        try await self.present(view, heard, told)
        for event in [StageEvent.ready, .message("{}"), .revealed, .gone] { view.tell(event) }
        #expect(heard.withLock { $0.count } == 1)
        #expect(told.withLock { $0 } == [.revealed, .gone])
    }

    @Test("a stage that is its own presenter, and keeps what it was given, does not keep itself by that")
    func cycle() async throws {
        weak var left: View?
        do {
            let view = View()
            left = view
            try await self.present(view, Locked([]), Locked([]))
        }
        #expect(left == nil)
    }
}
