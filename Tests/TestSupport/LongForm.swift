import LibC

/// The long forms of tests, which `make test-all` runs: larger inputs and more random cases than in `make test`.
public enum LongForm {
    /// Whether this run uses the long forms.
    public static let isOn = getenv("YABBI_LONG") != nil

    /// Returns the first value in the long form, and the second one otherwise.
    public static func either<Value>(_ long: Value, short: Value) -> Value { self.isOn ? long : short }
}
