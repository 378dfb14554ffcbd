import AdCore
import AdRuntime
import PlayReport
import SystemSupport

/// Carries out what the simulated page decides: says it, reports it, tells what becomes of the page.
final class TerminalPage: Sendable {
    private struct State {
        var page: SimulatedPage
        var isOver = false
    }

    private let html: String
    private let say: @Sendable (String) -> Void
    private let hear: @Sendable (PageMessage) -> Void
    private let report: @Sendable (StageEvent) -> Void
    private let state: Locked<State>
    private let outputs = SerialMailbox<SimulatedPage.Output>()

    init(
        _ creative: PageCreative,
        html: String,
        say: @escaping @Sendable (String) -> Void,
        hear: @escaping @Sendable (PageMessage) -> Void,
        report: @escaping @Sendable (StageEvent) -> Void
    ) {
        self.html = html
        self.say = say
        self.hear = hear
        self.report = report
        self.state = Locked(State(page: SimulatedPage(creative)))
    }

    /// Asks for a page's HTML, as a web view would.
    static func html(of creative: PageCreative, by transport: any Transport) async throws(StageError) -> String {
        let address = Redaction.address(creative.address.text)
        let limits = AdHTTPRequest.Limits(body: 1 << 20, excess: .discard)
        let request = AdHTTPRequest(.get, creative.address, headers: ["User-Agent": creative.userAgent], limits: limits)
        let response: AdHTTPResponse
        do throws(TransportError) {
            response = try await transport.send(request)
        } catch {
            throw StageError("the page \(address) could not be had: \(error.message)")
        }
        guard (200...299).contains(response.status) else {
            throw StageError("the page \(address) answered with status \(response.status)")
        }
        return String(decoding: response.body, as: UTF8.self)
    }

    func begin() { self.run { $0.loaded(self.html) } }

    func post(_ text: String) { self.run { $0.post(text) } }

    func click() { self.run { $0.click() } }

    func lines(width: Int) -> [String] { self.state.withLock { $0.page.lines(width: width) } }

    func end() { self.state.withLock { $0.isOver = true } }

    /// Outputs in the order of their making, one at a time, outside the lock.
    private func run(_ change: (inout SimulatedPage) -> [SimulatedPage.Output]) {
        self.state.withLock { state in
            guard !state.isOver else { return }
            for output in change(&state.page) { self.outputs.enqueue(output) }
        }
        self.outputs.drain { output in
            switch output {
            case .report(let event): self.report(event)
            case .say(let text): self.say(text)
            case .news(let news): self.hear(news)
            }
        }
    }
}
