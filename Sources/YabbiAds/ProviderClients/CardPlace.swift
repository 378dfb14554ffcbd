public import AdCore
import SystemSupport

/// A place where the app itself draws a card: `card` is what to draw, and the app reports what happens to it.
///
/// ```swift
/// let place = CardPlace()
/// try await ad.show(on: place)
/// print(place.card?.headline ?? "")
/// place.setVisibleRatio(1) // as often as it changes
/// place.recordClick()      // from the handler of a user's tap
/// place.remove()
/// ```
public final class CardPlace: Presenter {
    private struct State {
        var card: CardCreative?
        var report: (@Sendable (StageEvent) -> Void)?
    }

    private let container: AdContainer
    private let state = Locked(State())

    /// Creates a place for one card at a time, in a container of this size.
    public init(container: AdContainer = AdContainer(screen: Size(width: 390, height: 844))) {
        self.container = container
    }

    /// The card to draw; nil before the show and after the close.
    public var card: CardCreative? { self.state.withLock { $0.card } }

    /// Sets which share of the card is visible, from 0 to 1.
    ///
    /// Until it is set the card is not visible, and no impression is recorded.
    public func setVisibleRatio(_ ratio: Double) { self.report(.visible(ratio: ratio)) }

    /// Records a click.
    ///
    /// Call it from the handler of a user's tap, and from nowhere else.
    public func recordClick() { self.report(.click(nil, byUser: true)) }

    /// Ends the ad, because the app has removed the card.
    public func remove() { self.report(.gone) }

    /// The container that the place was created with.
    public func container(for kind: ShowRules.Kind) async -> AdContainer { self.container }

    /// Presents a card; any other creative is refused.
    public func present(
        _ creative: Creative,
        _ options: StageOptions,
        report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageError) -> any Stage {
        guard case .card(let card) = creative else {
            throw StageError("a CardPlace shows cards only; show this ad on another presenter")
        }
        let isFree = self.state.withLock { state in
            guard state.report == nil else { return false }
            state = State(card: card, report: report)
            return true
        }
        guard isFree else { throw StageError("this CardPlace shows a card already; use a CardPlace per card") }
        report(.ready)
        return Shown(place: self, report: report)
    }

    private func report(_ event: StageEvent) { self.state.withLock { $0.report }?(event) }

    fileprivate func end() { self.state.withLock { $0 = State() } }

    private struct Shown: Stage {
        let place: CardPlace
        let report: @Sendable (StageEvent) -> Void

        func reveal() async { self.report(.revealed) }
        func setControl(_ control: StageControl, visible: Bool) async {}
        func control(_ command: VideoCommand) async {}
        func close(_ reason: CloseReason) async { self.place.end() }
    }
}
