import AdCore
import PlayText
import SystemSupport
import WebStage

/// Reports the messages from a page in a browser that the app forwards to the page's server, for the reconciliation.
final class PageMessageTap: Sendable {
    private enum State {
        /// The page's source is not known yet. The messages are kept until then.
        case waiting([String])
        case ready(PageSource)
    }

    private let onMessage: @Sendable (PageMessage) -> Void
    private let state = Locked(State.waiting([]))
    /// The limit of kept messages.
    private static let maxMessages = 1_000

    init(_ onMessage: @escaping @Sendable (PageMessage) -> Void) { self.onMessage = onMessage }

    /// Handles a message from the page.
    func handle(_ text: String) {
        let source = self.state.withLock { state -> PageSource? in
            switch state {
            case .ready(let source): return source
            case .waiting(let messages):
                if messages.count < PageMessageTap.maxMessages { state = .waiting(messages + [text]) }
                return nil
            }
        }
        if let message = source?.serverMessage(in: text) { self.onMessage(.sent(message)) }
    }

    /// Reads the page's HTML, and reports the messages kept until then.
    func read(_ html: String) {
        let source = PageSource(html)
        let messages = self.state.withLock { state -> [String] in
            guard case .waiting(let messages) = state else { return [] }
            state = .ready(source)
            return messages
        }
        for message in messages.compactMap(source.serverMessage) { self.onMessage(.sent(message)) }
    }
}
