import AdCore
import SystemSupport

/// A presenter that keeps the order of what happens to all its stages, as `reveal 1`; each is visible when it is revealed.
final class SlotPresenter: Presenter {
    private struct State {
        var log: [String] = []
        var reports: [@Sendable (StageEvent) -> Void] = []
        var isBroken = false
    }

    private let state = Locked(State())

    /// What happened so far, in order; stages are counted from 1.
    var log: [String] { self.state.withLock { $0.log } }

    /// How many stages are revealed and not closed.
    var onScreen: Int { self.log.count { $0.hasPrefix("reveal") } - self.log.count { $0.hasPrefix("close") } }

    /// Whether further stages can't be presented.
    var isBroken: Bool {
        get { self.state.withLock { $0.isBroken } }
        set { self.state.withLock { $0.isBroken = newValue } }
    }

    /// Reports an event of the last stage.
    func report(_ event: StageEvent) { self.state.withLock { $0.reports.last }?(event) }

    func container(for kind: ShowRules.Kind) async -> AdContainer { .fullScreen(Size(width: 390, height: 844)) }

    func present(
        _ creative: Creative,
        _ options: StageOptions,
        report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageError) -> any Stage {
        let (number, isBroken) = self.state.withLock { state in
            state.reports.append(report)
            return (state.reports.count, state.isBroken)
        }
        if isBroken { throw StageError("for the test") }
        report(.ready)
        return SlotStage(number: number, presenter: self, report: report)
    }

    fileprivate func add(_ line: String) { self.state.withLock { $0.log.append(line) } }
}

private struct SlotStage: Stage {
    let number: Int
    let presenter: SlotPresenter
    let report: @Sendable (StageEvent) -> Void

    func reveal() async {
        self.presenter.add("reveal \(self.number)")
        self.report(.revealed)
        self.report(.visible(ratio: 1))
    }

    func setControl(_ control: StageControl, visible: Bool) async {}
    func control(_ command: VideoCommand) async {}
    func close(_ reason: CloseReason) async { self.presenter.add("close \(self.number)") }
}
