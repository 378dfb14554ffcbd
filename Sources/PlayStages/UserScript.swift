package import AdCore
package import PlayConsole

/// The script of a user: actions with times after the reveal.
package struct UserScript: Equatable, Sendable {
    /// An action of the user or the host app.
    package enum Action: Equatable, Sendable {
        case click, close, skip, back, mute, unmute, pause, resume, captions, fullScreen,
            exitFullScreen, cover, uncover, background, foreground, rotate
        /// Scrolls a number of points of the ad out of view.
        case scroll(Double)
        /// Sets the device's volume, from 0 to 100.
        case volume(Double)
        /// Draws a view of the app over the screen.
        case obstruct(AdObstruction)

        /// Reads an action as a script writes it, without a time; nil for other texts.
        package init?(_ text: String) {
            let words = text.split(separator: " ").map(String.init)
            if words.count == 2, let number = Double(words[1]), number.isFinite, number >= 0 {
                switch words[0] {
                case "scroll": self = .scroll(number)
                case "volume" where number <= 100: self = .volume(number)
                default: return nil
                }
            } else if words.count == 5, words[0] == "obstruct" {
                let numbers = words.dropFirst().compactMap { Double($0) }.filter(\.isFinite)
                guard numbers.count == 4, numbers[2] > 0, numbers[3] > 0 else { return nil }
                let size = Size(width: numbers[2], height: numbers[3])
                let view = "view \(size) at \(words[1]),\(words[2])"
                self = .obstruct(AdObstruction(x: numbers[0], y: numbers[1], size: size, name: view))
            } else if words.count == 1, let simple = Action.simple.first(where: { $0.word == words[0] }) {
                self = simple.action
            } else {
                return nil
            }
        }

        /// The actions without a parameter.
        package static let simple: [(word: String, action: Action)] = [
            ("click", .click), ("close", .close), ("skip", .skip), ("back", .back), ("mute", .mute),
            ("unmute", .unmute), ("pause", .pause), ("resume", .resume),
            ("captions", .captions), ("fullscreen", .fullScreen), ("exit-fullscreen", .exitFullScreen),
            ("cover", .cover), ("uncover", .uncover),
            ("background", .background), ("foreground", .foreground), ("rotate", .rotate),
        ]

        /// The syntax of all actions.
        package static let forms = Action.simple.map(\.word) + ["scroll N", "volume N", "obstruct X Y WIDTH HEIGHT"]

        /// Whether it changes the surroundings of the ad, and not the ad itself.
        var changesSurroundings: Bool {
            switch self {
            case .cover, .uncover, .background, .foreground, .rotate, .scroll, .volume, .obstruct: true
            case .click, .close, .skip, .back, .mute, .unmute, .pause, .resume, .captions, .fullScreen,
                .exitFullScreen:
                false
            }
        }

        var name: String {
            switch self {
            case .scroll(let points): "scroll \(AdJSON.double(points).text())"
            case .volume(let percent): "volume \(AdJSON.double(percent).text())"
            case .obstruct(let view): "obstruct \(view.name)"
            default: Action.simple.first { $0.action == self }?.word ?? "?"
            }
        }
    }

    struct Step: Equatable, Sendable {
        let action: Action
        let at: Duration
    }

    /// The steps, earliest first.
    let steps: [Step]

    /// The steps that set the surroundings before the reveal, and all others.
    var splitAtReveal: (first: [Step], later: [Step]) {
        let isFirst: (Step) -> Bool = { $0.at == .zero && $0.action.changesSurroundings }
        return (self.steps.filter(isFirst), self.steps.filter { !isFirst($0) })
    }

    /// An empty script.
    package init() { self.steps = [] }

    /// Parses steps such as `click@2s,scroll 40@3s,close@6500ms`.
    package init(parsing text: String) throws(UsageError) {
        var steps: [Step] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            steps.append(try UserScript.step(part.trimmed))
        }
        guard steps.count <= 1000 else { throw UsageError("--do takes at most 1000 steps") }
        self.steps = steps.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(
            \.element
        )
    }

    private static func step(_ text: String) throws(UsageError) -> Step {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false).map(\.trimmed)
        guard parts.count == 2 else {
            throw UsageError(
                "invalid step \u{201C}\(text)\u{201D} in --do; expected <action>@<time>, for example click@2s"
            )
        }
        guard let action = Action(parts[0]) else {
            let nearest = Suggestion.nearest(to: parts[0], among: Action.forms).map { "did you mean \($0)?" }
            let hint = nearest ?? "expected one of \(Action.forms.joined(separator: ", "))"
            throw UsageError("unknown action \u{201C}\(parts[0])\u{201D} in --do; \(hint)")
        }
        return Step(action: action, at: try UserScript.time(parts[1]))
    }

    private static func time(_ text: String) throws(UsageError) -> Duration {
        let units: [(String, Double)] = [("ms", 1), ("s", 1000), ("m", 60_000)]
        for (unit, factor) in units where text.hasSuffix(unit) {
            if let number = Double(text.dropLast(unit.count)), number >= 0, number * factor <= 86_400_000 {
                return .milliseconds(Int64((number * factor).rounded()))
            }
        }
        throw UsageError("invalid time \u{201C}\(text)\u{201D} in --do; expected a time such as 2s, 1.5s, 300ms or 1m")
    }
}
