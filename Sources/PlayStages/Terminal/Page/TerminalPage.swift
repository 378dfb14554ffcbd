import AdCore
import AdRuntime
import PlayText
import SystemSupport

/// The shell of the simulated page: executes its actions.
final class TerminalPage: Sendable {
    private struct State {
        var page: SimulatedPage
        var isOver = false
    }

    private let html: String
    private let print: @Sendable (String) -> Void
    private let onMessage: @Sendable (PageMessage) -> Void
    private let report: @Sendable (StageEvent) -> Void
    private let state: Locked<State>
    private let actions = SerialMailbox<SimulatedPage.Action>()

    init(
        _ creative: PageCreative,
        html: String,
        print: @escaping @Sendable (String) -> Void,
        onMessage: @escaping @Sendable (PageMessage) -> Void,
        report: @escaping @Sendable (StageEvent) -> Void
    ) {
        self.html = html
        self.print = print
        self.onMessage = onMessage
        self.report = report
        self.state = Locked(State(page: SimulatedPage(creative)))
    }

    /// Fetches a page's HTML.
    static func html(of creative: PageCreative, by transport: any Transport) async throws(StageError) -> String {
        let address = Redaction.address(creative.address.text)
        let limits = AdHTTPRequest.Limits(body: 1 << 20, excess: .discard)
        let request = AdHTTPRequest(.get, creative.address, headers: ["User-Agent": creative.userAgent], limits: limits)
        let response: AdHTTPResponse
        do throws(TransportError) {
            response = try await transport.send(request)
        } catch {
            throw StageError("the page \(address) can't be fetched: \(error.message)")
        }
        guard (200...299).contains(response.status) else {
            throw StageError("the page \(address) responded with status \(response.status)")
        }
        return String(decoding: response.body, as: UTF8.self)
    }

    func start() { self.run { $0.loaded(self.html) } }

    func post(_ text: String) { self.run { $0.post(text) } }

    func click() { self.run { $0.click() } }

    func lines(width: Int) -> [String] { self.state.withLock { $0.page.lines(width: width) } }

    func end() { self.state.withLock { $0.isOver = true } }

    /// Executes the actions in order, one at a time, outside the lock.
    private func run(_ change: (inout SimulatedPage) -> [SimulatedPage.Action]) {
        self.state.withLock { state in
            guard !state.isOver else { return }
            for action in change(&state.page) { self.actions.enqueue(action) }
        }
        self.actions.drain { action in
            switch action {
            case .report(let event): self.report(event)
            case .print(let text): self.print(text)
            case .record(let message): self.onMessage(message)
            }
        }
    }
}
