import AdCore
import AdHTML
import AdMarkup

/// Which elements and attributes there are, where they stand, and since which release.
///
/// It is read from a table that people can read: one line for each element, `Name: children | attributes`, where `*`
/// means any number, `@4.1` since which release, and `<4.1` until before which.
enum VASTSchema {
    struct Part: Sendable {
        let since: VASTRelease
        /// The first release that has it no more.
        let until: VASTRelease?
        let mayRepeat: Bool
    }

    struct Entry: Sendable {
        let children: [String: Part]
        let attributes: [String: Part]
        /// The names of the attributes by their small letters.
        let spellings: [String: String]

        init(children: [String: Part], attributes: [String: Part]) {
            self.children = children
            self.attributes = attributes
            self.spellings = Dictionary(
                attributes.keys.sorted().map { ($0.asciiLowercased, $0) },
                uniquingKeysWith: { $1 }
            )
        }
    }

    /// What may are in an element, and on it; nil for one whose inside is not looked at.
    static func entry(of element: LintElement) -> Entry? {
        guard self.hasSpecials.contains(element.name) else { return self.entries[element.name] }
        if let parent = element.parent, let special = self.entries["\(parent.name)/\(element.name)"] { return special }
        if element.isWrapped, let special = self.entries["Wrapper/\(element.name)"] { return special }
        return self.entries[element.name]
    }

    /// The spelling of a name that only has other capitals; nil for one that there is not.
    static func spelling(of name: String) -> String? {
        self.exact.contains(name) ? name : self.spellings[name.asciiLowercased]
    }

    /// Where an element may stand.
    static func parents(of name: String) -> [String] { self.places[name] ?? [] }

    /// Every element's name.
    static let names: [String] = exact.sorted()

    private static let entries: [String: Entry] = {
        var entries: [String: Entry] = [:]
        for line in VASTSchema.table.split(separator: "\n") {
            let halves = line.split(separator: "|", omittingEmptySubsequences: false)
            let head = halves[0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let children = VASTSchema.parts(head.count > 1 ? head[1] : "")
            entries[head[0].trimmed] = Entry(
                children: children,
                attributes: VASTSchema.parts(halves.count > 1 ? halves[1] : "")
            )
        }
        return entries
    }()

    /// The elements that have another entry in some parents.
    private static let hasSpecials = Set(
        entries.keys.compactMap { name in name.split(separator: "/").dropFirst().first.map { String($0) } }
    )

    private static func parts(_ text: Substring) -> [String: Part] {
        var parts: [String: Part] = [:]
        for word in text.split(separator: " ") {
            let name = word.prefix { $0 != "*" && $0 != "@" && $0 != "<" }
            let since = word.split(separator: "@").dropFirst().first?.prefix { $0 != "<" }
            let until = word.split(separator: "<").dropFirst().first
            parts[String(name)] = Part(
                since: since.flatMap { VASTRelease(version: String($0)) } ?? .v2,
                until: until.flatMap { VASTRelease(version: String($0)) },
                mayRepeat: word.contains("*")
            )
        }
        return parts
    }

    private static let exact: Set<String> = {
        var names: Set<String> = []
        for (key, entry) in VASTSchema.entries {
            names.formUnion(entry.children.keys)
            if !key.contains("/") { names.insert(key) }
        }
        return names
    }()

    private static let spellings: [String: String] = {
        var spellings: [String: String] = [:]
        for name in VASTSchema.exact { spellings[name.asciiLowercased] = name }
        return spellings
    }()

    private static let places: [String: [String]] = {
        var places: [String: [String]] = [:]
        for (key, entry) in VASTSchema.entries.sorted(by: { $0.key < $1.key }) {
            let parent = key.split(separator: "/").last.map(String.init) ?? key
            for child in entry.children.keys where !(places[child]?.contains(parent) ?? false) {
                places[child, default: []].append(parent)
            }
        }
        return places
    }()
}
