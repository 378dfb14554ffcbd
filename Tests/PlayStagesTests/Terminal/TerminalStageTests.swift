import AdCore
import AdRuntime
import PlaySupport
import SystemSupport
import Testing

@testable import PlayReport
@testable import PlayStages

@Suite("Somebody at the terminal in front of several ads")
struct TerminalStageTests {
    /// Whoever looks at one ad, and what their keys lead to.
    private final class Eye: AdWatcher {
        private let hands = Locked<Hands?>(nil)

        func begin(_ hands: @escaping Hands) -> Bool {
            self.hands.withLock { $0 = hands }
            return true
        }

        func end() {}

        func press(_ hand: AdWatcherInput) { self.hands.withLock { $0 }?(hand) }
    }

    @Test("the space bar uncovers what was covered, whichever of the ads has the keys")
    func covers() async throws {
        let signals = HostSignalSource()
        let eyes = [Eye(), Eye()]
        var stages: [any Stage] = []
        for eye in eyes {
            let presenter = TerminalPresenter(
                BufferConsole(),
                clock: VirtualClock(),
                signals: signals,
                script: Script(),
                container: ContainerSize(chosen: nil, kind: .banner, requested: .adaptive, declared: nil),
                probe: MediaProbe(transport: NoTransport(), userAgent: "Test/1.0"),
                isSilent: true,
                watcher: eye
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
        eyes[0].press(.toggle)
        #expect(signals.isCovered)
        eyes[1].press(.toggle)
        #expect(!signals.isCovered)
        for stage in stages { await stage.close(.user) }
    }
}
