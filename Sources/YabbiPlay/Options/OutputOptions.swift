import PlayConsole

/// What a command prints and writes besides its result.
enum OutputOptions {
    static let json = Flag("--json", "one JSON object per line instead of text")
    static let report = Option(
        "--report",
        .folder,
        "write DIR/report.html: pictures, timeline, beacons, requests; in a browser where one is found",
        OptionValue.path("folder")
    )
}

/// The trace of a run, which `replay` runs again.
struct TraceOptions: Sendable {
    static let trace = Option(
        "--trace",
        .file,
        "write down what happens, to be run again by replay: a bug report",
        OptionValue.text
    )
    static let secrets = Flag(
        "--trace-secrets",
        "write identifiers, places, keys and tokens into the trace as well"
    )
    static let options: [any OptionDeclaration] = [trace, secrets]

    let file: String
    let keepsSecrets: Bool

    /// The trace that is asked for; nil where none is.
    init?(_ arguments: Arguments) throws(UsageError) {
        self.keepsSecrets = arguments.has(Self.secrets)
        guard let file = try arguments.value(Self.trace) else {
            guard !self.keepsSecrets else {
                throw UsageError("--trace-secrets says what stands in a trace; say where it goes: --trace FILE")
            }
            return nil
        }
        self.file = file
    }
}
