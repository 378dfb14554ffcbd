@testable import AdCore

/// A pool of two ads in each of its states, and every input.
enum PoolScene: String, CaseIterable {
    /// It has not started.
    case created
    /// The first ad is being loaded.
    case loading
    /// The first ad is being loaded, and a caller waits for it.
    case awaited
    /// One ad is held, and the second is being loaded.
    case half
    /// Two ads are held.
    case full
    /// The first load has failed.
    case pausing
    /// The first load has failed, and a caller waits for the next one.
    case awaitedPause
    /// The first load was abandoned and has not ended.
    case abandoned
    /// One ad is held, and none is loaded in the background.
    case background
    /// No ad is held, and none is loaded without a network.
    case offline
    /// Memory was short; nothing is held.
    case reduced
    case stopped

    static let now = Moment(.seconds(100))
    static let caller = CommandID(7)
    static let error = AdError(.noFill, "no ad")

    /// The moment an ad expires that is loaded at `now`.
    static func after(_ seconds: Int) -> Moment { self.now + .seconds(seconds) }

    /// The pool in this state; its ads expire after 1,000 and 2,000 seconds.
    var machine: PoolMachine {
        let first = PoolMachine.Input.loaded(.init(1), expires: Self.after(1_000))
        let second = PoolMachine.Input.loaded(.init(2), expires: Self.after(2_000))
        let failed = PoolMachine.Input.loadFailed(.init(1), Self.error)
        let inputs: [PoolMachine.Input] =
            switch self {
            case .created: []
            case .loading: [.start]
            case .awaited: [.start, .wait(Self.caller)]
            case .half: [.start, first]
            case .full: [.start, first, second]
            case .pausing: [.start, failed]
            case .awaitedPause: [.start, failed, .wait(Self.caller)]
            case .abandoned: [.start, .clear]
            case .background: [.start, first, second, .background(true), .next]
            case .offline: [.start, .offline(true), first, .next]
            case .reduced: [.start, first, second, .memoryPressure(keep: 0)]
            case .stopped: [.start, first, second, .stop]
            }
        var machine = PoolMachine(size: 2)
        for input in inputs { _ = machine.handle(input, at: Self.now, random: { 0 }) }
        return machine
    }

    /// Every input, and how many seconds after `now` it comes; the pause takes two seconds.
    static func inputs(of machine: PoolMachine) -> [(name: String, input: PoolMachine.Input, after: Int)] {
        let number: PoolMachine.Number =
            switch machine.load {
            case .running(let number), .abandoned(let number): number
            case .none: .init(9)
            }
        let cooldown = AdError(.coolingDown, "not yet", underlying: Cooldown(until: self.after(50)))
        return [
            ("start", .start, 1), ("next", .next, 1), ("wait", .wait(CommandID(8)), 1),
            ("cancelWait", .cancelWait(self.caller), 1),
            ("loaded", .loaded(number, expires: self.after(1_500)), 1),
            ("loaded, short", .loaded(number, expires: self.after(40)), 1),
            ("loaded, old", .loaded(number, expires: self.after(11)), 1),
            ("failed", .loadFailed(number, self.error), 1), ("cooldown", .loadFailed(number, cooldown), 1),
            ("timer, pause", .timer, 2), ("timer, age", .timer, 990), ("background", .background(true), 1),
            ("front", .background(false), 1), ("offline", .offline(true), 1), ("online", .offline(false), 1),
            ("memory, 1", .memoryPressure(keep: 1), 1), ("memory, 0", .memoryPressure(keep: 0), 1),
            ("clear", .clear, 1), ("stop", .stop, 1),
        ]
    }
}

extension PoolMachine.Action {
    /// The action with its numbers; times are seconds after `PoolScene.now`.
    var text: String {
        switch self {
        case .load(let number): "load \(number.value)"
        case .destroy(let number): "destroy \(number.value)"
        case .handOut(let number, to: nil): "give \(number.value)"
        case .handOut(let number, to: let command?): "give \(number.value) to \(command.number)"
        case .fail(let command, let error): "fail \(command.number) \(error.code)"
        case .setTimer(let moment): "timer \(Int((moment - PoolScene.now).inSeconds))"
        case .cancelTimer: "no timer"
        }
    }
}
