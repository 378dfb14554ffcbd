package import AdCore

/// Removes secrets from a trace: known values, and the values of fields whose names indicate a secret.
package struct SecretRedaction: Sendable {
    /// The replacement of a known value.
    static let mark = "hidden"
    /// The least length of a known value; a shorter text may occur by chance.
    private static let minimumLength = 4
    /// The least length of a value that is hidden within words too; a shorter one is hidden as a whole word only.
    fileprivate static let minimumPartLength = 8
    /// The greatest number of permanent values: identifiers, keys.
    private static let permanentLimit = 1_000
    /// The greatest number of transient values, such as locations, which change often.
    private static let transientLimit = 400
    /// The greatest nesting of JSON in strings of JSON.
    private static let depthLimit = 4
    /// The greatest number of passes over a text; each one that hides something is followed by another.
    private static let passLimit = 8

    /// Fields of the trace format whose texts come from outside.
    private static let foreignFields: Set<String> = [
        "url", "message", "detail", "text", "crashed", "key", "place", "post", "send", "connect", "open",
        "clickThrough",
    ]
    /// The least length of a hidden number; a shorter one is often a number of the trace itself.
    private static let minimumDigits = 5

    /// All values, the longest first, because one may be a part of another.
    private var values: [String] = []
    /// The permanent values, oldest first.
    private var permanent: [String] = []
    /// The transient values, oldest first.
    private var transient: [String] = []

    /// Adds a value to hide, verbatim and percent-encoded.
    ///
    /// A transient value replaces the oldest transient value only.
    package mutating func add(_ value: String, isTransient: Bool = false) {
        for text in [value, PercentEncoding.visible(value), PercentEncoding.component(value)] {
            guard text.utf8.count >= SecretRedaction.minimumLength, text != SecretRedaction.mark,
                !self.values.contains(text)
            else { continue }
            if isTransient {
                if self.transient.count == SecretRedaction.transientLimit {
                    self.remove(self.transient.removeFirst())
                }
                self.transient.append(text)
            } else {
                if self.permanent.count == SecretRedaction.permanentLimit {
                    self.remove(self.permanent.removeFirst())
                }
                self.permanent.append(text)
            }
            self.values.append(text)
            self.values.sort { $0.utf8.count > $1.utf8.count }
        }
    }

    private mutating func remove(_ value: String) { self.values.removeAll { $0 == value } }

    /// Creates a redaction without known values.
    package init() {}

    /// Returns a line of a trace without secrets; names of the trace's own fields do not indicate secrets.
    ///
    /// Words of the trace format stay even if a known value equals them, because a replay needs them.
    package func hide(_ json: AdJSON) -> AdJSON { self.hide(json, in: nil) }

    private func hide(_ json: AdJSON, in field: String?) -> AdJSON {
        switch json {
        case .null, .bool: json
        case .number(let number): self.holds(number.text) ? .string(SecretRedaction.mark) : json
        case .string(let text):
            text.isWord && field.map(SecretRedaction.foreignFields.contains) == false
                ? json : .string(self.hideWhole(text))
        case .array(let elements): .array(elements.map { self.hide($0, in: field) })
        case .object(let members): .object(members.map { .init($0.name, self.hide($0.value, in: $0.name)) })
        }
    }

    private func holds(_ number: String) -> Bool {
        number.utf8.count >= SecretRedaction.minimumDigits && self.values.contains(number)
    }

    /// Hides secrets in JSON from outside, whose field names may indicate a secret.
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

    /// Hides secrets until another pass changes nothing: a replay redacts its texts again and must get the same.
    private func hideWhole(_ text: String) -> String {
        var text = text
        for _ in 0..<SecretRedaction.passLimit {
            let hidden = self.hide(text, depth: 0)
            if hidden == text { return text }
            text = hidden
        }
        return SecretRedaction.mark
    }

    private func hide(_ text: String, depth: Int) -> String {
        var text = text
        for value in self.values { text = text.hiding(value) }
        guard depth < SecretRedaction.depthLimit else { return SecretRedaction.mark }
        if let first = text.utf8.first(where: { $0 > 0x20 }), first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
            let json = try? AdJSON(parsing: text)
        {
            let hidden = self.hideForeign(json, depth: depth + 1)
            guard hidden != json else { return text }
            // Prefers the redaction of prose if it gives the same JSON: the text may be part of a sentence elsewhere.
            let inPlace = ProseRedaction.hide(text)
            return (try? AdJSON(parsing: inPlace)) == hidden ? inPlace : hidden.text()
        }
        text = ProseRedaction.hide(text)
        guard text.utf8.contains(UInt8(ascii: "=")) || text.utf8.contains(UInt8(ascii: "@")) else { return text }
        // URLs are separated by spaces, quotes and brackets.
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

    /// Hides secrets in a word that may be a URL or query fields.
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

    /// The text without a value; case is ignored.
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
                sought.count >= SecretRedaction.minimumPartLength || !isPartOfWord(index - 1) && !isPartOfWord(end)
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
    /// Whether this equals what was recorded; a hidden value matches anything.
    package func agrees(with traced: AdJSON) -> Bool {
        switch (self, traced) {
        case (_, .string(SecretRedaction.mark)): true
        case (.string(let text), .string(let pattern)): text.agrees(with: pattern)
        case (.array(let own), .array(let others)):
            own.count == others.count && zip(own, others).allSatisfy { $0.agrees(with: $1) }
        case (.object(let own), .object(let others)):
            own.count == others.count
                && zip(own, others).allSatisfy { $0.name.agrees(with: $1.name) && $0.value.agrees(with: $1.value) }
        default: self == traced
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
        // The earliest match of each part suffices.
        var rest = self.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.utf8.count >= last.utf8.count
    }
}
