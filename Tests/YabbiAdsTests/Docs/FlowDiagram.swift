import TestSupport

/// The sequence diagram of a page in `docs/flows`, and the files that the page lists.
///
/// A participant is a type, or a script by its file name; what is not code of this package is an `actor`. An arrow to a
/// participant has calls (`name(…)`, `Type.name(…)`, `Type(…)`) and cases (`.name`).
struct FlowDiagram {
    /// The lines of the diagram.
    let lines: [Substring]
    private let files: [File]
    /// The type of each participant, by the name in arrows; nil for an actor.
    private var types: [Substring: Substring?] = [:]

    /// A listed file.
    private struct File {
        /// Its name without folders.
        let name: Substring
        let lines: [Substring]

        /// Whether its name is that of a type, alone or with that of an extension.
        func isNamed(_ type: Substring) -> Bool {
            self.name == type || self.name == "\(type).swift"
                || self.name.hasPrefix("\(type)+") && self.name.hasSuffix(".swift")
        }

        /// Whether it declares or extends a type.
        func has(_ type: Substring) -> Bool {
            self.isNamed(type)
                || self.lines.contains { line in
                    let words = line.split { !$0.isLetter && !$0.isNumber }
                    return zip(words, words.dropFirst()).contains { Self.kinds.contains($0) && $1 == type }
                }
        }

        /// Whether it declares a function or initializer.
        func declares(_ function: Substring) -> Bool {
            self.lines.contains { line in
                let head = line.split { $0 == "(" || $0 == "<" }.first ?? ""
                return function == "init"
                    ? head.hasSuffix("init") || head.hasSuffix("init?") : head.hasSuffix("func \(function)")
            }
        }

        /// Whether it declares a case of an enum; a pattern begins with a dot.
        func declares(case name: Substring) -> Bool {
            self.lines.contains { line in
                let text = line.drop { $0 == " " }
                guard text.hasPrefix("case "), text.dropFirst(5).first?.isLetter == true else { return false }
                return text.dropFirst(5).split { !$0.isLetter && !$0.isNumber }.contains(name)
            }
        }

        private static let kinds: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "extension"]
    }

    /// Reads a page; nil if it has no diagram.
    init?(_ text: String) {
        guard let start = text.firstRange(of: "```mermaid\n"),
            let end = text[start.upperBound...].firstRange(of: "```")
        else { return nil }
        self.lines = text[start.upperBound..<end.lowerBound].split(separator: "\n").map { $0.drop { $0 == " " } }
        let listed = text.split(separator: "\n").filter { $0.hasPrefix("- `") }
        let paths = listed.flatMap { line in
            line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset % 2 == 1 && $0.element.hasPrefix("Sources/") }.map(\.element)
        }
        self.files = paths.map { path in
            let text = PackageFolder.text(String(path)) ?? ""
            return File(name: path.split(separator: "/").last ?? path, lines: text.split(separator: "\n"))
        }
        for line in self.lines {
            let words = line.split(separator: " ")
            guard words.count > 1 else { continue }
            switch words[0] {
            case "participant": self.types[words[1]] = words.count == 4 ? words[3] : words[1]
            case "actor": self.types[words[1]] = .some(nil)
            default: break
            }
        }
    }

    /// Participants without a listed file, and names that no listed file of their participant declares.
    var problems: [String] {
        let unlisted = self.types.values.compactMap { $0 }.filter { type in !self.files.contains { $0.isNamed(type) } }
        return unlisted.map { "no file of \($0) is listed" } + self.lines.flatMap(self.problems)
    }

    private func problems(in line: Substring) -> [String] {
        guard let colon = line.firstRange(of: ": ") else { return [] }
        let ends: [Substring]
        if line.hasPrefix("Note over ") {
            ends = [line[..<colon.lowerBound].dropFirst(10)]
        } else {
            // What a solid arrow names belongs to its end; an answer may name the sender's own.
            let names = line[..<colon.lowerBound].split { "->".contains($0) }
            guard names.count == 2 else { return [] }
            ends = line.contains("-->>") ? names : [names[1]]
        }
        guard ends.allSatisfy({ self.types[$0] != nil }) else { return ["\(line): not a participant"] }
        let types = ends.compactMap { self.types[$0] ?? nil }
        return self.problems(in: line[colon.upperBound...], of: types).map { "\(line): \($0)" }
    }

    private func problems(in text: Substring, of types: [Substring]) -> [String] {
        var found: [String] = []
        var index = text.startIndex
        while index < text.endIndex {
            let name = text[index...].prefix { $0.isLetter || $0.isNumber || $0 == "." }
            guard !name.isEmpty else {
                index = text.index(after: index)
                continue
            }
            index = name.endIndex
            let isCall = index < text.endIndex && text[index] == "("
            let parts = name.split(separator: ".")
            if name.hasPrefix("."), let first = parts.first {
                if !self.files.contains(where: { $0.declares(case: first) }) { found.append("no case \(first)") }
            } else if isCall, let first = parts.first, let last = parts.last {
                if first.first?.isUppercase != true {
                    // The functions of an actor are not ours.
                    if !types.isEmpty, !self.declares(first, types) { found.append("no func \(first)") }
                } else if !self.declares(parts.count == 1 ? "init" : last, [first]) {
                    found.append("no \(name)")
                }
            }
        }
        return found
    }

    private func declares(_ function: Substring, _ types: [Substring]) -> Bool {
        self.files.contains { file in types.contains { file.has($0) } && file.declares(function) }
    }
}
