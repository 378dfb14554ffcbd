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

    /// What an element may have; a class, because each element of a document refers to one.
    final class Entry: Sendable {
        /// The children, by the indices of their names in ``VASTSchema/names``.
        private let children: [Part?]
        /// The attributes, by the indices of their names in ``VASTSchema/attributeNames``.
        private let attributes: [Part?]
        let hasChildren: Bool
        let attributeNames: [String]
        /// The names of the attributes by their lower-case form.
        let spellings: [String: String]

        fileprivate init(_ row: Row) {
            self.children = VASTSchema.names.map { row.children[$0] }
            self.attributes = VASTSchema.attributeNames.map { row.attributes[$0] }
            self.hasChildren = !row.children.isEmpty
            self.attributeNames = row.attributes.keys.sorted()
            self.spellings = Dictionary(
                self.attributeNames.map { ($0.asciiLowercased, $0) },
                uniquingKeysWith: { $1 }
            )
        }

        /// A child that the element may have.
        func child(_ name: ElementName) -> Part? { name.index.flatMap { self.children[$0] } }

        /// An attribute that the element may have.
        func attribute(_ name: AttributeName) -> Part? { name.index.flatMap { self.attributes[$0] } }
    }

    /// A line of the table.
    fileprivate struct Row {
        let children: [String: Part]
        let attributes: [String: Part]
    }

    /// The children and attributes that an element may have; nil for an element that is not checked.
    static func entry(of element: LintElement) -> Entry? {
        let name = element.elementName
        guard name.isContextDependent else { return name.entry }
        if let parent = element.parent, let entry = self.entries["\(parent.name)/\(element.name)"] { return entry }
        if element.isWrapped, let entry = self.entries["Wrapper/\(element.name)"] { return entry }
        return name.entry
    }

    /// The entry of an element in any place; nil for an element that is not checked.
    static func entry(named name: String) -> Entry? { self.entries[name] }

    /// Whether the entry of an element depends on its place.
    static func isContextDependent(_ name: String) -> Bool { self.contextDependent.contains(name) }

    /// The correct spelling of an element's name that differs at most in case; nil for an unknown name.
    static func spelling(of name: String) -> String? {
        self.exact.contains(name) ? name : self.spellings[name.asciiLowercased]
    }

    /// The elements that an element may be in.
    static func parents(of name: String) -> [String] { self.places[name] ?? [] }

    /// The names of all elements.
    static let names: [String] = exact.sorted()

    /// The names of all attributes.
    static let attributeNames: [String] = Set(rows.values.flatMap(\.attributes.keys)).sorted()

    /// The indices of the names in ``names``.
    static let indices = Dictionary(uniqueKeysWithValues: zip(names, names.indices))

    /// The indices of the names in ``attributeNames``.
    static let attributeIndices = Dictionary(uniqueKeysWithValues: zip(attributeNames, attributeNames.indices))

    private static let entries: [String: Entry] = rows.mapValues(Entry.init)

    private static let rows: [String: Row] = {
        var rows: [String: Row] = [:]
        for line in VASTSchema.table.split(separator: "\n") {
            let halves = line.split(separator: "|", omittingEmptySubsequences: false)
            let head = halves[0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let children = VASTSchema.parts(head.count > 1 ? head[1] : "")
            rows[head[0].trimmed] = Row(
                children: children,
                attributes: VASTSchema.parts(halves.count > 1 ? halves[1] : "")
            )
        }
        return rows
    }()

    /// The elements whose entry depends on the parent.
    private static let contextDependent = Set(
        rows.keys.compactMap { name in name.split(separator: "/").dropFirst().first.map { String($0) } }
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
        for (key, entry) in VASTSchema.rows {
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
        for (key, entry) in VASTSchema.rows.sorted(by: { $0.key < $1.key }) {
            let parent = key.split(separator: "/").last.map(String.init) ?? key
            for child in entry.children.keys where !(places[child]?.contains(parent) ?? false) {
                places[child, default: []].append(parent)
            }
        }
        return places
    }()
}
