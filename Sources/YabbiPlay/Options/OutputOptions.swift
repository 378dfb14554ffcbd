import PlayConsole

/// The options for the output of a command.
enum OutputOptions {
    static let json = Flag("--json", "Print one JSON object per line.")
    static let verbose = Flag(
        "--verbose",
        aliases: ["-v"],
        "Print also requests, console messages, messages of MRAID, OMID, SIMID and VPAID, layout changes, long tasks, stalls."
    )
    static let report = Option(
        "--report",
        .folder,
        "Write report.html and requests.har to this folder. Uses chromium if one is installed.",
        OptionValue.path("folder")
    )
}

/// The trace of a run, for `replay`.
struct TraceOptions: Sendable {
    static let trace = Option(
        "--trace",
        .file,
        "Record a trace for yabbi-play replay.",
        OptionValue.text
    )
    static let secrets = Flag(
        "--trace-secrets",
        "Include identifiers, locations, keys and tokens in the trace."
    )
    static let options: [any OptionDeclaration] = [trace, secrets]

    let file: String
    let keepsSecrets: Bool

    /// The requested trace; nil if none is requested.
    init?(_ arguments: Arguments) throws(UsageError) {
        self.keepsSecrets = arguments.has(Self.secrets)
        guard let file = try arguments.value(Self.trace) else {
            guard !self.keepsSecrets else {
                throw UsageError("--trace-secrets requires --trace <file>")
            }
            return nil
        }
        self.file = file
    }
}
