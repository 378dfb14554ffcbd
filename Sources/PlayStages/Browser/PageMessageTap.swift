import AdCore
import ChromiumStage
import PlayReport
import SystemSupport

/// Listens to what a page in a browser says to the app, for whoever keeps the books: what it has its server told, the app
/// only passes on.
final class PageMessageTap: Sendable {
    private enum State {
        /// What the page calls its messages is not known yet; these wait for it.
        case waiting([String])
        case knows(PageSource)
    }

    private let hear: @Sendable (PageMessage) -> Void
    private let state = Locked(State.waiting([]))
    /// As many messages wait at most.
    private static let most = 1_000

    init(_ hear: @escaping @Sendable (PageMessage) -> Void) { self.hear = hear }

    /// The page has sent a message.
    func message(_ text: String) {
        let source = self.state.withLock { state -> PageSource? in
            switch state {
            case .knows(let source): return source
            case .waiting(let messages):
                if messages.count < PageMessageTap.most { state = .waiting(messages + [text]) }
                return nil
            }
        }
        if let told = source?.serverMessage(in: text) { self.hear(.told(told)) }
    }

    /// This is what the page is made of.
    func read(_ html: String) {
        let source = PageSource(html)
        let messages = self.state.withLock { state -> [String] in
            guard case .waiting(let messages) = state else { return [] }
            state = .knows(source)
            return messages
        }
        for told in messages.compactMap(source.serverMessage) { self.hear(.told(told)) }
    }
}
