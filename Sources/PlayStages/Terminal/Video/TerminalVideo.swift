import AdCore
import AdRuntime
import SystemSupport

/// Carries out what the simulated player decides: asks for files, waits, reports.
final class TerminalVideo: Sendable {
    private struct State {
        var player: SimulatedPlayer
        var alarm: AlarmID?
        var isOver = false
        /// Requests a file, as long as the result is awaited.
        var probing: Task<Void, Never>?
        /// Called when nothing plays any more.
        var onRest: (@Sendable () -> Void)?
    }

    private let clock: any AdClock
    private let probe: MediaProbe
    private let say: @Sendable (String) -> Void
    private let report: @Sendable (StageEvent) -> Void
    private let state: Locked<State>
    private let outputs = SerialMailbox<SimulatedPlayer.Output>()

    init(
        _ creative: VideoCreative,
        clock: any AdClock,
        probe: MediaProbe,
        say: @escaping @Sendable (String) -> Void,
        report: @escaping @Sendable (StageEvent) -> Void
    ) {
        self.clock = clock
        self.probe = probe
        self.say = say
        self.report = report
        self.state = Locked(State(player: SimulatedPlayer(creative)))
    }

    /// Gets the first spot ready; `onRest` is called whenever nothing plays any more.
    func begin(onRest: @escaping @Sendable () -> Void) {
        self.state.withLock { $0.onRest = onRest }
        self.run { player, _ in player.begin() }
    }

    /// Whether nothing plays, nor will by itself.
    var isIdle: Bool { self.state.withLock { $0.player.isIdle } }

    func obey(_ command: VideoCommand) { self.run { $0.obey(command, at: $1) } }

    /// Does what a user does; false where that does not concern a player.
    func act(_ act: Script.Action) -> Bool {
        var isMine = false
        self.run { player, now in
            let (own, outputs) = player.act(act, at: now)
            isMine = own
            return outputs
        }
        return isMine
    }

    func toggle() { self.run { $0.toggle(at: $1) } }

    /// What is on screen instead of the video, when it is over.
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

    private func run(_ change: (inout SimulatedPlayer, Moment) -> [SimulatedPlayer.Output]) {
        let now = self.clock.now
        let old = self.state.withLock { state -> AlarmID? in
            guard !state.isOver else { return nil }
            for output in change(&state.player, now) { self.outputs.enqueue(output) }
            defer { state.alarm = nil }
            return state.alarm
        }
        if let old { self.clock.cancel(old) }
        self.drain()
        self.wait()
        self.state.withLock { $0.player.isIdle ? $0.onRest : nil }?()
    }

    /// Outputs in the order of their making, one at a time, outside the lock.
    private func drain() {
        self.outputs.drain { output in
            switch output {
            case .report(let event): self.report(event)
            case .say(let text): self.say(text)
            case .probe(let spot, let files):
                let task = self.clock.work {
                    let result = await self.probe.first(of: files)
                    self.run { $0.answered(result, for: spot, at: $1) }
                }
                let isOver = self.state.withLock { state in
                    if !state.isOver { state.probing = task }
                    return state.isOver
                }
                if isOver { task.cancel() }
            }
        }
    }

    private func wait() {
        self.state.withLock { state in
            guard !state.isOver, state.alarm == nil, let next = state.player.nextTick() else { return }
            state.alarm = self.clock.schedule(at: next) { [weak self] in self?.run { $0.tick(at: $1) } }
        }
    }
}
