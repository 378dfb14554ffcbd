/// A value on the heap: for a large part that most instances of a type do not have, so that these stay small.
package indirect enum Boxed<Value> {
    case value(Value)

    package init(_ value: Value) { self = .value(value) }

    package var value: Value {
        switch self {
        case .value(let value): value
        }
    }
}

extension Boxed: Equatable where Value: Equatable {}
extension Boxed: Hashable where Value: Hashable {}
extension Boxed: Sendable where Value: Sendable {}
