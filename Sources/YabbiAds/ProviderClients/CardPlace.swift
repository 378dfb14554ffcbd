public import AdCore
import SystemSupport

/// A place where the app itself draws a card: it is told what to draw, and tells what became of it.
///
/// ```swift
/// let place = CardPlace()
/// try await ad.show(on: place)
/// print(place.card?.headline ?? "")
/// place.visible(1)      // as often as it changes
/// place.clicked()       // from the handler of a user's tap
/// place.removed()
/// ```
public final class CardPlace: Presenter {
    private struct State {
        var card: CardCreative?
        var report: (@Sendable (StageEvent) -> Void)?
    }

    private let room: AdContainer
    private let state = Locked(State())

    /// A place, of which the room may be told.
    public init(container: AdContainer = AdContainer(screen: Size(width: 390, height: 844))) { self.room = container }

    /// What to draw; nil before the show and after the end.
    public var card: CardCreative? { self.state.withLock { $0.card } }

    /// This share of the card is on screen now, from 0 to 1; until this is said nobody has seen it.
    public func visible(_ ratio: Double) { self.tell(.visible(ratio: ratio)) }

    /// The user has tapped the card: to be called from the handler of a gesture, and from nowhere else.
    public func clicked() { self.tell(.click(nil, byUser: true)) }

    /// The app has taken the card away.
    public func removed() { self.tell(.gone) }

    /// The room.
    public func container(for kind: ShowRules.Kind) async -> AdContainer { self.room }

    /// Takes a card; nothing else can be drawn here.
    public func present(
        _ creative: Creative,
        _ options: StageOptions,
        report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageError) -> any Stage {
        guard case .card(let card) = creative else {
            throw StageError("this place draws cards, and the ad is none; show it on another presenter")
        }
        let isFree = self.state.withLock { state in
            guard state.report == nil else { return false }
            state = State(card: card, report: report)
            return true
        }
        guard isFree else { throw StageError("this place shows a card already; take a new CardPlace for each") }
        report(.ready)
        return Shown(place: self, report: report)
    }

    private func tell(_ event: StageEvent) { self.state.withLock { $0.report }?(event) }

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
