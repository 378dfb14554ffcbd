import AdCore
import PlayConsole

/// The inputs of inspect and lint.
struct InputOptions: Sendable {
    static let operand = Operand.many(.file(placeholder: "<input>"))
    static let summary = "Files, http(s) URLs, or - for standard input."
    static let timeout = Option(
        "--timeout",
        .other("<seconds>"),
        "The time limit for fetching a document.",
        OptionValue.seconds
    ).default("10")

    /// Files, URLs, and `-` for the standard input, in order.
    ///
    /// There is at least one.
    let inputs: [String]
    let timeout: Duration

    /// Reads the inputs.
    ///
    /// The action is for the error if there are none. Without a URL among the inputs `--timeout` is accepted only if other
    /// documents are fetched.
    init(_ arguments: Arguments, to action: String, fetchesOthers: Bool = false) throws(UsageError) {
        self.inputs = arguments.operands
        self.timeout = try arguments.value(Self.timeout)
        guard !self.inputs.isEmpty else {
            throw UsageError("missing argument <input>; name files, URLs or - (standard input) to \(action)")
        }
        if !fetchesOthers, !self.inputs.contains(where: InputOptions.isURL) {
            try arguments.refuse([Self.timeout], "is for URLs, but no <input> is one; remove it")
        }
    }

    /// Whether an input has a scheme and is fetched.
    static func isURL(_ input: String) -> Bool { input.contains("://") }

    /// The progress line, if there are several inputs and the output is text.
    func progress(on console: any Console, isMachineReadable: Bool) -> Progress? {
        let line = ProgressLine("inputs", of: self.inputs.count)
        return Progress(line, on: console, isSilent: isMachineReadable || self.inputs.count < 2)
    }
}
