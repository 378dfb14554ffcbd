import AdCore
import PlayConsole

/// What inspect and lint read.
struct InputOptions: Sendable {
    static let operand = Operand.many(.file(placeholder: "INPUT"))
    static let timeout = Option(
        "--timeout",
        .other("S"),
        "how long a server may take to send a document; 10",
        OptionValue.seconds
    )

    /// Files, addresses, and `-` for the standard input, in order; there is at least one.
    let inputs: [String]
    let timeout: Duration

    /// Reads them; the action is for the error where there are none.
    init(_ arguments: Arguments, to action: String) throws(UsageError) {
        self.inputs = arguments.operands
        self.timeout = try arguments.value(Self.timeout) ?? .seconds(10)
        guard !self.inputs.isEmpty else {
            throw UsageError("say what to \(action): files, addresses, or - for the standard input")
        }
    }

    /// The line that counts the inputs, where there are several and people read the output.
    func progress(on console: any Console, isForPrograms: Bool) -> Progress? {
        let line = ProgressLine("inputs", of: self.inputs.count)
        return Progress(line, on: console, isSilent: isForPrograms || self.inputs.count < 2)
    }
}
