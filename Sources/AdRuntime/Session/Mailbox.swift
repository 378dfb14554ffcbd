import SystemLock

/// Takes items from any thread and handles them one at a time, in the order in which they came.
///
/// Whoever puts an item in while nobody is at work handles it, and what others put in meanwhile, on the spot: a mailbox
/// at rest has no task and no thread.
package final class Mailbox<Item: Sendable>: Sendable {
    private struct State {
        var items: [Item] = []
        var isAtWork = false
    }

    private let state = Locked(State())

    /// An empty one.
    package init() {}

    /// Puts an item in; `handle` is called outside any lock, never by two threads at once.
    func put(_ item: Item, handle: (Item) -> Void) {
        self.add(item)
        self.work(handle)
    }

    /// The same for somebody who has not for ever: after so many rounds what others have put in is handed on, to be taken
    /// up by `goOn`.
    func put(_ item: Item, rounds: Int, handle: (Item) -> Void, handOn: () -> Void) {
        self.add(item)
        guard self.begin() else { return }
        for _ in 0..<rounds {
            guard let next = self.next() else { return }
            for item in next { handle(item) }
        }
        handOn()
    }

    /// Goes on with what was handed on.
    func goOn(_ handle: (Item) -> Void) {
        while let next = self.next() {
            for item in next { handle(item) }
        }
    }

    /// Puts an item in for whoever works next: where the order is decided under a lock of somebody else's.
    package func add(_ item: Item) { self.state.withLock { $0.items.append(item) } }

    /// Handles what is in, unless somebody is at it.
    package func work(_ handle: (Item) -> Void) {
        if self.begin() { self.goOn(handle) }
    }

    private func begin() -> Bool {
        self.state.withLock { state in
            defer { state.isAtWork = true }
            return !state.isAtWork
        }
    }

    private func next() -> [Item]? {
        self.state.withLock { state in
            guard !state.items.isEmpty else {
                state.isAtWork = false
                // An ad at rest keeps no buffer.
                state.items = []
                return nil
            }
            defer { state.items = [] }
            return state.items
        }
    }
}
