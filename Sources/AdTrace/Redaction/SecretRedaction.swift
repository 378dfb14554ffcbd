package import AdCore

/// Takes out of a trace what is somebody's secret: the values that were named, and what stands in fields whose names say
/// that they hold one.
package struct SecretRedaction: Sendable {
    /// What stands in the place of a value that was named.
    static let mark = "hidden"
    /// What is shorter may stand anywhere by chance.
    private static let least = 4
    /// What is shorter is only hidden where it stands by itself.
    fileprivate static let long = 8
    /// Values are few: identifiers, keys.
    private static let most = 1_000
    /// Places come again and again: of those that were named long ago nobody speaks any more.
    private static let mostPassing = 400
    /// How deep texts may stand in texts.
    private static let deepest = 4
    /// How often a text is looked at: a second time where something was hidden, more often only where somebody tries to.
    private static let mostLooks = 8

    /// Fields of a trace's own that hold what others have written.
    private static let foreign: Set<String> = [
        "url", "message", "detail", "text", "crashed", "key", "place", "post", "send", "connect", "open",
        "clickThrough",
    ]
    /// What has fewer digits is a number of ours as often as anybody's.
    private static let leastDigits = 5

    /// The longest first: one may be a part of another.
    private var values: [String] = []
    /// In the order of their naming.
    private var named: [String] = []
    /// The same of what passes.
    private var passing: [String] = []

    /// Names a value that is to stand nowhere, as it is or as an address writes it.
    ///
    /// What passes makes room for the next of its kind, and for nothing else.
    mutating func add(_ value: String, passes: Bool = false) {
        for text in [value, PercentEncoding.visible(value), PercentEncoding.component(value)] {
            guard text.utf8.count >= SecretRedaction.least, text != SecretRedaction.mark, !self.values.contains(text)
            else {
                continue
            }
            if passes {
                if self.passing.count == SecretRedaction.mostPassing { self.forget(self.passing.removeFirst()) }
                self.passing.append(text)
            } else {
                if self.named.count == SecretRedaction.most { self.forget(self.named.removeFirst()) }
                self.named.append(text)
            }
            self.values.append(text)
            self.values.sort { $0.utf8.count > $1.utf8.count }
        }
    }

    private mutating func forget(_ value: String) { self.values.removeAll { $0 == value } }

    /// Knows no values yet.
    package init() {}

    /// A line of a trace without secrets: the names of its own fields tell nothing of their values.
    ///
    /// Words of its own stay what they are, whoever else uses them: without them it could not run again.
    package func hide(_ json: AdJSON) -> AdJSON { self.hide(json, in: nil) }

    private func hide(_ json: AdJSON, in field: String?) -> AdJSON {
        switch json {
        case .null, .bool: json
        case .number(let number): self.holds(number.text) ? .string(SecretRedaction.mark) : json
        case .string(let text):
            text.isWord && field.map(SecretRedaction.foreign.contains) == false
                ? json : .string(self.hideWhole(text))
        case .array(let elements): .array(elements.map { self.hide($0, in: field) })
        case .object(let members): .object(members.map { .init($0.name, self.hide($0.value, in: $0.name)) })
        }
    }

    private func holds(_ number: String) -> Bool {
        number.utf8.count >= SecretRedaction.leastDigits && self.values.contains(number)
    }

    /// What others have written, whose fields have names that tell.
    private func hideForeign(_ json: AdJSON, depth: Int) -> AdJSON {
        switch json {
        case .null, .bool: return json
        case .number(let number): return self.holds(number.text) ? .string(SecretRedaction.mark) : json
        case .string(let text): return .string(self.hide(text, depth: depth))
        case .array(let elements): return .array(elements.map { self.hideForeign($0, depth: depth) })
        case .object(let members):
            return .object(
                members.map { member in
                    guard Redaction.isSecret(member.name), member.value != .null else {
                        return .init(self.hide(member.name, depth: depth), self.hideForeign(member.value, depth: depth))
                    }
                    return .init(member.name, "***")
                }
            )
        }
    }

    /// A text in which nothing more is found to hide: what runs again is looked at again, and must stay as it is.
    private func hideWhole(_ text: String) -> String {
        var text = text
        for _ in 0..<SecretRedaction.mostLooks {
            let hidden = self.hide(text, depth: 0)
            if hidden == text { return text }
            text = hidden
        }
        return SecretRedaction.mark
    }

    private func hide(_ text: String, depth: Int) -> String {
        var text = text
        for value in self.values { text = text.hiding(value) }
        guard depth < SecretRedaction.deepest else { return SecretRedaction.mark }
        if let first = text.utf8.first(where: { $0 > 0x20 }), first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
            let json = try? AdJSON(parsing: text)
        {
            let hidden = self.hideForeign(json, depth: depth + 1)
            guard hidden != json else { return text }
            // In its place where that comes to the same: it may stand in a sentence elsewhere, and is the same there.
            let inPlace = ProseRedaction.hide(text)
            return (try? AdJSON(parsing: inPlace)) == hidden ? inPlace : hidden.text()
        }
        text = ProseRedaction.hide(text)
        guard text.utf8.contains(UInt8(ascii: "=")) || text.utf8.contains(UInt8(ascii: "@")) else { return text }
        // Addresses stand in sentences, between blanks, quotes and brackets.
        var result = ""
        var rest = text[...]
        while !rest.isEmpty {
            let word = rest.prefix { !SecretRedaction.separators.contains($0) }
            result += self.hideFields(word)
            rest = rest[word.endIndex...]
            let between = rest.prefix { SecretRedaction.separators.contains($0) }
            result += between
            rest = rest[between.endIndex...]
        }
        return result
    }

    private static let separators: Set<Character> = [
        " ", "\n", "\r\n", "\t", "\"", "'", "<", ">", "\u{201C}", "\u{201D}",
    ]

    /// A word that may be an address, or fields alone.
    private func hideFields(_ word: Substring) -> String {
        let isAddress = word.contains { "?#;".contains($0) } || word.contains("://")
        if isAddress { return Redaction.address(String(word)) }
        guard word.contains("=") else { return String(word) }
        return String(Redaction.address("?" + word).dropFirst())
    }
}

