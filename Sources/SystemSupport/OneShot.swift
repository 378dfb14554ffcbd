/// A value that is set once and can be awaited by any number of tasks.
public final class OneShot<Value: Sendable>: Sendable {
    @usableFromInline
    enum State {
        case pending([CheckedContinuation<Value, Never>])
        case set(Value)
    }

    @usableFromInline let state = Locked(State.pending([]))

    /// Creates a value that is not set yet.
    package init() {}

    /// Sets the value; returns false and does nothing if it is already set.
    @discardableResult
    @inlinable
    package func set(_ value: Value) -> Bool {
        let waiting = self.state.withLock { state -> [CheckedContinuation<Value, Never>]? in
            guard case .pending(let waiting) = state else { return nil }
            state = .set(value)
            return waiting
        }
        guard let waiting else { return false }
        for continuation in waiting { continuation.resume(returning: value) }
        return true
    }

    /// Whether the value is set.
    @inlinable
    package var isSet: Bool {
        self.state.withLock { if case .set = $0 { true } else { false } }
    }

    /// The value, as soon as it is set.
    @inlinable
    package var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let value = self.state.withLock { state -> Value? in
                    switch state {
                    case .pending(let waiting):
                        state = .pending(waiting + [continuation])
                        return nil
                    case .set(let value):
                        return value
                    }
                }
                if let value { continuation.resume(returning: value) }
            }
        }
    }
}
