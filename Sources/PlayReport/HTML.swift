import AdCore
import PlayConsole

/// A piece of HTML; interpolated text is escaped.
package struct HTML: Hashable, Sendable, ExpressibleByStringInterpolation {
    package let text: String

    package init(stringLiteral text: String) { self.text = text }
    package init(stringInterpolation: StringInterpolation) { self.text = stringInterpolation.text }
    private init(raw text: String) { self.text = text }

    package static let none: HTML = ""

    /// Text that is inserted without escaping: a style sheet, or JSON whose markup is escaped already.
    package static func trusting(_ text: String) -> HTML { HTML(raw: text) }

    /// The pieces, joined.
    package static func all(_ pieces: [HTML]) -> HTML { HTML(raw: pieces.map(\.text).joined(separator: "\n")) }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) { self.text += literal }

        package mutating func appendInterpolation(_ html: HTML) { self.text += html.text }

        package mutating func appendInterpolation(_ number: Int) { self.text += String(number) }

        /// Appends text from any source, escaped for elements and attributes, and truncated.
        package mutating func appendInterpolation(_ text: String) {
            self.text += HTMLText.escaped(Style.printable(text, upTo: 2_000))
        }
    }
}
