import AdCore
import PlayConsole

/// What show, load, watch and demo have in common; a command declares those of the options that it takes.
struct RunOptions: Sendable {
    static let size = Option(
        "--size",
        .other("WxH"),
        "the container in points; 390 wide by default",
        OptionValue.size
    )
    static let timeout = Option(
        "--timeout",
        .other("S"),
        "how long a load may take, and its beacons are waited for; 10",
        OptionValue.seconds
    )
    static let seed = Option(
        "--seed",
        .other("N"),
        "makes ids the same in every run, and in virtual time every line but for ports",
        OptionValue.seed
    )
    static let resend = Flag(
        "--resend",
        "send beacons again when in doubt, for servers that take each key once"
    )

    /// Those of every command that shows ads.
    static let shared: [any OptionDeclaration] =
        [size] + TraceOptions.options + [TimeOptions.clock, OutputOptions.json, timeout, seed]
    /// Those of commands that ask for ads by themselves.
    static let requesting: [any OptionDeclaration] = [OutputOptions.report, resend, LedgerOptions.kept]

    let app: AppOptions
    /// The container; nil where it follows from the ad.
    let container: Size?
    let timeout: Duration
    let seed: UInt64?
    let isJSON: Bool
    let trace: TraceOptions?
    /// The folder that a report goes to.
    let report: String?
    /// What happens to a beacon of which it is unknown whether it arrived.
    let guarantee: DeliveryGuarantee
    /// The file in which beacons are kept; nil for memory.
    let ledger: String?

    init(_ arguments: Arguments) throws(UsageError) {
        self.app = try AppOptions(arguments)
        self.container = try arguments.value(Self.size)
        self.timeout = try arguments.value(Self.timeout) ?? .seconds(10)
        self.seed = try arguments.value(Self.seed)
        self.isJSON = arguments.has(OutputOptions.json)
        self.trace = try TraceOptions(arguments)
        self.report = try arguments.value(OutputOptions.report)
        self.guarantee = arguments.has(Self.resend) ? .atLeastOnce : .atMostOnce
        self.ledger = try arguments.value(LedgerOptions.kept)
    }
}

/// The folder of the built-in server's creatives.
enum CreativesOption {
    static let creatives = Option(
        "--creatives",
        .folder,
        "the folder of the built-in server's creatives",
        OptionValue.text
    )
}
