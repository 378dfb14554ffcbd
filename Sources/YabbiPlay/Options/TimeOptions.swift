import PlayConsole

/// The time of a run.
enum PlayTime: Equatable, Sendable {
    /// Virtual time, which skips all waits.
    case virtual
    /// The system's time, multiplied by a factor.
    case real(speed: Double)

    var isVirtual: Bool { self == .virtual }

    var speed: Double { if case .real(let speed) = self { speed } else { 1 } }
}

/// The options that choose the time.
struct TimeOptions: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case real, virtual
    }

    static let clock = Option<Kind>(
        "--clock",
        "The clock: real time, or virtual time that skips all waits.",
        otherwise: "real, virtual for demo"
    )
    static let speed = Option(
        "--speed",
        .other("<factor>"),
        "Run real time faster, videos included, by a factor from 1 to 16.",
        OptionValue.number(1...16)
    )

    static let speedNeedsRealTime =
        "--speed is for real time; remove it, or --clock virtual"

    /// Nil if the command line names no clock.
    let clock: Kind?
    let speed: Double?

    /// Reads `--clock`, of a command without `--speed`.
    init(_ arguments: Arguments) throws(UsageError) {
        self.clock = try arguments.value(Self.clock)
        self.speed = nil
    }

    /// Reads the options.
    ///
    /// A ledger excludes `--speed`, because the servers of its beacons use the system's time.
    init(_ arguments: Arguments, ledger: String?) throws(UsageError) {
        self.clock = try arguments.value(Self.clock)
        self.speed = try arguments.value(Self.speed)
        guard self.speed != nil else { return }
        if ledger != nil {
            throw UsageError("--ledger needs real time at its normal speed; remove --speed")
        }
        if self.clock == .virtual { throw UsageError(Self.speedNeedsRealTime) }
    }

    /// The requested time, or the command's default.
    func time(default fallback: Kind) -> PlayTime {
        switch self.clock ?? fallback {
        case .real: .real(speed: self.speed ?? 1)
        case .virtual: .virtual
        }
    }
}
