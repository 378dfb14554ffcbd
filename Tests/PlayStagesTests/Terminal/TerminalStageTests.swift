import AdCore
import AdRuntime
import PlaySupport
import SystemSupport
import Testing

@testable import PlayStages
@testable import PlayText

@Suite("Several ads on one terminal")
struct TerminalStageTests {
    /// A watcher of one ad, whose keys the test presses.
    private final class TestWatcher: AdWatcher {
        private let onInput = Locked<InputHandler?>(nil)

        func start(_ onInput: @escaping InputHandler) -> Bool {
            self.onInput.withLock { $0 = onInput }
            return true
        }

        func end() {}

        func press(_ input: AdWatcherInput) { self.onInput.withLock { $0 }?(input) }
    }

    @Test("the space bar uncovers the app, whichever ad has the keys")
    func covers() async throws {
        let signals = HostSignalSource()
        let watchers = [TestWatcher(), TestWatcher()]
        var stages: [any Stage] = []
        for watcher in watchers {
            let services = ShowServices(
                BufferConsole(),
                clock: VirtualClock(),
                signals: signals,
                script: UserScript(),
                container: ContainerSize(chosen: nil, kind: .banner, requested: .adaptive, declared: nil),
                isSilent: true,
                watcher: watcher
            )
            let presenter = TerminalPresenter(
                services,
                probe: MediaProbe(transport: NoTransport(), userAgent: "Test/1.0")
            )
            let room = AdContainer.fullScreen(Size(width: 390, height: 844))
            let options = StageOptions(ad: AdID(bits: 1), kind: .banner, size: CreativeLayout(.adaptive, in: room))
            let stage = try await presenter.present(
                .html(HTMLCreative(markup: "<p>Hi</p>", document: "<p>Hi</p>")),
                options
            ) { _ in }
            await stage.reveal()
            stages.append(stage)
        }
        watchers[0].press(.toggle)
        #expect(signals.isCovered)
        watchers[1].press(.toggle)
        #expect(!signals.isCovered)
        for stage in stages { await stage.close(.user) }
    }
}
