import AdCore
import PlayConsole

/// A piece of HTML: text gets into it escaped, and in no other way.
struct HTML: Hashable, Sendable, ExpressibleByStringInterpolation {
    let text: String

    init(stringLiteral text: String) { self.text = text }
    init(stringInterpolation: StringInterpolation) { self.text = stringInterpolation.text }
    private init(raw text: String) { self.text = text }

    /// Nothing.
    static let none: HTML = ""

    /// Text that is HTML already: a style of ours, or JSON that was made harmless.
    static func trusting(_ text: String) -> HTML { HTML(raw: text) }

    /// Pieces one after the other.
    static func all(_ pieces: [HTML]) -> HTML { HTML(raw: pieces.map(\.text).joined(separator: "\n")) }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: String) { self.text += literal }

        mutating func appendInterpolation(_ html: HTML) { self.text += html.text }

        mutating func appendInterpolation(_ number: Int) { self.text += String(number) }

        /// Text from anywhere, harmless in an element and in an attribute.
        mutating func appendInterpolation(_ text: String) {
            self.text += HTMLText.escaped(Style.printable(text, upTo: 2_000))
        }
    }
}
