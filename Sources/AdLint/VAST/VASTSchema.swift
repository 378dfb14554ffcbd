import AdCore
import AdHTML
import AdMarkup

/// The elements and attributes of VAST and VMAP, where they are allowed, and in which versions.
///
/// It is parsed from a table with one line for each element, `Name: children | attributes`. `*` means any number,
/// `@4.1` the first version, and `<4.1` the first version without it.
enum VASTSchema {
    struct Part: Sendable {
        let since: VASTRelease
        /// The first version without it; nil if all later versions have it.
        let until: VASTRelease?
        let mayRepeat: Bool
    }

    struct Entry: Sendable {
        let children: [String: Part]
        let attributes: [String: Part]
        /// The names of the attributes by their lower-case form.
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

    /// The children and attributes that an element may have; nil for an element that is not checked.
    static func entry(of element: LintElement) -> Entry? {
        guard self.contextDependent.contains(element.name) else { return self.entries[element.name] }
        if let parent = element.parent, let entry = self.entries["\(parent.name)/\(element.name)"] { return entry }
        if element.isWrapped, let entry = self.entries["Wrapper/\(element.name)"] { return entry }
        return self.entries[element.name]
    }

    /// The correct spelling of an element's name that differs at most in case; nil for an unknown name.
    static func spelling(of name: String) -> String? {
        self.exact.contains(name) ? name : self.spellings[name.asciiLowercased]
    }

    /// The elements that an element may be in.
    static func parents(of name: String) -> [String] { self.places[name] ?? [] }

    /// The names of all elements.
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

    /// The elements whose entry depends on the parent.
    private static let contextDependent = Set(
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
