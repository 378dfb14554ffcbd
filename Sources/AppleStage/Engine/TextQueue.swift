/// The texts for documents whose scripts wait for them, one at a time.
struct TextQueue<Reply> {
    /// A world of a document.
    struct Key: Hashable, Sendable {
        let place: DocumentPlace
        let isHost: Bool
    }

    /// The maximum number of texts for a document that does not ask for them, as one that hangs.
    static var limit: Int { 1_000 }

    private var waiting: [Key: Reply] = [:]
    private var texts: [Key: [String]] = [:]

    /// Adds a text; returns what waits for it, if anything does.
    mutating func add(_ text: String, for key: Key) -> Reply? {
        if let reply = self.waiting.removeValue(forKey: key) { return reply }
        if self.texts[key, default: []].count < TextQueue.limit { self.texts[key, default: []].append(text) }
        return nil
    }

    /// A script waits; returns its text if there is one already.
    mutating func wait(_ reply: Reply, for key: Key) -> String? {
        if let first = self.texts[key]?.first {
            self.texts[key]?.removeFirst()
            return first
        }
        self.waiting[key] = reply
        return nil
    }

    /// Removes all of documents that are gone.
    mutating func keep(_ isThere: (DocumentPlace) -> Bool) {
        self.waiting = self.waiting.filter { isThere($0.key.place) }
        self.texts = self.texts.filter { isThere($0.key.place) }
    }
}