extension String {
    /// Whether it is one word of plain letters.
    fileprivate var isWord: Bool { !self.isEmpty && self.utf8.allSatisfy(\.isASCIILetter) }

    /// The text without a value, however its letters are written.
    fileprivate func hiding(_ value: String) -> String {
        let (own, sought) = (Array(self.utf8), Array(value.asciiLowercased.utf8))
        guard own.count >= sought.count else { return self }
        let lower = Array(self.asciiLowercased.utf8)
        func isPartOfWord(_ index: Int) -> Bool { lower.indices.contains(index) && lower[index].isASCIIWord }
        var result: [UInt8] = []
        var index = 0
        var isFound = false
        while index < own.count {
            let end = index + sought.count
            if lower[index] == sought[0], lower[index...].starts(with: sought),
                sought.count >= SecretRedaction.long || !isPartOfWord(index - 1) && !isPartOfWord(end)
            {
                result += Array(SecretRedaction.mark.utf8)
                index = end
                isFound = true
            } else {
                result.append(own[index])
                index += 1
            }
        }
        return isFound ? String(decoding: result, as: UTF8.self) : self
    }
}

extension UInt8 {
    fileprivate var isASCIIWord: Bool {
        (0x30...0x39).contains(self) || (0x61...0x7A).contains(self) || self == UInt8(ascii: "_") || self >= 0x80
    }
}

extension AdJSON {
    /// Whether this is what was written down, with anything where a value was hidden.
    package func agrees(with written: AdJSON) -> Bool {
        switch (self, written) {
        case (_, .string(SecretRedaction.mark)): true
        case (.string(let text), .string(let pattern)): text.agrees(with: pattern)
        case (.array(let own), .array(let others)):
            own.count == others.count && zip(own, others).allSatisfy { $0.agrees(with: $1) }
        case (.object(let own), .object(let others)):
            own.count == others.count
                && zip(own, others).allSatisfy { $0.name.agrees(with: $1.name) && $0.value.agrees(with: $1.value) }
        default: self == written
        }
    }
}

extension String {
    fileprivate func agrees(with pattern: String) -> Bool {
        guard self != pattern else { return true }
        let parts = pattern.split(separator: SecretRedaction.mark, omittingEmptySubsequences: false)
        guard parts.count > 1, let first = parts.first, let last = parts.last,
            self.utf8.count >= pattern.utf8.count - (parts.count - 1) * SecretRedaction.mark.utf8.count,
            self.hasPrefix(first), self.hasSuffix(last)
        else { return false }
        // Each piece as early as it can be: if there is any way, this is one.
        var rest = self.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.utf8.count >= last.utf8.count
    }
}
