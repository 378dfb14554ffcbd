import PlayConsole

/// The time that a run lives by.
enum PlayTime: Equatable, Sendable {
    /// Time that jumps over every wait.
    case virtual
    /// The system's time, so many times as fast.
    case real(speed: Double)

    var isVirtual: Bool { self == .virtual }

    /// How many seconds of the run pass in a second.
    var speed: Double { if case .real(let speed) = self { speed } else { 1 } }
}

/// The options that choose the time.
struct TimeOptions: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case real, virtual
    }

    static let clock = Option<Kind>(
        "--clock",
        "real by default, virtual for demo; virtual time jumps over every wait"
    )
    static let speed = Option(
        "--speed",
        .other("N"),
        "real time N times as fast, videos too; from 1 to 16",
        OptionValue.number(1...16)
    )

    static let speedNeedsRealTime =
        "--speed is for real time, and virtual time takes none; leave one of them out"

    /// Nil where the command line does not say.
    let clock: Kind?
    let speed: Double?

    /// Reads them; with a ledger time goes no faster, because its servers live by the system's time.
    init(_ arguments: Arguments, ledger: String?) throws(UsageError) {
        self.clock = try arguments.value(Self.clock)
        self.speed = try arguments.value(Self.speed)
        guard self.speed != nil else { return }
        if ledger != nil {
            throw UsageError("--ledger keeps what a server is owed, by the time of its own; leave out --speed")
        }
        if self.clock == .virtual { throw UsageError(Self.speedNeedsRealTime) }
    }

    /// The time that is asked for, or else the command's usual one.
    func time(byDefault usual: Kind) -> PlayTime {
        switch self.clock ?? usual {
        case .real: .real(speed: self.speed ?? 1)
        case .virtual: .virtual
        }
    }
}
