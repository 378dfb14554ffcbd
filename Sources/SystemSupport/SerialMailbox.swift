/// Accepts items from any thread and handles them one at a time, in order of arrival; urgent items first.
///
/// A mailbox has no thread or task of its own: the thread that posts an item while no other is draining handles it, and
/// everything that other threads post meanwhile. Copies share the items.
public struct SerialMailbox<Item: Sendable>: Sendable {
    @usableFromInline
    struct State {
        @usableFromInline var items: [Item] = []
        @usableFromInline var urgent: [Item] = []
        @usableFromInline var isDraining = false

        @inlinable
        init() {}
    }

    @usableFromInline let state = Locked(State())

    /// An empty mailbox.
    package init() {}

    /// Adds an item and drains the mailbox, unless another thread is draining it.
    ///
    /// `handle` is called outside any lock and never by two threads at once. An urgent item is handled before all other
    /// waiting items, and after earlier urgent ones.
    @inlinable
    package func post(_ item: Item, isUrgent: Bool = false, handle: (Item) -> Void) {
        self.enqueue(item, isUrgent: isUrgent)
        self.drain(handle)
    }

    /// Adds an item and drains at most `rounds` batches; when that is not enough, calls `handOff`.
    ///
    /// `handOff` must arrange a call of `resume`. This limits how long a caller handles the items of other threads.
    @inlinable
    package func post(_ item: Item, rounds: Int, handle: (Item) -> Void, handOff: () -> Void) {
        self.enqueue(item)
        guard self.startDraining() else { return }
        for _ in 0..<rounds {
            guard let batch = self.nextBatch() else { return }
            self.handle(batch, handle)
        }
        handOff()
    }

    /// Continues the draining after `handOff`.
    @inlinable
    package func resume(_ handle: (Item) -> Void) {
        while let batch = self.nextBatch() { self.handle(batch, handle) }
    }

    /// Adds an item for the next thread that drains: for callers that decide the order under a lock of their own.
    @inlinable
    package func enqueue(_ item: Item, isUrgent: Bool = false) {
        self.state.withLock { state in
            if isUrgent { state.urgent.append(item) } else { state.items.append(item) }
        }
    }

    /// Handles every waiting item, unless another thread is draining.
    @inlinable
    package func drain(_ handle: (Item) -> Void) {
        if self.startDraining() { self.resume(handle) }
    }

    @inlinable
    func handle(_ batch: (items: [Item], isUrgent: Bool), _ handle: (Item) -> Void) {
        for item in batch.items {
            // A batch of urgent items is older than urgent items that have arrived since.
            if !batch.isUrgent { self.handleUrgent(handle) }
            handle(item)
        }
    }

    @inlinable
    func handleUrgent(_ handle: (Item) -> Void) {
        while true {
            let urgent = self.drainUrgent()
            if urgent.isEmpty { return }
            for item in urgent { handle(item) }
        }
    }

    /// The urgent items that arrived while a batch is being handled.
    @inlinable
    func drainUrgent() -> [Item] {
        self.state.withLock { state in
            guard !state.urgent.isEmpty else { return [] }
            defer { state.urgent = [] }
            return state.urgent
        }
    }

    @inlinable
    func startDraining() -> Bool {
        self.state.withLock { state in
            defer { state.isDraining = true }
            return !state.isDraining
        }
    }

    /// The urgent items that wait, else all others.
    @inlinable
    func nextBatch() -> (items: [Item], isUrgent: Bool)? {
        self.state.withLock { state in
            guard state.urgent.isEmpty else {
                defer { state.urgent = [] }
                return (state.urgent, true)
            }
            guard !state.items.isEmpty else {
                state.isDraining = false
                // Frees the buffer of an idle mailbox.
                state.items = []
                return nil
            }
            defer { state.items = [] }
            return (state.items, false)
        }
    }
}
