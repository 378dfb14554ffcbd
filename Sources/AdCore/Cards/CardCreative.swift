/// A card among the app's own content: a few texts, a picture perhaps, and who pays for it.
///
/// ```swift
/// let card = CardCreative(headline: "Fern pots", body: "For every window", callToAction: "See them", by: "Frondolo")
/// ```
public struct CardCreative: Hashable, Sendable {
    /// What it says first.
    public let headline: String
    /// What it says then; nil where there is nothing more.
    public let body: String?
    /// What stands on its button; nil where the provider says nothing.
    public let callToAction: String?
    /// Where its button leads; nil where it has none.
    public let link: ClickThroughURL?
    /// The picture; nil where there is none.
    public let image: HTTPURL?
    /// A line that makes curious; nil where there is none.
    public let teaser: String?
    /// What the advertiser's shop asks for; nil where there is none.
    public let promoCode: String?
    /// That it is an ad, and whose: it is shown with every card, and nothing switches it off.
    public let disclosure: AdDisclosure

    /// A card; empty texts are none.
    public init(
        headline: String,
        body: String? = nil,
        callToAction: String? = nil,
        link: ClickThroughURL? = nil,
        image: HTTPURL? = nil,
        teaser: String? = nil,
        promoCode: String? = nil,
        disclosure: AdDisclosure
    ) {
        self.headline = headline.trimmed
        self.body = body?.trimmed.nonEmpty
        self.callToAction = callToAction?.trimmed.nonEmpty
        self.link = link
        self.image = image
        self.teaser = teaser?.trimmed.nonEmpty
        self.promoCode = promoCode?.trimmed.nonEmpty
        self.disclosure = disclosure
    }

    /// A card by an advertiser.
    public init(
        headline: String,
        body: String? = nil,
        callToAction: String? = nil,
        link: ClickThroughURL? = nil,
        image: HTTPURL? = nil,
        by advertiser: String?
    ) {
        self.init(
            headline: headline,
            body: body,
            callToAction: callToAction,
            link: link,
            image: image,
            disclosure: AdDisclosure(advertiser: advertiser)
        )
    }
}

/// That something is an ad, and whose; there is none that says nothing.
public struct AdDisclosure: Hashable, Sendable, CustomStringConvertible {
    /// The word for it.
    public let label: String
    /// Who pays for it; nil where the provider does not say.
    public let advertiser: String?

    /// What is said where nobody chose a word.
    public static let standardLabel = "Sponsored"

    /// A disclosure; an empty word is the standard one.
    public init(label: String = AdDisclosure.standardLabel, advertiser: String?) {
        self.label = label.trimmed.nonEmpty ?? AdDisclosure.standardLabel
        self.advertiser = advertiser?.trimmed.nonEmpty
    }

    /// Both in one line.
    public var description: String { self.advertiser.map { "\(self.label) \u{B7} \($0)" } ?? self.label }
}

extension String {
    /// The text; nil where there is nothing to be seen of it.
    package var nonEmpty: String? {
        let isSeen = self.unicodeScalars.contains { scalar in
            // Most texts begin with a letter that needs no looking up.
            if scalar.isASCII { return ("!"..."~").contains(scalar) }
            let properties = scalar.properties
            return !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint
                && properties.generalCategory != .control && properties.generalCategory != .format
        }
        return isSeen ? self : nil
    }
}
