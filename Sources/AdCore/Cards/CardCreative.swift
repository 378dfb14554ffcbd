/// A native card among the app's own content: texts, an optional image and the disclosure.
///
/// ```swift
/// let card = CardCreative(headline: "Fern pots", body: "For every window", callToAction: "See them", by: "Frondolo")
/// ```
public struct CardCreative: Hashable, Sendable {
    /// The headline.
    public let headline: String
    /// The body text; nil if there is none.
    public let body: String?
    /// The label of its button; nil if the provider sends none.
    public let callToAction: String?
    /// The click-through URL of its button; nil for no button.
    public let link: ClickThroughURL?
    /// The image; nil if there is none.
    public let image: HTTPURL?
    /// A teaser line; nil if there is none.
    public let teaser: String?
    /// A promo code of the advertiser's shop; nil if there is none.
    public let promoCode: String?
    /// The disclosure that it is an ad, which every card shows.
    public let disclosure: AdDisclosure

    /// Creates a card; an empty text counts as none.
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

    /// Creates a card of an advertiser.
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

/// The disclosure that a card is an ad; its label is never empty.
public struct AdDisclosure: Hashable, Sendable, CustomStringConvertible {
    /// The label, as in `Sponsored`.
    public let label: String
    /// The advertiser; nil if the provider does not name it.
    public let advertiser: String?

    /// The default label.
    public static let standardLabel = "Sponsored"

    /// Creates a disclosure; an empty label becomes the default one.
    public init(label: String = AdDisclosure.standardLabel, advertiser: String?) {
        self.label = label.trimmed.nonEmpty ?? AdDisclosure.standardLabel
        self.advertiser = advertiser?.trimmed.nonEmpty
    }

    /// Label and advertiser in one line.
    public var description: String { self.advertiser.map { "\(self.label) \u{B7} \($0)" } ?? self.label }
}

extension String {
    /// The text; nil if it has no visible character.
    package var nonEmpty: String? {
        let isSeen = self.unicodeScalars.contains { scalar in
            // Most texts begin with an ASCII letter.
            if scalar.isASCII { return ("!"..."~").contains(scalar) }
            let properties = scalar.properties
            return !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint
                && properties.generalCategory != .control && properties.generalCategory != .format
        }
        return isSeen ? self : nil
    }
}
