import AdCore
import AdLint
import AdMarkup
import PlayConsole
import PlayText

/// Reports errors and risks in tags and creatives.
///
/// Unreadable inputs do not stop it.
struct LintCommand: Command {
    enum Action: Sendable {
        /// Prints the findings in the inputs.
        case check(InputOptions, Format, ignored: [LintRule], isStrict: Bool)
        /// Prints the rules. An empty list stands for all rules.
        case rules([LintRule], RuleFormat)
    }

    enum Format: Sendable {
        case text, json, sarif
    }

    enum RuleFormat: Sendable {
        case text, json, markdown
    }

    static let name = "lint"
    static let usage = "lint <input>…"
    static let summary = "Report errors and risks in tags and creatives, with line numbers and fixes."
    static let operand = InputOptions.operand
    static let operandSummary = InputOptions.summary
    static let exitCodes: [ExitCode] = [.done, .usage, .invalidCreative]
    static let options: [any OptionDeclaration] = [
        OutputOptions.json, sarif, strict, ignore, rules, markdown, InputOptions.timeout,
    ]

    static let sarif = Flag("--sarif", "Print one SARIF 2.1.0 log for all inputs.")
    static let strict = Flag("--strict", "Exit with 6 for warnings too.")
    static let ignore = Option(
        "--ignore",
        .words(LintRule.all.map(\.id), placeholder: "<id>,<id>"),
        "Ignore these rules. Repeatable.",
        isRepeatable: true
    ) { (text, name) throws(UsageError) in
        var rules: [LintRule] = []
        for id in text.split(separator: ",").map(\.trimmed) { rules.append(try LintCommand.rule(id, of: name)) }
        return rules
    }
    static let rules = Flag("--rules", "List the rules, or explain the rules named as <input>.")
    static let markdown = Flag("--markdown", "With --rules, print the rules as Markdown.")

    let action: Action

    init(_ arguments: Arguments) throws(UsageError) {
        let (isJSON, isSARIF) = (arguments.has(OutputOptions.json), arguments.has(Self.sarif))
        let isMarkdown = arguments.has(Self.markdown)
        guard !arguments.has(Self.rules) else {
            if isSARIF { throw UsageError("--sarif can't be combined with --rules; remove one of them") }
            if isJSON, isMarkdown { throw UsageError("--json can't be combined with --markdown; remove one of them") }
            try arguments.refuse(
                [Self.strict, Self.ignore, InputOptions.timeout],
                "can't be combined with --rules, which checks no input; remove one of them"
            )
            var rules: [LintRule] = []
            for id in arguments.operands { rules.append(try Self.rule(id, of: Self.rules.name)) }
            self.action = .rules(rules, isJSON ? .json : isMarkdown ? .markdown : .text)
            return
        }
        if isMarkdown { throw UsageError("--markdown requires --rules") }
        if isJSON, isSARIF { throw UsageError("--json can't be combined with --sarif; remove one of them") }
        self.action = .check(
            try InputOptions(arguments, to: Self.name),
            isJSON ? .json : isSARIF ? .sarif : .text,
            ignored: try arguments.values(Self.ignore).flatMap(\.self),
            isStrict: arguments.has(Self.strict)
        )
    }

    /// The rule with an id.
    ///
    /// The error for an unknown id suggests the nearest one.
    private static func rule(_ id: String, of option: String) throws(UsageError) -> LintRule {
        if let rule = LintRule.named(id) { return rule }
        let nearest = Suggestion.nearest(to: id, among: LintRule.all.map(\.id))
        let hint = nearest.map { "did you mean \($0)?" } ?? "see yabbi-play lint --rules"
        throw UsageError("unknown rule \u{201C}\(id.excerpt())\u{201D} for \(option); \(hint)")
    }

    func run(on console: any Console) async throws(PlayError) -> ExitCode {
        switch self.action {
        case .rules(let rules, let format):
            Self.print(rules, format, console)
            return .done
        case .check(let inputs, let format, let ignored, let isStrict):
            let check = LintRun(inputs: inputs, format: format, ignored: Set(ignored), isStrict: isStrict)
            return try await check.run(on: console)
        }
    }

    private static func print(_ rules: [LintRule], _ format: RuleFormat, _ console: any Console) {
        let style = Style(isColored: console.isColored)
        switch format {
        case .json: for rule in rules.isEmpty ? LintRule.all : rules { console.out(LintJSON.rule(rule).text()) }
        case .markdown: console.out(rules.isEmpty ? LintCatalogue.markdown : LintCatalogue.markdown(of: rules))
        case .text:
            guard !rules.isEmpty else { return LintCatalogue.list(style).forEach(console.out) }
            for (index, rule) in rules.enumerated() {
                if index > 0 { console.out("") }
                for line in LintCatalogue.page(rule, style) { console.out(line) }
            }
        }
    }
}

/// One run of `lint` over its inputs.
private struct LintRun {
    let inputs: InputOptions
    let format: LintCommand.Format
    let ignored: Set<LintRule>
    let isStrict: Bool

    func run(on console: any Console) async throws(PlayError) -> ExitCode {
        let transport = DocumentTransport()
        let style = Style(isColored: console.isColored)
        var results: [LintResult] = []
        let progress = self.inputs.progress(on: console, isMachineReadable: self.format != .text)
        defer { progress?.end() }
        for (index, input) in self.inputs.inputs.enumerated() where console.loss == nil {
            progress?.step(Redaction.address(input))
            let result = await self.check(input, by: transport)
            results.append(result)
            switch self.format {
            case .sarif: break
            case .json: console.out(LintJSON.line(result).text())
            case .text:
                if index > 0 { console.out("") }
                for line in LintText.lines(result, style) { console.out(line) }
            }
        }
        progress?.end()
        if self.format == .sarif { console.out(LintSARIF.log(results).text()) }
        return self.conclude(results, console)
    }

    private func check(_ input: String, by transport: any Transport) async -> LintResult {
        do throws(PlayError) {
            let found = try await SourceReader.input(input, within: self.inputs.timeout, by: transport)
            return LintResult(
                input: input,
                report: Lint.check(found.bytes, charset: found.charset, from: found.base).ignoring(
                    self.ignored
                ),
                failure: nil
            )
        } catch {
            return LintResult(input: input, report: nil, failure: error.message)
        }
    }

    /// Prints the sum of what was found, and returns the exit code that follows from it.
    private func conclude(_ results: [LintResult], _ console: any Console) -> ExitCode {
        let failures = results.count { $0.failure != nil }
        let errors = results.reduce(0) { $0 + ($1.report?.count(.error) ?? 0) }
        let warnings = self.isStrict ? results.reduce(0) { $0 + ($1.report?.count(.warning) ?? 0) } : 0
        var parts: [String] = []
        if errors > 0 { parts.append(Quantity.text(errors, "error")) }
        if warnings > 0 { parts.append(Quantity.text(warnings, "warning")) }
        if failures > 0 { parts.append(Quantity.text(failures, "unreadable input")) }
        guard !parts.isEmpty else { return .done }
        // The loss of the output is reported instead.
        guard console.loss == nil else { return .invalidCreative }
        let fix = self.format == .text ? "see the findings above" : "see the output"
        console.err("yabbi-play: \(parts.joined(separator: ", ")); \(fix)")
        return .invalidCreative
    }
}
