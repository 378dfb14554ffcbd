import SystemLock

/// A value that is given once and waited for by one.
package final class OneShot<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<Value, Never>)
        case full(Value)
    }

    private let state = Locked(State.empty)

    package init() {}

    /// Gives the value; returns false where one was given before.
    @discardableResult
    package func resolve(_ value: Value) -> Bool {
        let (isFirst, waiting) = self.state.withLock { state -> (Bool, CheckedContinuation<Value, Never>?) in
            switch state {
            case .empty:
                state = .full(value)
                return (true, nil)
            case .waiting(let continuation):
                state = .full(value)
                return (true, continuation)
            case .full:
                return (false, nil)
            }
        }
        waiting?.resume(returning: value)
        return isFirst
    }

    /// Whether the value was given.
    package var isResolved: Bool {
        self.state.withLock { if case .full = $0 { true } else { false } }
    }

    /// The value, as soon as it is there.
    package var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let ready = self.state.withLock { state -> Value? in
                    switch state {
                    case .empty:
                        state = .waiting(continuation)
                        return nil
                    case .full(let value):
                        return value
                    case .waiting:
                        preconditionFailure("Two tasks wait for a value that is given once.")
                    }
                }
                if let ready { continuation.resume(returning: ready) }
            }
        }
    }
}
