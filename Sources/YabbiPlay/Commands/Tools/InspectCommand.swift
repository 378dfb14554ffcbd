import AdCore
import AdMarkup
import PlayConsole
import PlayInspect
import PlayText

/// Prints the structure of documents.
///
/// Unreadable inputs do not stop it.
struct InspectCommand: Command {
    static let name = "inspect"
    static let usage = "inspect <input>…"
    static let summary = "Print the structure of VAST, VMAP, HTML or JSON ad responses."
    static let operand = InputOptions.operand
    static let operandSummary = InputOptions.summary
    static let exitCodes: [ExitCode] = [.done, .usage, .invalidCreative]
    static let options: [any OptionDeclaration] = [follow, map, OutputOptions.json, InputOptions.timeout]

    static let follow = Flag(
        "--follow",
        "Resolve VAST wrappers, and print the wrapper chain and its trackers."
    )
    static let map = Option(
        "--map",
        .file,
        "Resolve wrappers from files: a JSON object with URLs as in VASTAdTagURI as keys and files as values. Implies --follow.",
        OptionValue.text
    )

    let inputs: InputOptions
    let isJSON: Bool
    let following: Following

    init(_ arguments: Arguments) throws(UsageError) {
        self.isJSON = arguments.has(OutputOptions.json)
        if let map = try arguments.value(Self.map) {
            self.following = .map(file: map)
        } else {
            self.following = arguments.has(Self.follow) ? .network : .none
        }
        let fetchesOthers = if case .network = self.following { true } else { false }
        self.inputs = try InputOptions(arguments, to: Self.name, fetchesOthers: fetchesOthers)
    }

    func run(on console: any Console) async throws(PlayError) -> ExitCode {
        let transport = DocumentTransport()
        let follower = try Follower(self.following, within: self.inputs.timeout, by: transport)
        let style = Style(isColored: console.isColored)
        var failures = 0
        let progress = self.inputs.progress(on: console, isMachineReadable: self.isJSON)
        defer { progress?.end() }
        for (index, input) in self.inputs.inputs.enumerated() where console.loss == nil {
            let name = Redaction.address(input)
            progress?.step(name)
            let finding = await self.finding(input, follower, transport)
            if finding.isFailure { failures += 1 }
            guard !self.isJSON else {
                let line: AdJSON = ["file": .string(name), "result": finding.json]
                console.out(line.text())
                continue
            }
            if index > 0 { console.out("") }
            for line in finding.lines(of: name, style) { console.out(line) }
        }
        progress?.end()
        guard failures > 0 else { return .done }
        // The loss of the output is reported instead.
        guard console.loss == nil else { return .invalidCreative }
        let all = self.inputs.inputs
        let which = all.count == 1 ? Redaction.address(all[0]) : "\(failures) of \(all.count) inputs"
        console.err("yabbi-play: no ad in \(Style.printable(which)); see the findings above")
        return .invalidCreative
    }

    private func finding(
        _ input: String,
        _ follower: Follower?,
        _ transport: any Transport
    ) async -> InspectedInput {
        do throws(PlayError) {
            let found = try await SourceReader.input(input, within: self.inputs.timeout, by: transport)
            return await InspectedInput(found.bytes, charset: found.charset, from: found.base, following: follower)
        } catch {
            return .unreadable(error.message)
        }
    }
}
