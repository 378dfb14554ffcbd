import AdCore
import PlayConsole

/// The result of one check of `doctor`.
struct Diagnosis: Equatable, Sendable {
    /// The raw values are those of `--json`.
    enum State: String, CaseIterable, Sendable {
        case fine, improvable, broken

        /// The label in text output.
        var label: String {
            switch self {
            case .fine: "ok"
            case .improvable: "warning"
            case .broken: "error"
            }
        }
    }

    /// The name of the check.
    let check: String
    let state: State
    /// What was found, in one sentence.
    let found: String
    /// How to fix it; nil if the state is fine.
    let fix: String?
    let code: ExitCode
    /// Additional members for `--json`.
    var details: [AdJSON.Member] = []

    static func fine(_ check: String, _ found: String, _ details: [AdJSON.Member] = []) -> Diagnosis {
        Diagnosis(check: check, state: .fine, found: found, fix: nil, code: .done, details: details)
    }

    static func improvable(
        _ check: String,
        _ found: String,
        fix: String,
        _ details: [AdJSON.Member] = []
    ) -> Diagnosis {
        Diagnosis(check: check, state: .improvable, found: found, fix: fix, code: .done, details: details)
    }

    static func broken(
        _ check: String,
        _ found: String,
        fix: String,
        _ code: ExitCode,
        _ details: [AdJSON.Member] = []
    ) -> Diagnosis {
        Diagnosis(check: check, state: .broken, found: found, fix: fix, code: code, details: details)
    }

    /// Splits an error message at the semicolon into what happened and how to fix it.
    static func split(_ message: String, or fix: String) -> (found: String, fix: String) {
        guard let range = message.firstRange(of: "; ") else { return (message, fix) }
        return (String(message[..<range.lowerBound]), String(message[range.upperBound...]))
    }

    /// The exit code for several checks.
    static func code(of all: [Diagnosis]) -> ExitCode { all.reduce(.done) { $0.worse($1.code) } }

    /// The number of checks by state.
    static func summary(of all: [Diagnosis]) -> String {
        let parts = State.allCases.compactMap { state -> String? in
            let count = all.count { $0.state == state }
            guard count > 0 else { return nil }
            return state == .fine ? "\(count) \(state.label)" : Quantity.text(count, state.label)
        }
        return parts.joined(separator: ", ")
    }

    var json: AdJSON {
        .object(
            [
                .init("check", .string(self.check)), .init("state", .string(self.state.rawValue)),
                .init("found", .string(self.found)), .init("fix", .text(self.fix)),
                // The former name of `fix`, for scripts that read it.
                .init("cure", .text(self.fix)),
            ] + self.details
        )
    }

    /// The text output in lines of at most `width` columns.
    func lines(_ style: Style, width: Int) -> [String] {
        let label = self.state.label
        let found = HelpBlock.row(
            indent: 0,
            term: label,
            column: Diagnosis.column,
            text: "\(self.check): \(Style.printable(self.found, upTo: 500))"
        )
        var lines = found.lines(width: width)
        // Colored after the layout, which counts columns.
        lines[0] = self.colored(label, style) + lines[0].dropFirst(label.count)
        guard let fix else { return lines }
        let advice = HelpBlock.row(
            indent: 0,
            term: "",
            column: Diagnosis.column,
            text: "→ \(Style.printable(fix, upTo: 500))"
        )
        return lines + advice.lines(width: width).filter { !$0.isEmpty }
    }

    /// The column of the text, after the longest label.
    private static let column = 9

    private func colored(_ label: String, _ style: Style) -> String {
        switch self.state {
        case .fine: style.green(label)
        case .improvable: style.yellow(label)
        case .broken: style.red(label)
        }
    }
}
