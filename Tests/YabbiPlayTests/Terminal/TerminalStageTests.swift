import AdCore
import AdRuntime
import SystemLock
import Testing

@testable import YabbiPlay

@Suite("Somebody at the terminal in front of several ads")
struct TerminalStageTests {
    /// Whoever looks at one ad, and what their keys lead to.
    private final class Eye: Onlooker {
        private let hands = Locked<Hands?>(nil)

        func begin(_ hands: @escaping Hands) -> Bool {
            self.hands.withLock { $0 = hands }
            return true
        }

        func end() {}

        func press(_ hand: OnlookerHand) { self.hands.withLock { $0 }?(hand) }
    }

    @Test("the space bar uncovers what was covered, whichever of the ads has the keys")
    func covers() async throws {
        let board = HostBoard()
        let eyes = [Eye(), Eye()]
        var stages: [any Stage] = []
        for eye in eyes {
            let presenter = TerminalPresenter(
                BufferConsole(),
                clock: VirtualClock(),
                board: board,
                script: Script(),
                container: ContainerSize(chosen: nil, kind: .banner, requested: .adaptive, declared: nil),
                probe: MediaProbe(transport: NoTransport(), userAgent: "Test/1.0"),
                isSilent: true,
                spectator: eye
            )
            let room = AdContainer.fullScreen(Size(width: 390, height: 844))
            let options = StageOptions(ad: AdID(bits: 1), kind: .banner, size: SizeDecision(.adaptive, in: room))
            let stage = try await presenter.present(
                .html(HTMLCreative(markup: "<p>Hi</p>", document: "<p>Hi</p>")),
                options
            ) { _ in }
            await stage.reveal()
            stages.append(stage)
        }
        eyes[0].press(.toggle)
        #expect(board.isCovered)
        eyes[1].press(.toggle)
        #expect(!board.isCovered)
        for stage in stages { await stage.close(.user) }
    }
}
