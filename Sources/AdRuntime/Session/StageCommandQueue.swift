import AdCore
import SystemSupport

/// Tells a stage what it is told, one thing at a time and in order, from before it exists until it is closed.
final class StageCommandQueue: Sendable {
    private struct State {
        var stage: (any Stage)?
        /// A slice, of which the first can be taken without moving the rest.
        var waiting: ArraySlice<StageCommand> = []
        var isAtWork = false
        var isOver = false
        var alarm: AlarmID?
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
        guard case .close(let reason) = command else {
            return self.start { state in if !state.isOver { state.waiting.append(command) } }
        }
        var isFirst = false
        self.start { state in
            guard !state.isOver else { return }
            // What is not begun by now would only flash up.
            state.waiting = [command]
            state.isOver = true
            isFirst = true
        }
        if isFirst { self.closeAnyway(reason) }
    }

    /// How long a stage may take for what it was told before, once it is to close.
    private static let patience = Duration.seconds(5)

    /// Closes a stage that hangs in what it was told before: it still holds the screen.
    private func closeAnyway(_ reason: CloseReason) {
        let alarm = self.clock.schedule(at: self.clock.now + StageCommandQueue.patience) { [weak self] in
            guard let self else { return }
            let hung = self.state.withLock { state -> (any Stage)? in
                // One that does not exist yet is closed as soon as it does.
                guard let stage = state.stage else { return nil }
                state.stage = nil
                state.waiting = []
                return stage
            }
            guard let stage = hung else { return }
            self.clock.work { await stage.close(reason) }
        }
        let isClosed = self.state.withLock { state in
            state.alarm = alarm
            return state.stage == nil && state.waiting.isEmpty
        }
        if isClosed { self.clock.cancel(alarm) }
    }

    /// The stage exists.
    func open(_ stage: any Stage) { self.start { $0.stage = stage } }

    /// There will be no stage.
    func abandon() {
        let alarm = self.state.withLock { state in
            state.waiting = []
            state.isOver = true
            return state.alarm
        }
        if let alarm { self.clock.cancel(alarm) }
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
        let (next, alarm) = self.state.withLock { state -> ((any Stage, StageCommand)?, AlarmID?) in
            guard let stage = state.stage, !state.waiting.isEmpty else {
                state.isAtWork = false
                return (nil, nil)
            }
            let command = state.waiting.removeFirst()
            guard case .close = command else { return ((stage, command), nil) }
            state.stage = nil
            return ((stage, command), state.alarm)
        }
        if let alarm { self.clock.cancel(alarm) }
        return next
    }
}

extension StageCommand {
    fileprivate func carryOut(on stage: any Stage) async {
        switch self {
        case .reveal: await stage.reveal()
        case .control(let control, let visible): await stage.setControl(control, visible: visible)
        case .video(let command): await stage.control(command)
        case .post(let message): await stage.post(message)
        case .close(let reason): await stage.close(reason)
        }
    }
}
