import AdCore

/// What a view shows of a card, in reading order, and what VoiceOver reads.
struct CardContent: Hashable, Sendable {
    /// A text of a card.
    struct Line: Hashable, Sendable {
        /// What the text is, by which it gets its font and its color.
        enum Role: Hashable, Sendable, CaseIterable {
            case label
            case advertiser
            case teaser
            case headline
            case body
            case promoCode
        }

        let role: Role
        let text: String
        let direction: TextDirection

        init(_ role: Role, _ text: String) {
            self.role = role
            self.text = text
            self.direction = TextDirection(of: text)
        }
    }

    /// The disclosure, which every style shows first: its label, and the advertiser if there is one.
    let disclosure: [Line]
    /// The other texts, from top to bottom.
    let texts: [Line]
    /// The image, which is decoration: VoiceOver skips it, as screen readers do in `CardCreative.document`.
    let image: HTTPURL?
    /// The title of the button; nil for a card without a link, which has no button.
    let button: String?

    init(_ card: CardCreative) {
        let label = Line(.label, card.disclosure.label)
        self.disclosure = [label] + (card.disclosure.advertiser.map { [Line(.advertiser, $0)] } ?? [])
        let texts: [(Line.Role, String?)] = [
            (.teaser, card.teaser), (.headline, card.headline), (.body, card.body), (.promoCode, card.promoCode),
        ]
        self.texts = texts.compactMap { role, text in text?.nonEmpty.map { Line(role, $0) } }
        self.image = card.image
        // As in `CardCreative.document`, so that a card has the same button on every stage.
        self.button = card.link == nil ? nil : card.callToAction ?? card.headline
    }

    /// What VoiceOver reads for the texts: one element, so that one swipe passes a card that does not interest.
    ///
    /// The disclosure comes first. A comma between the parts is a pause.
    var spokenText: String { (self.disclosure + self.texts).map(\.text).joined(separator: ", ") }

    /// What VoiceOver reads for the button.
    ///
    /// The advertiser is added: a user who moves from button to button hears of each where it leads.
    var spokenButton: String? {
        guard let button else { return nil }
        return ([button] + self.disclosure.map(\.text)).joined(separator: ", ")
    }
}
