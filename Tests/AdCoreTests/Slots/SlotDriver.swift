@testable import AdCore

/// A slot whose inputs a test gives at seconds of the clock.
struct SlotDriver {
    private(set) var slot: SlotMachine
    private(set) var now = Moment.origin
    /// The moment of the timer that is set.
    private(set) var timer: Moment?

    init(_ kind: SlotMachine.Kind = .banner, seed: UInt64 = 1, _ inputs: SlotMachine.Input...) {
        self.slot = SlotMachine(kind, seed: seed)
        for input in inputs { self.send(input) }
    }

    /// A banner with an interval of 30 s and an impression at the clock's origin.
    static func viewed(_ inputs: SlotMachine.Input...) -> SlotDriver {
        var driver = SlotDriver(
            .banner,
            .refreshEvery(.seconds(30)),
            .load,
            .loaded(ad(1)),
            .show,
            .shown(ad(1)),
            .viewed(ad(1))
        )
        for input in inputs { driver.send(input) }
        return driver
    }

    /// A slot that started by itself, with an interval of 30 s and an impression of its first ad.
    static func started(_ inputs: SlotMachine.Input...) -> SlotDriver {
        var driver = SlotDriver(
            .banner,
            .refreshEvery(.seconds(30)),
            .start,
            .loaded(ad(1)),
            .shown(ad(1)),
            .viewed(ad(1))
        )
        for input in inputs { driver.send(input) }
        return driver
    }

    /// Gives the slot an input, at a time in seconds; the default is that of the last input.
    @discardableResult
    mutating func send(_ input: SlotMachine.Input, at seconds: Double? = nil) -> [SlotMachine.Action] {
        if let seconds { self.now = Moment(.seconds(seconds)) }
        let actions = self.slot.handle(input, at: self.now)
        for action in actions {
            switch action {
            case .setTimer(let moment): self.timer = moment
            case .cancelTimer: self.timer = nil
            default: break
            }
        }
        return actions
    }

    /// Lets the timer fire at its moment; without a timer nothing happens.
    @discardableResult
    mutating func fire() -> [SlotMachine.Action] {
        guard let timer = self.timer else { return [] }
        self.timer = nil
        self.now = max(self.now, timer)
        return self.send(.timer)
    }
}

/// An ad of a slot.
func ad(_ value: Int) -> SlotMachine.Number { SlotMachine.Number(value) }

/// Why the ads of these tests fail.
let slotError = AdError(.noFill, "for the test")

extension SlotMachine.Action {
    /// Sets the timer to this second.
    static func timer(_ seconds: Double) -> SlotMachine.Action { .setTimer(at: Moment(.seconds(seconds))) }
}
