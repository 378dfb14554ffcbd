import AdCore
import PlayConsole

/// A piece of HTML; interpolated text is escaped.
struct HTML: Hashable, Sendable, ExpressibleByStringInterpolation {
    let text: String

    init(stringLiteral text: String) { self.text = text }
    init(stringInterpolation: StringInterpolation) { self.text = stringInterpolation.text }
    private init(raw text: String) { self.text = text }

    static let none: HTML = ""

    /// Text that is inserted without escaping: a style sheet, or JSON whose markup is escaped already.
    static func trusting(_ text: String) -> HTML { HTML(raw: text) }

    /// The pieces, joined.
    static func all(_ pieces: [HTML]) -> HTML { HTML(raw: pieces.map(\.text).joined(separator: "\n")) }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: String) { self.text += literal }

        mutating func appendInterpolation(_ html: HTML) { self.text += html.text }

        mutating func appendInterpolation(_ number: Int) { self.text += String(number) }

        /// Appends text from any source, escaped for elements and attributes, and truncated.
        mutating func appendInterpolation(_ text: String) {
            self.text += HTMLText.escaped(Style.printable(text, upTo: 2_000))
        }
    }
}
