/// The fields of cards.
extension LenientFields {
    /// The maximum length of a text of a card in Unicode scalars, much longer than what is displayed.
    package static let maximumTextLength = 1_000

    /// A display text, trimmed and shortened; nil for an empty one.
    package mutating func displayText(_ name: String) -> String? {
        guard let text = self.text(name)?.trimmed.nonEmpty else { return nil }
        let scalars = text.unicodeScalars.prefix(LenientFields.maximumTextLength + 1)
        guard scalars.count > LenientFields.maximumTextLength else { return text }
        self.addIssue(
            "\(name).long",
            name,
            "it has more than \(LenientFields.maximumTextLength) characters and was shortened"
        )
        return String(String.UnicodeScalarView(scalars.dropLast())) + "\u{2026}"
    }

    /// The headline of a card; if it is missing, another text takes its place.
    package mutating func headline(_ name: String, else other: inout String?) -> String? {
        if let text = self.displayText(name) { return text }
        guard let text = other else { return nil }
        other = nil
        self.addIssue("\(name).missing", name, "it is missing, and another text of the card took its place")
        return text
    }

    /// The headline of a card; if it is missing, the first of two other texts takes its place.
    package mutating func headline(_ name: String, else first: inout String?, _ second: inout String?) -> String? {
        first == nil ? self.headline(name, else: &second) : self.headline(name, else: &first)
    }

    /// The advertiser of a card.
    package mutating func advertiser(_ name: String) -> String? {
        if let text = self.displayText(name) { return text }
        self.addIssue("\(name).missing", name, "it is missing, and the card is labeled without an advertiser")
        return nil
    }

    /// The click-through URL of a card: a web page or a scheme that the host allows.
    package mutating func clickThroughURL(_ name: String, allowing schemes: Set<String> = []) -> ClickThroughURL? {
        guard let text = self.text(name)?.trimmed.nonEmpty else { return nil }
        guard let url = ClickThroughURL(text) else {
            self.addIssue("\(name).noURL", name, "\u{201C}\(text.excerpt())\u{201D} can't be opened")
            return nil
        }
        guard ["http", "https"].contains(url.scheme) || schemes.contains(url.scheme) else {
            self.addIssue("\(name).scheme", name, "its scheme \(url.scheme.excerpt()): is not allowed by the host")
            return nil
        }
        return url
    }

    /// The URL of an image.
    package mutating func imageURL(_ name: String) -> HTTPURL? { self.url(name, of: "the image") }

    /// The URL of a resource.
    package mutating func url(_ name: String, of what: StaticString) -> HTTPURL? {
        guard let text = self.text(name)?.trimmed.nonEmpty else { return nil }
        do throws(HTTPURL.ParseError) {
            return try HTTPURL(parsing: text)
        } catch {
            self.addIssue("\(name).noURL", name, "\(what) can't be requested: \(error.reason)")
            return nil
        }
    }

    /// A boolean.
    package mutating func bool(_ name: String) -> Bool? {
        switch self.value(name) {
        case nil, .null: return nil
        case .bool(let value): return value
        case let other?:
            self.addIssue("\(name).noTruth", name, "it is \(other.kind) where a boolean should be, and was ignored")
            return nil
        }
    }
}
