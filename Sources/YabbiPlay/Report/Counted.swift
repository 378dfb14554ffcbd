/// A number of things.
enum Counted {
    /// As in `1 error` and `2 errors`.
    static func text(_ number: Int, _ thing: String) -> String { "\(number) \(thing)\(number == 1 ? "" : "s")" }
}
