/// A number of things.
package enum Quantity {
    /// As in `1 error` and `2 errors`.
    package static func text(_ number: Int, _ thing: String) -> String { "\(number) \(thing)\(number == 1 ? "" : "s")" }
}
