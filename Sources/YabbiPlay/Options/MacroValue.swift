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
    private var spellings: [String] {
        ["%%\(self.name)%%", "[\(self.name)]", "${\(self.name)}", "{\(self.name)}"]
    }
}

extension [MacroValue] {
    /// A URL with the values, percent-encoded where the URL would change otherwise.
    func filled(url text: String) -> String {
        self.reduce(text) { text, macro in
            // A whole URL as the value stands where the tag has a URL.
            let isURL = macro.value.contains("://") && text.hasPrefix("%%\(macro.name)%%")
            let value = isURL ? macro.value : PercentEncoding.component(macro.value)
            return macro.replaced(in: text, by: value)
        }
    }

    /// A document with the values, escaped as its kind requires.
    func filled(_ document: [UInt8]) -> [UInt8] {
        guard !self.isEmpty else { return document }
        let kind = MarkupKind(sniffing: document)
        guard kind != .binary, kind != .empty else { return document }
        let text = String(decoding: document, as: UTF8.self)
        switch kind {
        case .json: return [UInt8](self.filledText(text) { MacroValue.jsonEscaped($0) }.utf8)
        case .vast, .vmap, .xml: return [UInt8](self.filledXML(text).utf8)
        case .html, .text, .binary, .empty: return [UInt8](self.filledText(text) { $0 }.utf8)
        }
    }

    private func filledText(_ text: String, _ escaping: (String) -> String) -> String {
        self.reduce(text) { text, macro in macro.replaced(in: text, by: escaping(macro.value)) }
    }

    /// XML: a value is escaped outside of CDATA sections (XML 1.0 §2.4, §2.7).
    private func filledXML(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "<![CDATA[") {
            result += self.filledText(String(rest[..<start.lowerBound]), HTMLText.escaped)
            let end = rest[start.upperBound...].firstRange(of: "]]>")?.upperBound ?? rest.endIndex
            result += self.filledText(String(rest[start.lowerBound..<end])) { $0.replacing("]]>", with: "") }
            rest = rest[end...]
        }
        return result + self.filledText(String(rest), HTMLText.escaped)
    }
}

extension MacroValue {
    fileprivate func replaced(in text: String, by value: String) -> String {
        self.spellings.reduce(text) { $0.replacing($1, with: value) }
    }

    fileprivate static func jsonEscaped(_ text: String) -> String {
        String(AdJSON.string(text).text().dropFirst().dropLast())
    }
}
