import AdCore
import AdHTML
import AdMarkup

/// The value of a macro, in every spelling of ad servers.
struct MacroValue: Hashable, Sendable {
    let name: String
    let value: String

    /// Nil for a name that can't be one.
    init?(named name: String, _ value: String) {
        let isName = name.utf8.allSatisfy { $0.isASCIILetter || $0.isDigit || "_-.:".utf8.contains($0) }
        guard !name.isEmpty, name.utf8.count <= 100, isName else { return nil }
        self.name = name
        self.value = value
    }

    /// The spellings: Google Ad Manager, VAST and IAB, OpenRTB and MRAID, and those of smaller servers.
    fileprivate var spellings: [String] {
        ["%%\(self.name)%%", "[\(self.name)]", "${\(self.name)}", "{\(self.name)}"]
    }
}

extension [MacroValue] {
    /// A URL with the values, percent-encoded where the URL would change otherwise.
    func filled(url text: String) -> String {
        self.reduce(text) { text, macro in
            // A URL whose whole start is the macro, as in `%%CLICK_URL%%…`: the value is that start, not a parameter.
            let isURL = macro.value.contains("://") && text.hasPrefix("%%\(macro.name)%%")
            let value = isURL ? macro.value : PercentEncoding.component(macro.value)
            // A URL that was parsed has them percent-encoded.
            let name = macro.name
            let encoded = [
                "%25%25\(name)%25%25", "%5B\(name)%5D", "$%7B\(name)%7D", "%24%7B\(name)%7D", "%7B\(name)%7D",
            ]
            return (macro.spellings + encoded).reduce(text) { $0.replacing($1, with: value) }
        }
    }

    /// A document with the values, escaped as its kind requires.
    func filled(_ document: [UInt8]) -> [UInt8] {
        guard !self.isEmpty else { return document }
        let kind = MarkupKind(sniffing: document)
        guard kind != .binary, kind != .empty else { return document }
        switch kind {
        case .json: return self.filled(document[...]) { MacroValue.jsonEscaped($0) }
        case .vast, .vmap, .xml: return self.filledXML(document)
        case .html, .text, .binary, .empty: return self.filled(document[...]) { $0 }
        }
    }

    /// Bytes with the values: what is not UTF-8 stays as it is.
    private func filled(_ bytes: ArraySlice<UInt8>, _ escaping: (String) -> String) -> [UInt8] {
        self.reduce([UInt8](bytes)) { bytes, macro in
            let value = [UInt8](escaping(macro.value).utf8)
            return macro.spellings.reduce(bytes) { $0.replacing([UInt8]($1.utf8), with: value) }
        }
    }

    /// XML: a value is escaped outside of CDATA sections (XML 1.0 §2.4, §2.7).
    private func filledXML(_ document: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var rest = document[...]
        while let start = rest.firstRange(of: [UInt8]("<![CDATA[".utf8)) {
            result += self.filled(rest[..<start.lowerBound], HTMLText.escaped)
            let end = rest[start.upperBound...].firstRange(of: [UInt8]("]]>".utf8))?.upperBound ?? rest.endIndex
            result += self.filled(rest[start.lowerBound..<end]) { $0.replacing("]]>", with: "") }
            rest = rest[end...]
        }
        return result + self.filled(rest, HTMLText.escaped)
    }
}

extension MacroValue {
    fileprivate static func jsonEscaped(_ text: String) -> String {
        String(AdJSON.string(text).text().dropFirst().dropLast())
    }
}
