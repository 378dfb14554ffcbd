import CLibXML2

/// The libxml2 library at run time.
package enum MarkupLibrary {
    /// The version, as in `2.9.14`.
    package static var version: String { self.version(from: String(cString: markup_library_version())) }

    /// Parses the library's own version text: a number as in `20914`, with a suffix after a hyphen in development
    /// versions.
    static func version(from text: String) -> String {
        guard let number = Int(text.prefix { $0.isNumber }), number >= 10_000 else { return text }
        return "\(number / 10_000).\(number / 100 % 100).\(number % 100)"
    }
}
