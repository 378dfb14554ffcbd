import AdCore
import PlayConsole

/// The options that show, load, watch and demo share.
///
/// Each command declares those that it accepts.
struct RunOptions: Sendable {
    static let size = Option(
        "--size",
        .other("<width>x<height>"),
        "The size of the container in points.",
        otherwise: "the creative's, or 390 wide",
        OptionValue.size
    )
    static let timeout = Option(
        "--timeout",
        .other("<seconds>"),
        "The time limit for a load, and for waiting for its beacons.",
        OptionValue.seconds
    ).default("10")
    static let seed = Option(
        "--seed",
        .other("<number>"),
        "The seed for ids. With --clock virtual the whole output is reproducible, except for ports.",
        OptionValue.seed
    )
    static let resend = Flag(
        "--resend",
        "Send unconfirmed beacons again (at least once), for servers that honor Idempotency-Key."
    )

    /// The options of every command that shows ads.
    static let shared: [any OptionDeclaration] =
        [size] + TraceOptions.options + [TimeOptions.clock, OutputOptions.json, OutputOptions.verbose, timeout, seed]
    /// The options of commands that request ads.
    static let requesting: [any OptionDeclaration] = [OutputOptions.report, resend, LedgerOptions.writable]

    /// The container; nil if it follows from the ad.
    let container: Size?
    let timeout: Duration
    let seed: UInt64?
    let isJSON: Bool
    /// Whether requests and activities of creatives are printed.
    let isVerbose: Bool
    let trace: TraceOptions?
    /// The folder of the report.
    var report: String?
    /// What happens to unconfirmed beacons.
    let guarantee: DeliveryGuarantee
    /// The ledger file; nil for a ledger in memory.
    let ledger: String?

    /// Reads the shared options, and those of commands that request ads.
    init(requesting arguments: Arguments) throws(UsageError) {
        try self.init(
            arguments,
            report: try arguments.value(OutputOptions.report),
            guarantee: arguments.has(Self.resend) ? .atLeastOnce : .atMostOnce,
            ledger: try arguments.value(LedgerOptions.writable)
        )
    }

    /// Reads the shared options of a command that requests no ads.
    init(_ arguments: Arguments) throws(UsageError) {
        try self.init(arguments, report: nil, guarantee: .atMostOnce, ledger: nil)
    }

    private init(
        _ arguments: Arguments,
        report: String?,
        guarantee: DeliveryGuarantee,
        ledger: String?
    ) throws(UsageError) {
        self.container = try arguments.value(Self.size)
        self.timeout = try arguments.value(Self.timeout)
        self.seed = try arguments.value(Self.seed)
        self.isJSON = arguments.has(OutputOptions.json)
        self.isVerbose = arguments.has(OutputOptions.verbose)
        self.trace = try TraceOptions(arguments)
        self.report = report
        self.guarantee = guarantee
        self.ledger = ledger
    }
}

/// The folder of the built-in server's creatives.
enum CreativesOption {
    static let creatives = Option(
        "--creatives",
        .folder,
        "The folder of the built-in server's creatives.",
        OptionValue.text
    )
}
