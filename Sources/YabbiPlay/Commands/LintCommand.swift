import AdCore
import AdMarkup

/// Says what is wrong or risky in tags and creatives, input by input, whatever becomes of the others.
enum LintCommand {
    /// What came of an input.
    struct Result {
        let input: String
        /// The report; nil where the input can't be read.
        let report: LintReport?
        /// Why it can't be read.
        let failure: String?
    }

    static func run(_ settings: Settings, _ console: any Console) async throws(PlayError) -> ExitCode {
        if settings.listsRules { return self.rules(settings, console) }
        let transport = try Commands.transport()
        let style = Style(isColoured: console.isColoured)
        var results: [Result] = []
        let progress = Progress(inputs: settings, on: console)
        defer { progress?.end() }
        for (index, input) in settings.inputs.enumerated() where console.loss == nil {
            progress?.step(Redaction.address(input))
            let result = await self.check(input, settings, by: transport)
            results.append(result)
            if settings.isJSON {
                console.out(LintJSON.line(result).text())
            } else if !settings.isSARIF {
                if index > 0 { console.out("") }
                for line in LintText.lines(result, style) { console.out(line) }
            }
        }
        progress?.end()
        if settings.isSARIF { console.out(LintSARIF.log(results).text()) }
        return self.verdict(results, settings, console)
    }

    private static func check(_ input: String, _ settings: Settings, by transport: any Transport) async -> Result {
        do throws(PlayError) {
            let found = try await Source.content(input, settings, by: transport)
            return Result(
                input: input,
                report: Lint.check(found.bytes, charset: found.charset, from: found.base).ignoring(
                    Set(settings.ignoredRules.compactMap(LintRule.named))
                ),
                failure: nil
            )
        } catch {
            return Result(input: input, report: nil, failure: error.message)
        }
    }

    private static func verdict(_ results: [Result], _ settings: Settings, _ console: any Console) -> ExitCode {
        let failures = results.count { $0.failure != nil }
        let errors = results.reduce(0) { $0 + ($1.report?.count(.error) ?? 0) }
        let warnings = settings.isStrict ? results.reduce(0) { $0 + ($1.report?.count(.warning) ?? 0) } : 0
        var parts: [String] = []
        if errors > 0 { parts.append(Counted.text(errors, "error")) }
        if warnings > 0 { parts.append(Counted.text(warnings, "warning")) }
        if failures > 0 { parts.append("\(Counted.text(failures, "input")) that can't be read") }
        guard !parts.isEmpty else { return .done }
        // What nobody could read is no verdict.
        guard console.loss == nil else { return .invalidCreative }
        let cure =
            settings.isSARIF || settings.isJSON
            ? "see what was printed" : "see the findings above"
        console.err("yabbi-play: \(parts.joined(separator: ", ")); \(cure)")
        return .invalidCreative
    }

    // MARK: The catalogue

    /// Whether there is a rule of that name, and if not, which may be meant.
    static func checkRule(_ id: String, of option: String) throws(UsageError) {
        if LintRule.named(id) != nil { return }
        let nearest = Suggestion.nearest(to: id, among: LintRule.all.map(\.id))
        let hint = nearest.map { "did you mean \($0)?" } ?? "yabbi-play lint --rules lists them"
        throw UsageError("\(option) knows no rule \u{201C}\(id.excerpt())\u{201D}; \(hint)")
    }

    private static func rules(_ settings: Settings, _ console: any Console) -> ExitCode {
        let style = Style(isColoured: console.isColoured)
        let asked = settings.inputs.compactMap(LintRule.named)
        if settings.isJSON {
            for rule in asked.isEmpty ? LintRule.all : asked { console.out(LintJSON.rule(rule).text()) }
        } else if settings.isMarkdown {
            console.out(LintCatalogue.markdown)
        } else if asked.isEmpty {
            for line in LintCatalogue.list(style) { console.out(line) }
        } else {
            for (index, rule) in asked.enumerated() {
                if index > 0 { console.out("") }
                for line in LintCatalogue.page(rule, style) { console.out(line) }
            }
        }
        return .done
    }
}
