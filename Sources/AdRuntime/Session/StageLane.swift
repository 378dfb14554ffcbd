import AdCore
import SystemLock

/// Tells a stage what it is told, one thing at a time and in order, from before it exists until it is closed.
final class StageLane: Sendable {
    private struct State {
        var stage: (any Stage)?
        var waiting: [StageCommand] = []
        var isAtWork = false
        var isOver = false
    }

    private let state = Locked(State())
    private let clock: any AdClock

    init(clock: any AdClock) { self.clock = clock }

    /// Whether the stage has come into being, or never will.
    var isOpen: Bool { self.state.withLock { $0.stage != nil || $0.isOver } }

    /// Tells the stage something, now or as soon as it exists.
    ///
    /// After `close` nothing is told any more.
    func tell(_ command: StageCommand) {
        self.start { state in
            guard !state.isOver else { return }
            state.waiting.append(command)
            if case .close = command { state.isOver = true }
        }
    }

    /// The stage exists.
    func open(_ stage: any Stage) { self.start { $0.stage = stage } }

    /// There will be no stage.
    func abandon() {
        self.state.withLock { state in
            state.waiting = []
            state.isOver = true
        }
    }

    private func start(_ change: (inout State) -> Void) {
        let isMine = self.state.withLock { state -> Bool in
            change(&state)
            guard state.stage != nil, !state.isAtWork, !state.waiting.isEmpty else { return false }
            state.isAtWork = true
            return true
        }
        guard isMine else { return }
        self.clock.work {
            while let (stage, command) = self.next() { await command.carryOut(on: stage) }
        }
    }

    private func next() -> (any Stage, StageCommand)? {
        self.state.withLock { state in
            guard let stage = state.stage, !state.waiting.isEmpty else {
                state.isAtWork = false
                return nil
            }
            let command = state.waiting.removeFirst()
            if case .close = command { state.stage = nil }
            return (stage, command)
        }
    }
}

extension StageCommand {
    fileprivate func carryOut(on stage: any Stage) async {
        switch self {
        case .reveal: await stage.reveal()
        case .control(let control, let visible): await stage.setControl(control, visible: visible)
        case .video(let command): await stage.control(command)
        case .close(let reason): await stage.close(reason)
        }
    }
}
