import AdCore
import AdRuntime
import SystemSupport

/// The shell of the simulated player: executes its actions, and calls it when time has passed.
final class TerminalVideo: Sendable {
    private struct State {
        var player: SimulatedPlayer
        var alarm: AlarmID?
        var isOver = false
        /// The request for a file, while it is pending.
        var probing: Task<Void, Never>?
        /// Called when the player is idle.
        var onIdle: (@Sendable () -> Void)?
    }

    private let clock: any AdClock
    private let probe: MediaProbe
    private let print: @Sendable (String) -> Void
    private let report: @Sendable (StageEvent) -> Void
    private let state: Locked<State>
    private let actions = SerialMailbox<SimulatedPlayer.Action>()

    init(
        _ creative: VideoCreative,
        clock: any AdClock,
        probe: MediaProbe,
        print: @escaping @Sendable (String) -> Void,
        report: @escaping @Sendable (StageEvent) -> Void
    ) {
        self.clock = clock
        self.probe = probe
        self.print = print
        self.report = report
        self.state = Locked(State(player: SimulatedPlayer(creative)))
    }

    /// Loads the first spot.
    ///
    /// `onIdle` is called whenever the player is idle.
    func start(onIdle: @escaping @Sendable () -> Void) {
        self.state.withLock { $0.onIdle = onIdle }
        self.run { player, _ in player.start() }
    }

    /// Whether nothing plays or will play by itself.
    var isIdle: Bool { self.state.withLock { $0.player.isIdle } }

    func execute(_ command: VideoCommand) { self.run { $0.handle(command, at: $1) } }

    /// Performs an action of the user; false if the action does not concern the player.
    func perform(_ action: UserScript.Action) -> Bool {
        var isHandled = false
        self.run { player, now in
            let (handled, actions) = player.handle(action, at: now)
            isHandled = handled
            return actions
        }
        return isHandled
    }

    func toggle() { self.run { $0.toggle(at: $1) } }

    /// The end card on screen.
    var shownEndCard: (spot: Int, part: VideoPartID)? { self.state.withLock { $0.player.shownEndCard } }
    var isMuted: Bool { self.state.withLock { $0.player.isMuted } }

    func end() {
        let (alarm, probing) = self.state.withLock { state in
            state.isOver = true
            state.player.end()
            defer { (state.alarm, state.probing) = (nil, nil) }
            return (state.alarm, state.probing)
        }
        if let alarm { self.clock.cancel(alarm) }
        probing?.cancel()
    }

    private func run(_ change: (inout SimulatedPlayer, Moment) -> [SimulatedPlayer.Action]) {
        let now = self.clock.now
        let old = self.state.withLock { state -> AlarmID? in
            guard !state.isOver else { return nil }
            for action in change(&state.player, now) { self.actions.enqueue(action) }
            defer { state.alarm = nil }
            return state.alarm
        }
        if let old { self.clock.cancel(old) }
        self.drain()
        self.scheduleTick()
        self.state.withLock { $0.player.isIdle ? $0.onIdle : nil }?()
    }

    /// Executes the actions in order, one at a time, outside the lock.
    private func drain() {
        self.actions.drain { action in
            switch action {
            case .report(let event): self.report(event)
            case .print(let text): self.print(text)
            case .probe(let spot, let files):
                let task = self.clock.work {
                    let result = await self.probe.first(of: files)
                    self.run { $0.probed(result, for: spot, at: $1) }
                }
                let isOver = self.state.withLock { state in
                    if !state.isOver { state.probing = task }
                    return state.isOver
                }
                if isOver { task.cancel() }
            }
        }
    }

    private func scheduleTick() {
        self.state.withLock { state in
            guard !state.isOver, state.alarm == nil, let next = state.player.nextTick() else { return }
            state.alarm = self.clock.schedule(at: next) { [weak self] in self?.run { $0.tick(at: $1) } }
        }
    }
}
