/// Numbers with a noun.
package enum Quantity {
    /// For example `1 error` or `2 errors`.
    package static func text(_ number: Int, _ thing: String) -> String { "\(number) \(thing)\(number == 1 ? "" : "s")" }
}
