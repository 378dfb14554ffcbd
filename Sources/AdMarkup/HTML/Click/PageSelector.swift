import AdCore

/// A CSS selector, as far as scripts and style sheets of creatives use it to name elements: types, ids, classes and
/// attributes, with spaces and `>` between them (Selectors Level 4 §5–6, §15).
struct PageSelector {
    private struct Compound {
        var type: String?
        var id: String?
        var classes: [String] = []
        var attributes: [(name: String, value: String?)] = []
    }

    /// The alternatives between commas, each the compounds from left to right.
    private var alternatives: [[Compound]] = []

    /// Longer selectors are not read.
    private static let longest = 1_000

    /// Reads a selector; nil for one with parts that are not known here.
    init?(_ text: String) {
        guard text.utf8.count <= PageSelector.longest else { return nil }
        for part in text.split(separator: ",") {
            let names = part.replacing(">", with: " ").split { $0 == " " || $0.isNewline || $0 == "\t" }
            var compounds: [Compound] = []
            for name in names {
                guard let compound = PageSelector.compound(name) else { return nil }
                compounds.append(compound)
            }
            guard !compounds.isEmpty else { return nil }
            self.alternatives.append(compounds)
        }
        if self.alternatives.isEmpty { return nil }
    }

    private static func compound(_ text: Substring) -> Compound? {
        var compound = Compound()
        var rest = text
        while let first = rest.first {
            if first == "[" {
                guard let end = rest.firstIndex(of: "]") else { return nil }
                let inside = rest[rest.index(after: rest.startIndex)..<end]
                let sides = inside.split(separator: "=", maxSplits: 1)
                guard let name = sides.first, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" }) else {
                    return nil
                }
                let value = sides.count > 1 ? String(sides[1].filter { $0 != "\"" && $0 != "'" }) : nil
                compound.attributes.append((name.lowercased(), value))
                rest = rest[rest.index(after: end)...]
                continue
            }
            let isMarked = first == "#" || first == "."
            let name = (isMarked ? rest.dropFirst() : rest).prefix { !"#.[:".contains($0) }
            guard !name.isEmpty, !rest.hasPrefix(":") else { return nil }
            switch first {
            case "#": compound.id = String(name)
            case ".": compound.classes.append(String(name))
            default: if name != "*" { compound.type = name.lowercased() }
            }
            rest = rest[name.endIndex...]
        }
        return compound
    }

    /// Whether an element is selected; `above` gives the elements around it from the inside out.
    func selects(_ element: PageElement, above: [PageElement]) -> Bool {
        self.alternatives.contains { compounds in
            guard let last = compounds.last, PageSelector.matches(last, element) else { return false }
            var rest = above[...]
            for compound in compounds.dropLast().reversed() {
                guard let index = rest.firstIndex(where: { PageSelector.matches(compound, $0) }) else { return false }
                rest = rest[(index + 1)...]
            }
            return true
        }
    }

    private static func matches(_ compound: Compound, _ element: PageElement) -> Bool {
        if let type = compound.type, type != element.name { return false }
        if let id = compound.id, element.attributes["id"] != id { return false }
        if !compound.classes.isEmpty {
            let classes = (element.attributes["class"] ?? "").split { $0 == " " || $0.isNewline || $0 == "\t" }
            guard compound.classes.allSatisfy({ wanted in classes.contains { $0 == wanted } }) else { return false }
        }
        return compound.attributes.allSatisfy { name, value in
            value.map { element.attributes[name] == $0 } ?? (element.attributes[name] != nil)
        }
    }
}

/// The rules of a style sheet that decide whether an element is rendered.
struct PageStyle {
    private var rules: [(selector: PageSelector, isHidden: Bool)] = []

    /// Rules beyond this many are not read.
    private static let most = 500

    /// Reads a style sheet; what stands in `@media` and the like is passed over, because it may not hold.
    mutating func read(_ bytes: [UInt8]) {
        var rest = String(decoding: bytes.prefix(1 << 20), as: UTF8.self)[...]
        while let open = rest.firstIndex(of: "{"), self.rules.count < PageStyle.most {
            let head = PageStyle.uncommented(rest[..<open])
            var depth = 0
            let end = rest[open...].firstIndex { character in
                if character == "{" { depth += 1 }
                if character == "}" { depth -= 1 }
                return depth == 0
            }
            let body = rest[rest.index(after: open)..<(end ?? rest.endIndex)]
            rest = end.map { rest[rest.index(after: $0)...] } ?? ""
            guard !head.hasPrefix("@"), let isHidden = PageStyle.hides(body), let selector = PageSelector(head) else {
                continue
            }
            self.rules.append((selector, isHidden))
        }
    }

    private static func uncommented(_ text: Substring) -> String {
        let end = text.firstRange(of: "*/")?.upperBound ?? text.startIndex
        // What stands before, as `@charset "utf-8";`, ends with a semicolon.
        let head = text[end...]
        return String(head[(head.lastIndex(of: ";").map { head.index(after: $0) } ?? head.startIndex)...]).trimmed
    }

    /// Whether declarations hide what they are for; nil where they say nothing of it.
    static func hides(_ declarations: some StringProtocol) -> Bool? {
        var isHidden: Bool?
        for declaration in declarations.split(separator: ";") {
            let sides = declaration.split(separator: ":", maxSplits: 1)
            guard sides.count == 2 else { continue }
            let value = String(sides[1]).trimmed.asciiLowercased
            switch String(sides[0]).trimmed.asciiLowercased {
            case "display": isHidden = value.hasPrefix("none")
            case "visibility": isHidden = value.hasPrefix("hidden") || value.hasPrefix("collapse")
            default: break
            }
        }
        return isHidden
    }

    /// Whether the rules hide an element; nil where none speaks of it.
    func hides(_ element: PageElement, above: [PageElement]) -> Bool? {
        self.rules.last { $0.selector.selects(element, above: above) }?.isHidden
    }

    var isEmpty: Bool { self.rules.isEmpty }
}
