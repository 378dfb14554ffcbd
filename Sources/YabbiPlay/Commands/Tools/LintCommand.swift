import AdCore
import AdLint
import AdMarkup
import CurlTransport
import PlayConsole
import PlayReport

/// Finds what is wrong or risky in tags and creatives, input by input, whatever becomes of the others.
struct LintCommand: Command {
    /// What is printed.
    enum Action: Sendable {
        /// The findings of inputs.
        case check(InputOptions, Format, ignored: [LintRule], isStrict: Bool)
        /// The rules, or those that are named.
        case rules([LintRule], RuleFormat)
    }

    enum Format: Sendable {
        case text, json, sarif
    }

    enum RuleFormat: Sendable {
        case text, json, markdown
    }

    static let name = "lint"
    static let usage = "lint INPUT…"
    static let summary =
        "report what is wrong or risky in a tag or a creative, and what to do; INPUT as for inspect"
    static let operand = InputOptions.operand
    static let options: [any OptionDeclaration] = [
        OutputOptions.json, sarif, strict, ignore, rules, markdown, InputOptions.timeout,
    ]

    static let sarif = Flag("--sarif", "one SARIF 2.1.0 log of all inputs, for code hosts and editors")
    static let strict = Flag("--strict", "warnings count as errors do")
    static let ignore = Option(
        "--ignore",
        .words(LintRule.all.map(\.id), placeholder: "ID,ID"),
        "rules that are passed over",
        isRepeatable: true
    ) { (text, name) throws(UsageError) in
        var rules: [LintRule] = []
        for id in text.split(separator: ",").map(\.trimmed) { rules.append(try LintCommand.rule(id, of: name)) }
        return rules
    }
    static let rules = Flag("--rules", "list the rules, or explain those that are named; --json, --markdown")
    static let markdown = Flag("--markdown", "with --rules: the catalogue as a page")

    let action: Action

    init(_ arguments: Arguments) throws(UsageError) {
        let (isJSON, isSARIF) = (arguments.has(OutputOptions.json), arguments.has(Self.sarif))
        let isMarkdown = arguments.has(Self.markdown)
        guard !arguments.has(Self.rules) else {
            if isSARIF { throw UsageError("--sarif is for findings; leave out --rules") }
            var rules: [LintRule] = []
            for id in arguments.operands { rules.append(try Self.rule(id, of: Self.rules.name)) }
            self.action = .rules(rules, isJSON ? .json : isMarkdown ? .markdown : .text)
            return
        }
        if isMarkdown { throw UsageError("--markdown is for the catalogue: yabbi-play lint --rules --markdown") }
        if isJSON, isSARIF { throw UsageError("--json and --sarif are two forms of one output; give one of them") }
        self.action = .check(
            try InputOptions(arguments, to: Self.name),
            isJSON ? .json : isSARIF ? .sarif : .text,
            ignored: try arguments.values(Self.ignore).flatMap(\.self),
            isStrict: arguments.has(Self.strict)
        )
    }

    /// The rule of an id; throws for one that does not exist, with the nearest.
    private static func rule(_ id: String, of option: String) throws(UsageError) -> LintRule {
        if let rule = LintRule.named(id) { return rule }
        let nearest = Suggestion.nearest(to: id, among: LintRule.all.map(\.id))
        let hint = nearest.map { "did you mean \($0)?" } ?? "yabbi-play lint --rules lists them"
        throw UsageError("\(option) knows no rule \u{201C}\(id.excerpt())\u{201D}; \(hint)")
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
        let style = Style(isColoured: console.isColoured)
        switch format {
        case .json: for rule in rules.isEmpty ? LintRule.all : rules { console.out(LintJSON.rule(rule).text()) }
        case .markdown: console.out(LintCatalogue.markdown)
        case .text:
            guard !rules.isEmpty else { return LintCatalogue.list(style).forEach(console.out) }
            for (index, rule) in rules.enumerated() {
                if index > 0 { console.out("") }
                for line in LintCatalogue.page(rule, style) { console.out(line) }
            }
        }
    }
}

/// Checks the inputs of `lint`.
private struct LintRun {
    let inputs: InputOptions
    let format: LintCommand.Format
    let ignored: Set<LintRule>
    let isStrict: Bool

    func run(on console: any Console) async throws(PlayError) -> ExitCode {
        let transport = try CurlTransport.forCommand()
        let style = Style(isColoured: console.isColoured)
        var results: [LintResult] = []
        let progress = self.inputs.progress(on: console, isForPrograms: self.format != .text)
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
        return self.verdict(results, console)
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

    private func verdict(_ results: [LintResult], _ console: any Console) -> ExitCode {
        let failures = results.count { $0.failure != nil }
        let errors = results.reduce(0) { $0 + ($1.report?.count(.error) ?? 0) }
        let warnings = self.isStrict ? results.reduce(0) { $0 + ($1.report?.count(.warning) ?? 0) } : 0
        var parts: [String] = []
        if errors > 0 { parts.append(Quantity.text(errors, "error")) }
        if warnings > 0 { parts.append(Quantity.text(warnings, "warning")) }
        if failures > 0 { parts.append("\(Quantity.text(failures, "input")) that can't be read") }
        guard !parts.isEmpty else { return .done }
        // Output that could not be written says nothing about the inputs.
        guard console.loss == nil else { return .invalidCreative }
        let cure =
            self.format == .text ? "see the findings above" : "see what was printed"
        console.err("yabbi-play: \(parts.joined(separator: ", ")); \(cure)")
        return .invalidCreative
    }
}
