/// A line of a terminal, parts of it emphasized.
package struct StyledText: Equatable, Sendable {
    package enum Tone: Sendable {
        case plain, bold, dim, green, yellow, red
    }

    private struct Span: Equatable, Sendable {
        let tone: Tone
        let text: String
    }

    private let spans: [Span]

    package static func plain(_ text: String) -> StyledText { StyledText(.plain, text) }
    package static func bold(_ title: String, _ rest: String = "") -> StyledText { StyledText(.bold, title, rest) }
    package static func dim(_ title: String, _ rest: String = "") -> StyledText { StyledText(.dim, title, rest) }
    package static func green(_ title: String, _ rest: String = "") -> StyledText { StyledText(.green, title, rest) }
    package static func yellow(_ title: String, _ rest: String = "") -> StyledText { StyledText(.yellow, title, rest) }
    package static func red(_ title: String, _ rest: String = "") -> StyledText { StyledText(.red, title, rest) }

    private init(_ tone: Tone, _ title: String, _ rest: String = "") {
        self.init([Span(tone: tone, text: title), Span(tone: .plain, text: rest)])
    }

    private init(_ spans: [Span]) {
        self.spans = spans.filter { !$0.text.isEmpty }
    }

    package static func + (first: StyledText, second: StyledText) -> StyledText {
        StyledText(first.spans + second.spans)
    }

    /// The text without emphasis.
    package var plain: String { self.spans.map(\.text).joined() }

    package func rendered(_ style: Style) -> String {
        self.spans.map { span in
            switch span.tone {
            case .plain: span.text
            case .bold: style.bold(span.text)
            case .dim: style.dim(span.text)
            case .green: style.green(span.text)
            case .yellow: style.yellow(span.text)
            case .red: style.red(span.text)
            }
        }.joined()
    }
}
