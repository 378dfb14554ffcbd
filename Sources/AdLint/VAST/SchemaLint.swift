import AdCore
import AdHTML
import AdMarkup

/// Checks whether each element and attribute exists, at this place and in the declared version (VAST 4.3 §5).
enum SchemaLint {
    static func check(_ tree: LintTree, _ log: inout LintLog) {
        // Elements come after their parents.
        var entries: [VASTSchema.Entry?] = []
        entries.reserveCapacity(tree.nodes.count)
        for element in tree.elements {
            entries.append(element.isForeign ? nil : VASTSchema.entry(of: element))
            guard !element.isForeign else { continue }
            if let parent = element.parent, let entry = entries[parent.index] {
                self.check(element, in: parent, entry, &log)
            }
            guard let entry = entries[element.index] else { continue }
            if entry.hasChildren, !element.text.isEmpty {
                let rule: LintRule = self.startsWithTag(element.text) ? .elementEscaped : .xmlTextStray
                log.add(rule, element.textPlace, "<\(element.name)> contains the text \(element.text.quotedURL)")
            }
            self.attributes(of: element, entry, &log)
            self.repetitions(in: element, entry, &log)
        }
    }

    /// Whether a text begins with a tag.
    static func startsWithTag(_ text: String) -> Bool {
        let bytes = text.utf8.prefix(2)
        return bytes.first == UInt8(ascii: "<") && bytes.count == 2 && (bytes.last?.isASCIILetter ?? false)
    }

    private static func check(
        _ element: LintElement,
        in parent: LintElement,
        _ entry: VASTSchema.Entry,
        _ log: inout LintLog
    ) {
        var shown: String { "<\(element.written.excerpt(60))>" }
        guard let part = entry.child(element.elementName) else {
            let parents = VASTSchema.parents(of: element.name)
            if parents.contains(parent.name) || (parent.name == "Wrapper" && parents.contains("InLine")) {
                log.add(.wrapperElementIdle, element.place, "\(shown) is in <\(parent.name)> of a <Wrapper>")
            } else if !parents.isEmpty {
                let places = parents.prefix(4).map { "<\($0)>" }.joined(separator: ", ")
                log.add(
                    .elementMisplaced,
                    element.place,
                    "\(shown) is in <\(parent.name)>, but belongs in \(places)"
                )
            } else if let suggestion = log.suggestion(for: element.name, as: .element, among: VASTSchema.names) {
                log.add(.elementMisspelt, element.place, "\(shown) must be <\(suggestion)>")
            } else {
                log.add(.elementUnknown, element.place, "VAST has no \(shown) in <\(parent.name)>")
            }
            return
        }
        if element.written != element.name {
            log.add(.elementCase, element.place, "\(shown) must be <\(element.name)>")
        }
        guard let release = element.release else { return }
        if part.since > release {
            log.add(
                .elementNotYet,
                element.place,
                "\(shown) was added in \(part.since.text), the document declares \(release.text)"
            )
        } else if let until = part.until, until <= release {
            log.add(
                .elementNoMore,
                element.place,
                "\(shown) was removed in \(until.text), the document declares \(release.text)"
            )
        }
    }

    private static func attributes(of element: LintElement, _ entry: VASTSchema.Entry, _ log: inout LintLog) {
        for attribute in element.attributes {
            let name = attribute.name
            if let part = entry.attribute(attribute.key) {
                guard let release = element.release, part.since > release else { continue }
                let since = "was added in \(part.since.text), the document declares \(release.text)"
                log.add(.attributeNotYet, element.place(of: name), "\(name) of <\(element.name)> \(since)")
                continue
            }
            let near =
                entry.spellings[name.asciiLowercased]
                ?? log.suggestion(for: name, as: .attribute(of: element.name), among: entry.attributeNames)
            if let suggestion = self.spelling(near, on: element) {
                log.add(
                    .attributeMisspelt,
                    element.place(of: name),
                    "\(name.excerpt()) of <\(element.name)> must be \(suggestion)"
                )
            } else {
                log.add(
                    .attributeUnknown,
                    element.place(of: name),
                    "<\(element.name)> has no attribute \(name.excerpt(60))"
                )
            }
        }
    }

    /// The spelling of an attribute in the declared version: `adId` of VAST 4.0 was `AdID` before (VAST 3.0 §2.2.4.2).
    private static func spelling(_ name: String?, on element: LintElement) -> String? {
        guard element.name == "Creative", name?.asciiLowercased == "adid" else { return name }
        return element.release.map { $0 >= .v40 } ?? true ? "adId" : "AdID"
    }

    private static func repetitions(in element: LintElement, _ entry: VASTSchema.Entry, _ log: inout LintLog) {
        guard entry.hasChildren else { return }
        // There are few of these, so that a list is faster than a dictionary.
        var seen: [(name: Int?, line: Int)] = []
        for child in element.children {
            guard let part = entry.child(child.elementName), !part.mayRepeat else { continue }
            let name = child.elementName.index
            if let line = seen.first(where: { $0.name == name })?.line {
                log.add(
                    .elementTwice,
                    child.place,
                    "<\(child.name)> is already in this <\(element.name)> on line \(line)"
                )
            } else {
                seen.append((name, child.line))
            }
        }
    }
}
