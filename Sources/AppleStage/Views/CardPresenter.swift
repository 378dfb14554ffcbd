public import AdCore
import SystemSupport

/// Shows one card at a time in an `AdCardView` or `AdCardUIView`.
///
/// The app keeps it as long as the ad, and gives it to the view wherever the card is drawn. The view reports what is visible
/// and what the user presses; the ad records its impression and its click itself, once each. A view may come and go, as in
/// a list: the ad stays the same.
///
/// It takes cards only. `remove()` ends the ad when the app takes its card away for good.
public final class CardPresenter: Presenter {
    private struct State {
        var machine = CardMachine()
        var report: (@Sendable (StageEvent) -> Void)?
        var container: AdContainer
        /// The view that draws the card: the last one that was attached.
        var view: ViewNumber?
        var onChange: (@Sendable () -> Void)?
        var lastNumber = 0
    }

    /// A view that draws the card, or has drawn it.
    struct ViewNumber: Hashable, Sendable {
        fileprivate let number: Int
    }

    /// What a view is to draw.
    struct Display: Hashable, Sendable {
        let card: CardCreative?
        let isRevealed: Bool
        let hasFaded: Bool
        let hasCloseButton: Bool

        fileprivate init(_ machine: CardMachine) {
            self.card = machine.card
            self.isRevealed = machine.isRevealed
            self.hasFaded = machine.hasFaded
            self.hasCloseButton = machine.hasCloseButton
        }
    }

    private let state: Locked<State>
    /// Reports in the order of the inputs, outside the lock.
    private let reports = SerialMailbox<Report>()

    private struct Report: Sendable {
        let event: StageEvent
        let handle: @Sendable (StageEvent) -> Void
    }

    /// Creates a presenter; the container is the one of ads that are shown before a view has a size.
    public init(container: AdContainer = AdContainer(screen: Size(width: 390, height: 844))) {
        self.state = Locked(State(container: container))
    }

    /// The card on this presenter; nil before the show and after the close.
    public var card: CardCreative? { self.state.withLock { $0.machine.card } }

    /// Ends the ad, because the app has removed the card.
    public func remove() { self.handle(.remove) }

    /// The space of the view, or that of the initializer.
    public func container(for kind: ShowRules.Kind) async -> AdContainer { self.state.withLock { $0.container } }

    /// Presents a card; any other creative is refused.
    public func present(
        _ creative: Creative,
        _ options: StageOptions,
        report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageError) -> any Stage {
        guard case .card(let card) = creative else {
            throw StageError("a CardPresenter shows cards only; show this ad on another presenter")
        }
        let isFree = self.state.withLock { state in
            guard state.report == nil else { return false }
            state.report = report
            return true
        }
        guard isFree else {
            throw StageError("this CardPresenter shows a card already; use a CardPresenter per card")
        }
        self.handle(.present(card))
        return Shown(presenter: self)
    }

    private struct Shown: Stage {
        let presenter: CardPresenter

        func reveal() async { self.presenter.handle(.reveal) }

        func setControl(_ control: StageControl, visible: Bool) async {
            // A card has no video to skip.
            guard control == .close else { return }
            self.presenter.handle(.setCloseButton(visible: visible))
        }

        func control(_ command: VideoCommand) async {}

        func close(_ reason: CloseReason) async { self.presenter.handle(.close) }
    }
}

// MARK: For views

extension CardPresenter {
    /// What the view is to draw now.
    var display: Display { Display(self.state.withLock { $0.machine }) }

    /// Makes a view the one that draws the card, instead of an earlier one.
    ///
    /// `onChange` is called from any thread when `display` has changed.
    func attach(onChange: @escaping @Sendable () -> Void) -> ViewNumber {
        let view = self.state.withLock { state in
            state.lastNumber += 1
            let view = ViewNumber(number: state.lastNumber)
            state.view = view
            state.onChange = onChange
            return view
        }
        self.handle(.attach)
        return view
    }

    /// Ends the drawing of a view; without effect if another one has taken over.
    func detach(_ view: ViewNumber) {
        self.handle(.detach, from: view)
        self.state.withLock { state in
            guard state.view == view else { return }
            state.view = nil
            state.onChange = nil
        }
    }

    /// Handles what happens in a view, unless another one has taken over.
    func handle(_ input: CardMachine.Input, from view: ViewNumber) {
        guard self.state.withLock({ $0.view == view }) else { return }
        self.handle(input)
    }

    /// Sets the space of the view that draws the card.
    func setContainer(_ container: AdContainer) { self.state.withLock { $0.container = container } }

    private func handle(_ input: CardMachine.Input) {
        let onChange = self.state.withLock { state -> (@Sendable () -> Void)? in
            let before = Display(state.machine)
            let events = state.machine.handle(input)
            if let report = state.report {
                for event in events { self.reports.enqueue(Report(event: event, handle: report)) }
            }
            if case .close = input { state.report = nil }
            return Display(state.machine) == before ? nil : state.onChange
        }
        self.reports.drain { $0.handle($0.event) }
        onChange?()
    }
}
