import AdCore
import PlayConsole

/// What one look has found, and what to do where it is not fine.
struct Diagnosis: Equatable, Sendable {
    enum State: String, CaseIterable, Sendable {
        case fine, improvable, broken

        /// What people read.
        var words: String {
            switch self {
            case .fine: "fine"
            case .improvable: "could be better"
            case .broken: "broken"
            }
        }
    }

    /// What was looked at.
    let check: String
    let state: State
    /// What was found, in one sentence.
    let found: String
    /// What to do; nil where all is fine.
    let cure: String?
    /// How the command ends for it.
    let code: ExitCode
    /// What scripts may want to know besides.
    var details: [AdJSON.Member] = []

    static func fine(_ check: String, _ found: String, _ details: [AdJSON.Member] = []) -> Diagnosis {
        Diagnosis(check: check, state: .fine, found: found, cure: nil, code: .done, details: details)
    }

    static func improvable(
        _ check: String,
        _ found: String,
        cure: String,
        _ details: [AdJSON.Member] = []
    ) -> Diagnosis {
        Diagnosis(check: check, state: .improvable, found: found, cure: cure, code: .done, details: details)
    }

    static func broken(
        _ check: String,
        _ found: String,
        cure: String,
        _ code: ExitCode,
        _ details: [AdJSON.Member] = []
    ) -> Diagnosis {
        Diagnosis(check: check, state: .broken, found: found, cure: cure, code: code, details: details)
    }

    /// A message of ours taken apart: what happened, and what to do about it.
    static func parted(_ message: String, or cure: String) -> (found: String, cure: String) {
        guard let range = message.firstRange(of: "; ") else { return (message, cure) }
        return (String(message[..<range.lowerBound]), String(message[range.upperBound...]))
    }

    /// How the command ends after all of them.
    static func code(of all: [Diagnosis]) -> ExitCode { all.reduce(.done) { $0.worse($1.code) } }

    /// All of them in one line.
    static func summary(of all: [Diagnosis]) -> String {
        let parts = State.allCases.compactMap { state -> String? in
            let count = all.count { $0.state == state }
            return count == 0 ? nil : "\(count) \(state.words)"
        }
        return parts.joined(separator: ", ")
    }

    var json: AdJSON {
        .object(
            [
                .init("check", .string(self.check)), .init("state", .string(self.state.rawValue)),
                .init("found", .string(self.found)), .init("cure", .text(self.cure)),
            ] + self.details
        )
    }

    /// As lines for people, in so many columns.
    func lines(_ style: Style, width: Int) -> [String] {
        let words = self.state.words
        let found = HelpBlock.row(
            indent: 0,
            term: words,
            column: Diagnosis.column,
            text: "\(self.check): \(Style.printable(self.found, upTo: 500))"
        )
        var lines = found.lines(width: width)
        // The head is coloured when it has its place.
        lines[0] = self.coloured(words, style) + lines[0].dropFirst(words.count)
        guard let cure else { return lines }
        let advice = HelpBlock.row(
            indent: 0,
            term: "",
            column: Diagnosis.column,
            text: "→ \(Style.printable(cure, upTo: 500))"
        )
        return lines + advice.lines(width: width).filter { !$0.isEmpty }
    }

    /// Where the text begins, behind the longest of the words.
    private static let column = 17

    private func coloured(_ words: String, _ style: Style) -> String {
        switch self.state {
        case .fine: style.green(words)
        case .improvable: style.yellow(words)
        case .broken: style.red(words)
        }
    }
}
