import AdCore

/// The decisions of a card on screen: what its view draws, and what its ad is told.
///
/// It decides on no impression and no click: it reports what is visible and what the user pressed, and the ad decides.
struct CardMachine: Hashable, Sendable {
    /// Something that happens to the card.
    enum Input: Hashable, Sendable {
        /// The ad presents a card.
        case present(CardCreative)
        case reveal
        case setCloseButton(visible: Bool)
        /// A view took the card over from another one, which the app has removed or uses for something else.
        case attach
        /// The view left the screen, and another one may follow: a row that was scrolled far away.
        case detach
        /// The view is fully opaque.
        case fadeEnded
        /// The share of the view's area that is on screen.
        case measured(Double)
        case pressed(Target, at: TapPoint?)
        /// The image can't be shown.
        case imageFailed(FailedRequest)
        /// The app removes the card.
        case remove
        /// The ad closes its stage.
        case close
    }

    /// What a user presses.
    enum Target: Hashable, Sendable {
        case button
        case closeButton
        /// Anything else of the card.
        case other
    }

    private(set) var card: CardCreative?
    private(set) var isRevealed = false
    private(set) var hasCloseButton = false
    /// Whether the fade-in is over; a view that shows the same card again does not repeat it.
    private(set) var hasFaded = false
    /// The last share that was reported, and the last one that was measured.
    private var reported = 0.0
    private var share = 0.0

    /// How long a card fades in; with Reduce Motion it appears at once.
    static func fade(reducesMotion: Bool) -> Duration { reducesMotion ? .zero : .milliseconds(300) }

    /// Handles an input, and returns what is reported to the ad.
    mutating func handle(_ input: Input) -> [StageEvent] {
        switch input {
        case .present(let card):
            self = CardMachine()
            self.card = card
            return [.ready]
        case .close:
            self = CardMachine()
            return []
        case _ where self.card == nil: return []
        case .reveal:
            guard !self.isRevealed else { return [] }
            self.isRevealed = true
            return [.revealed] + self.visible()
        case .setCloseButton(let isVisible):
            self.hasCloseButton = isVisible
            return []
        case .attach, .detach: return self.measure(0)
        case .fadeEnded:
            self.hasFaded = self.isRevealed
            return self.visible()
        case .measured(let share): return self.measure(share)
        case .pressed(let target, let place): return self.press(target, place)
        case .imageFailed(let request): return [.diagnostic(.requestFailed(request))]
        case .remove: return [.gone]
        }
    }

    private mutating func measure(_ share: Double) -> [StageEvent] {
        self.share = share.isNaN ? 0 : min(max(share, 0), 1)
        return self.visible()
    }

    /// Reports a changed share.
    ///
    /// While the card fades in it is not visible: an impression is what a user could see.
    private mutating func visible() -> [StageEvent] {
        let share = self.isRevealed && self.hasFaded ? self.share : 0
        guard share != self.reported else { return [] }
        self.reported = share
        return [.visible(ratio: share)]
    }

    /// A press on the card: on its button a click with the ad's own click-through URL, elsewhere nothing.
    private func press(_ target: Target, _ place: TapPoint?) -> [StageEvent] {
        guard self.isRevealed else { return [] }
        switch target {
        case .button where self.card?.link != nil: return [.click(nil, byUser: true, at: place)]
        case .closeButton where self.hasCloseButton: return [.closeRequested(by: .user)]
        case .button, .closeButton: return []
        case .other where self.card?.link == nil: return [.tap(.nothing("the card has no link"), at: place)]
        case .other: return [.tap(.nothing("only the card's button opens its link"), at: place)]
        }
    }
}
