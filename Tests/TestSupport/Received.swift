import SystemSupport

/// The values that a test received so far, in order; it can wait for more.
///
/// A wait ends with nil when its task is cancelled, as the time limit of a test does.
public final class Received<Element: Sendable>: Sendable {
    private struct State {
        var all: [Element] = []
        var waiting: [Int: (wanted: @Sendable (Element) -> Bool, result: OneShot<Element?>)] = [:]
        var lastNumber = 0
    }

    private let state = Locked(State())

    /// Creates an empty list.
    public init() {}

    /// The values so far.
    public var all: [Element] { self.state.withLock(\.all) }

    /// Adds a value, which can end waits.
    public func append(_ element: Element) {
        let due = self.state.withLock { state in
            state.all.append(element)
            let due = state.waiting.filter { $0.value.wanted(element) }
            for number in due.keys { state.waiting[number] = nil }
            return due.values
        }
        for each in due { each.result.set(element) }
    }

    /// Returns the first value that matches, of those after the first `count`, waiting for it if needed.
    @discardableResult
    public func first(
        after count: Int = 0,
        where wanted: @escaping @Sendable (Element) -> Bool = { _ in true }
    ) async -> Element? {
        let result = OneShot<Element?>()
        let (known, number) = self.state.withLock { state -> (Element?, Int) in
            if let known = state.all.dropFirst(count).first(where: wanted) { return (known, 0) }
            state.lastNumber += 1
            state.waiting[state.lastNumber] = (wanted, result)
            return (nil, state.lastNumber)
        }
        if let known { return known }
        return await withTaskCancellationHandler {
            await result.value
        } onCancel: {
            self.state.withLock { $0.waiting[number] = nil }
            result.set(nil)
        }
    }
}
