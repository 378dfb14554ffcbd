import AdCore
import FoundationEssentials

/// Smartico's own document, if it is next to the project, and its examples.
enum SourceDocument {
    /// The folder of the providers' documents.
    private static let folder: String = {
        let parts = #filePath.split(separator: "/").dropLast(4)
        return "/" + parts.joined(separator: "/") + "/../shared/seeds"
    }()

    /// The document's text; nil if it is not available.
    static let text: String? = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: SourceDocument.folder)) ?? []
        guard let name = names.first(where: { $0.hasPrefix("003_") }),
            let data = FileManager.default.contents(atPath: "\(SourceDocument.folder)/\(name)")
        else { return nil }
        return String(decoding: data, as: UTF8.self)
    }()

    /// The first JSON example that contains a text, without comments and ellipses.
    static func example(with mark: String) -> AdJSON? {
        let blocks = (self.text ?? "").components(of: "```json").dropFirst().map { $0.components(of: "```")[0] }
        for block in blocks where block.range(of: mark) != nil {
            var lines = block.components(of: "\n").map { line in
                line.range(of: " // ").map { String(line[..<$0.lowerBound]) } ?? line
            }
            lines.removeAll { $0.trimmed == "..." || $0.trimmed.hasPrefix("//") || $0.trimmed.hasPrefix("...") }
            var text = lines.map(\.trimmed).joined(separator: "\n")
            // Some examples have a trailing comma.
            for end in [",\n}", ",}"] {
                while let range = text.range(of: end) {
                    text = text[..<range.lowerBound] + "\n}" + text[range.upperBound...]
                }
            }
            if let json = try? AdJSON(parsing: text.replacing("'", "\"")) { return json }
        }
        return nil
    }
}

extension String {
    fileprivate func components(of separator: String) -> [String] {
        var parts: [String] = []
        var rest = self[...]
        while let range = rest.range(of: separator) {
            parts.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return parts + [String(rest)]
    }

    fileprivate func replacing(_ text: String, _ other: String) -> String {
        self.components(of: text).joined(separator: other)
    }
}

extension StringProtocol {
    fileprivate func range(of text: String) -> Range<Index>? { self.firstRange(of: text) }
}
