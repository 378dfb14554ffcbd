import AdCore
import PlayReport

/// Texts and URLs without what differs between two runs of the same ad: ids, numbers, times, ports.
///
/// Two of them with the same result are the same for a comparison. `NormalizationTests` has a table of what is replaced
/// and what is not.
package struct Normalization: Sendable {
    /// The ids of the compared ads that no rule recognizes.
    private let ids: [String]

    /// The least length of an id that is looked for in texts.
    private static let minIDLength = 8
    /// The maximum depth of URLs within the parameters of URLs.
    private static let maxDepth = 4

    /// Names of parameters whose values are cache busters, whatever they look like.
    private static let cacheBusters: Set<String> = [
        "_", "cb", "cachebust", "cachebuster", "cachebusting", "correlator", "nocache", "ord", "rand", "random", "rnd",
    ]

    package init(ids: [String] = []) {
        // Of ids that contain each other, the longer one is replaced first.
        self.ids = ids.filter { id in
            id.utf8.count >= Normalization.minIDLength && Normalization.replaced(id) != VolatileText.id
        }.sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
    }

    /// A text with placeholders for its volatile parts.
    package func text(_ text: String) -> String {
        var text = text
        for id in self.ids { text = text.replacing(id, by: VolatileText.id) }
        return Normalization.replaced(text)
    }

    /// A URL with placeholders for its volatile parts, and with its parameters in the order of their names.
    package func url(_ text: String) -> String { self.url(text, depth: 0) }

    private static func replaced(_ text: String) -> String {
        String(decoding: VolatileText(Array(text.utf8)).result, as: UTF8.self)
    }

    private func url(_ text: String, depth: Int) -> String {
        // The content of a data URL is what it shows.
        guard !Array(text.utf8.prefix(5)).startsIgnoringCase("data:") else { return text }
        let address = text.prefix { $0 != "#" }
        let fragment = text[address.endIndex...].dropFirst()
        let path = address.prefix { $0 != "?" }
        let query = address[path.endIndex...].dropFirst()
        var result = self.path(path, depth: depth)
        if !query.isEmpty {
            let parameters = query.split(separator: "&").map { self.parameter($0, depth: depth) }
            result += "?" + parameters.sorted().joined(separator: "&")
        }
        return fragment.isEmpty ? result : "\(result)#\(self.text(String(fragment)))"
    }

    /// A path, which may have parameters after semicolons, as in `/ad;ord=123`.
    private func path(_ path: Substring, depth: Int) -> String {
        let parts = path.split(separator: ";", omittingEmptySubsequences: false)
        let parameters = parts.dropFirst().map { ";" + self.parameter($0, depth: depth) }
        return self.text(String(parts[0])) + parameters.joined()
    }

    private func parameter(_ text: Substring, depth: Int) -> String {
        let name = PercentEncoding.decoded(text.prefix { $0 != "=" })
        guard let mark = text.firstIndex(of: "=") else { return self.text(name) }
        let value = PercentEncoding.decoded(text[text.index(after: mark)...])
        return "\(self.text(name))=\(self.value(value, of: name, depth: depth))"
    }

    private func value(_ value: String, of name: String, depth: Int) -> String {
        // A macro that was not replaced, as in `cb=[CACHEBUSTING]`, is a difference.
        if !value.isEmpty, value.utf8.allSatisfy({ $0.isASCIILetter || $0.isDigit || "-_.".utf8.contains($0) }),
            Normalization.cacheBusters.contains(name.asciiLowercased)
        {
            return VolatileText.id
        }
        // The unit of the user's document has the name of its file, which differs from run to run.
        let prefix = ReportedAd.documentPrefix
        if name == "unit", value.hasPrefix(prefix) { return prefix + VolatileText.id }
        guard value.contains("://"), depth < Normalization.maxDepth else { return self.text(value) }
        return self.url(value, depth: depth + 1)
    }
}
