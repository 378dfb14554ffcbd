/// What cards are made of.
extension LenientFields {
    /// The most characters of a card's text: many times what is ever shown of it.
    package static let longestText = 1_000

    /// A text that people read; of a very long one the beginning, and an empty one is none.
    package mutating func words(_ name: String) -> String? {
        guard let text = self.text(name)?.trimmed.nonEmpty else { return nil }
        let scalars = text.unicodeScalars.prefix(LenientFields.longestText + 1)
        guard scalars.count > LenientFields.longestText else { return text }
        self.note("\(name).long", name, "it has more than \(LenientFields.longestText) characters, and was cut")
        return String(String.UnicodeScalarView(scalars.dropLast())) + "\u{2026}"
    }

    /// What a card says first; where the field says nothing, another text of the card moves to its place.
    package mutating func headline(_ name: String, else other: inout String?) -> String? {
        if let text = self.words(name) { return text }
        guard let text = other else { return nil }
        other = nil
        self.note("\(name).missing", name, "there is none, and another text of the card took its place")
        return text
    }

    /// What a card says first; where the field says nothing, the first other text of the card that there is.
    package mutating func headline(_ name: String, else first: inout String?, _ second: inout String?) -> String? {
        first == nil ? self.headline(name, else: &second) : self.headline(name, else: &first)
    }

    /// Who pays for a card.
    package mutating func advertiser(_ name: String) -> String? {
        if let text = self.words(name) { return text }
        self.note("\(name).missing", name, "there is none, and the card says only that it is an ad")
        return nil
    }

    /// Where a click leads: to the web, or to an app whose scheme the host allows.
    package mutating func landing(_ name: String, allowing schemes: Set<String> = []) -> ClickThroughURL? {
        guard let text = self.text(name)?.trimmed.nonEmpty else { return nil }
        guard let url = ClickThroughURL(text) else {
            self.note("\(name).noURL", name, "\u{201C}\(text.excerpt())\u{201D} leads nowhere that may be opened")
            return nil
        }
        guard ["http", "https"].contains(url.scheme) || schemes.contains(url.scheme) else {
            self.note("\(name).scheme", name, "it leads to \(url.scheme.excerpt()):, which the host has not allowed")
            return nil
        }
        return url
    }

    /// A picture's address.
    package mutating func picture(_ name: String) -> HTTPURL? { self.address(name, of: "the picture") }

    /// The address of something that is asked for.
    package mutating func address(_ name: String, of what: StaticString) -> HTTPURL? {
        guard let text = self.text(name)?.trimmed.nonEmpty else { return nil }
        do throws(HTTPURL.Fault) {
            return try HTTPURL(parsing: text)
        } catch {
            self.note("\(name).noURL", name, "\(what) can't be asked for: \(error.reason)")
            return nil
        }
    }

    /// A truth value.
    package mutating func truth(_ name: String) -> Bool? {
        switch self.value(name) {
        case nil, .null: return nil
        case .bool(let value): return value
        case let other?:
            self.note("\(name).noTruth", name, "it is \(other.kind) where a truth value should be, and was left out")
            return nil
        }
    }
}
