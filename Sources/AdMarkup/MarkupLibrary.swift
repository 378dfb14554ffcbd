import CLibXML2

/// The libxml2 that is there at run time.
package enum MarkupLibrary {
    /// Its version, as in `2.9.14`.
    package static var version: String { self.version(from: String(cString: markup_library_version())) }

    /// It calls itself by one number, as in `20914`, and by more behind a hyphen where it was not released.
    static func version(from text: String) -> String {
        guard let number = Int(text.prefix { $0.isNumber }), number >= 10_000 else { return text }
        return "\(number / 10_000).\(number / 100 % 100).\(number % 100)"
    }
}
