import SystemSupport

/// The advertising identifiers that requests of this process contained: beacons that are not sent yet may contain them.
final class SentIdentifiers: Sendable {
    /// A device has one at a time; an app that resets it has a few.
    private static let limit = 16
    private let texts = Locked<[String]>([])

    var all: [String] { self.texts.withLock { $0 } }

    /// Stores an identifier; nil is none.
    func insert(_ text: String?) {
        guard let text, !text.isEmpty else { return }
        self.texts.withLock { texts in
            guard !texts.contains(text) else { return }
            texts.append(text)
            if texts.count > SentIdentifiers.limit { texts.removeFirst() }
        }
    }
}
