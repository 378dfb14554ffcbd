import AdCore
import AdMarkup

/// A CSS selector of types, ids, classes and attributes, combined by spaces and `>` (Selectors Level 4 §5–6, §15).
///
/// Both combinators match all descendants.
struct PageSelector {
    fileprivate struct Compound {
        var type: String?
        var id: String?
        var classes: [String] = []
        var attributes: [(name: String, value: String?)] = []
    }

    /// The alternatives of the list, each with its compound selectors from left to right.
    private var alternatives: [[Compound]] = []

    /// The limits of a selector; one that exceeds them is not read.
    private static let maxLength = 1_000
    private static let maxAlternatives = 64
    private static let maxCompounds = 16

    /// Parses a selector; nil if it has unsupported parts.
    init?(_ text: String) {
        guard text.utf8.count <= PageSelector.maxLength else { return nil }
        let parts = text.split(separator: ",")
        guard parts.count <= PageSelector.maxAlternatives else { return nil }
        for part in parts {
            let names = part.replacing(">", with: " ").split { $0 == " " || $0.isNewline || $0 == "\t" }
            guard names.count <= PageSelector.maxCompounds else { return nil }
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

    /// Whether an element matches; each comparison is charged.
    func selects(
        _ index: Int,
        in elements: [PageElement],
        _ meter: inout StepMeter
    ) throws(ScriptInterpreter.Stop) -> Bool {
        for compounds in self.alternatives {
            var at: Int? = index
            var left = compounds[...]
            while let element = at, let compound = left.last {
                try meter.charge(1 + compound.cost(of: elements[element]))
                if compound.matches(elements[element]) {
                    left.removeLast()
                } else if left.count == compounds.count {
                    // The last compound must match the element itself.
                    break
                }
                at = elements[element].parent
            }
            if left.isEmpty { return true }
        }
        return false
    }
}

extension PageSelector.Compound {
    /// The steps for comparing it with an element.
    fileprivate func cost(of element: PageElement) -> Int {
        self.classes.isEmpty ? 0 : (element.attributes["class"]?.utf8.count ?? 0) / 16
    }

    fileprivate func matches(_ element: PageElement) -> Bool {
        if let type = self.type, type != element.name { return false }
        if let id = self.id, element.attributes["id"] != id { return false }
        if !self.classes.isEmpty {
            let classes = (element.attributes["class"] ?? "").split { $0 == " " || $0.isNewline || $0 == "\t" }
            guard self.classes.allSatisfy({ wanted in classes.contains { $0 == wanted } }) else { return false }
        }
        return self.attributes.allSatisfy { name, value in
            value.map { element.attributes[name] == $0 } ?? (element.attributes[name] != nil)
        }
    }
}
