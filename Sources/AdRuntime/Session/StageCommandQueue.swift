import AdCore
import SystemSupport

/// Sends commands and notices to a stage one at a time and in order, from before the stage exists until it is closed.
final class StageCommandQueue: Sendable {
    private enum Call: Sendable {
        case command(StageCommand)
        case notice(StageNotice)

        var isNotice: Bool { if case .notice = self { true } else { false } }
    }

    private struct State {
        var stage: (any Stage)?
        /// A slice, so that removing the first element does not move the rest.
        var waiting: ArraySlice<Call> = []
        var isSending = false
        var isClosed = false
        var alarm: AlarmID?
    }

    private let state = Locked(State())
    private let clock: any AdClock

    init(clock: any AdClock) { self.clock = clock }

    /// Whether the stage exists, or never will.
    var isOpen: Bool { self.state.withLock { $0.stage != nil || $0.isClosed } }

    /// Adds a command, which is sent as soon as the stage exists.
    ///
    /// Commands after `close` are dropped.
    func append(_ command: StageCommand) {
        guard case .close(let reason) = command else {
            return self.append(.command(command))
        }
        var isFirst = false
        self.update { state in
            guard !state.isClosed else { return }
            // Commands that still wait are dropped: their effect would be visible for a moment only. Notices are not:
            // scripts that measure hear of the skip that closes the ad.
            state.waiting = ArraySlice(state.waiting.filter(\.isNotice) + [.command(command)])
            state.isClosed = true
            isFirst = true
        }
        if isFirst { self.forceClose(reason) }
    }

    /// Adds a notice; those after `close` are dropped.
    func append(_ notice: StageNotice) { self.append(.notice(notice)) }

    private func append(_ call: Call) { self.update { state in if !state.isClosed { state.waiting.append(call) } } }

    /// How long a stage may take for its current command before it is closed regardless.
    private static let closeDeadline = Duration.seconds(5)

    /// Closes a stage whose current command does not return, because it still covers the screen.
    private func forceClose(_ reason: CloseReason) {
        let alarm = self.clock.schedule(at: self.clock.now + StageCommandQueue.closeDeadline) { [weak self] in
            guard let self else { return }
            let hangingStage = self.state.withLock { state -> (any Stage)? in
                // A stage that does not exist yet is closed by its queue later.
                guard let stage = state.stage else { return nil }
                state.stage = nil
                state.waiting = []
                return stage
            }
            guard let stage = hangingStage else { return }
            self.clock.work { await stage.close(reason) }
        }
        let isDone = self.state.withLock { state in
            state.alarm = alarm
            return state.stage == nil && state.waiting.isEmpty
        }
        if isDone { self.clock.cancel(alarm) }
    }

    /// Starts sending commands to the stage.
    func open(_ stage: any Stage) { self.update { $0.stage = stage } }

    /// Drops all commands, because there will be no stage.
    func abandon() {
        let alarm = self.state.withLock { state in
            state.waiting = []
            state.isClosed = true
            return state.alarm
        }
        if let alarm { self.clock.cancel(alarm) }
    }

    private func update(_ change: (inout State) -> Void) {
        let starts = self.state.withLock { state -> Bool in
            change(&state)
            guard state.stage != nil, !state.isSending, !state.waiting.isEmpty else { return false }
            state.isSending = true
            return true
        }
        guard starts else { return }
        self.clock.work {
            while let (stage, call) = self.next() {
                switch call {
                case .command(let command): await command.execute(on: stage)
                case .notice(let notice): await stage.notify(notice)
                }
            }
        }
    }

    private func next() -> (any Stage, Call)? {
        let (next, alarm) = self.state.withLock { state -> ((any Stage, Call)?, AlarmID?) in
            guard let stage = state.stage, !state.waiting.isEmpty else {
                state.isSending = false
                return (nil, nil)
            }
            let call = state.waiting.removeFirst()
            // A stage that waits long for its next command keeps no buffer.
            if state.waiting.isEmpty { state.waiting = [] }
            guard case .command(.close) = call else { return ((stage, call), nil) }
            state.stage = nil
            return ((stage, call), state.alarm)
        }
        if let alarm { self.clock.cancel(alarm) }
        return next
    }
}

extension StageCommand {
    fileprivate func execute(on stage: any Stage) async {
        switch self {
        case .reveal: await stage.reveal()
        case .control(let control, let visible): await stage.setControl(control, visible: visible)
        case .video(let command): await stage.control(command)
        case .post(let message): await stage.post(message)
        case .close(let reason): await stage.close(reason)
        }
    }
}
