import AdCore
package import PlayConsole

/// A scripted user: what is done, and when after the reveal.
package struct Script: Equatable, Sendable {
    /// What a user or a host can do.
    package enum Action: Equatable, Sendable {
        case click, close, skip, back, mute, unmute, pause, resume, cover, uncover, background, foreground, rotate
        /// Scrolls so many points of the ad out of sight.
        case scroll(Double)

        /// Those that are one word.
        package static let simple: [(word: String, act: Action)] = [
            ("click", .click), ("close", .close), ("skip", .skip), ("back", .back), ("mute", .mute),
            ("unmute", .unmute), ("pause", .pause), ("resume", .resume), ("cover", .cover), ("uncover", .uncover),
            ("background", .background), ("foreground", .foreground), ("rotate", .rotate),
        ]

        /// All of them, as they are written.
        package static let forms = Action.simple.map(\.word) + ["scroll N"]

        /// Whether it is about what lies around the ad, and not about what is done with it.
        var isOfSurroundings: Bool {
            switch self {
            case .cover, .uncover, .background, .foreground, .rotate, .scroll: true
            case .click, .close, .skip, .back, .mute, .unmute, .pause, .resume: false
            }
        }

        var name: String {
            if case .scroll(let points) = self { return "scroll \(AdJSON.double(points).text())" }
            return Action.simple.first { $0.act == self }?.word ?? "?"
        }
    }

    struct Step: Equatable, Sendable {
        let act: Action
        let at: Duration
    }

    /// The steps, earliest first.
    let steps: [Step]

    /// What surrounds the ad from the reveal on, and everything that comes later.
    var splitAtReveal: (first: [Step], later: [Step]) {
        let isFirst: (Step) -> Bool = { $0.at == .zero && $0.act.isOfSurroundings }
        return (self.steps.filter(isFirst), self.steps.filter { !isFirst($0) })
    }

    /// A user who does nothing.
    package init() { self.steps = [] }

    /// Reads steps as in `click@2s,scroll 40@3s,close@6500ms`.
    package init(parsing text: String) throws(UsageError) {
        var steps: [Step] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            steps.append(try Script.step(part.trimmed))
        }
        guard steps.count <= 1000 else { throw UsageError("--do takes at most 1000 steps") }
        self.steps = steps.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(
            \.element
        )
    }

    private static func step(_ text: String) throws(UsageError) -> Step {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false).map(\.trimmed)
        guard parts.count == 2 else {
            throw UsageError("--do takes steps as in click@2s, not \u{201C}\(text)\u{201D}")
        }
        let words = parts[0].split(separator: " ").map(String.init)
        let act: Action
        if words.count == 2, words[0] == "scroll", let points = Double(words[1]), points.isFinite, points >= 0 {
            act = .scroll(points)
        } else if words.count == 1, let simple = Action.simple.first(where: { $0.word == words[0] }) {
            act = simple.act
        } else {
            let nearest = Suggestion.nearest(to: parts[0], among: Action.forms).map { "; did you mean \($0)?" } ?? "."
            throw UsageError(
                "--do knows no \u{201C}\(parts[0])\u{201D}\(nearest) It knows \(Action.forms.joined(separator: ", "))"
            )
        }
        return Step(act: act, at: try Script.time(parts[1]))
    }

    private static func time(_ text: String) throws(UsageError) -> Duration {
        let units: [(String, Double)] = [("ms", 1), ("s", 1000), ("m", 60_000)]
        for (unit, factor) in units where text.hasSuffix(unit) {
            if let number = Double(text.dropLast(unit.count)), number >= 0, number * factor <= 86_400_000 {
                return .milliseconds(Int64((number * factor).rounded()))
            }
        }
        throw UsageError("--do takes times as in 2s, 1.5s, 300ms or 1m, not \u{201C}\(text)\u{201D}")
    }
}
