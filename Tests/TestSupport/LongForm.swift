import LibC

/// The long forms of tests, which `make test-all` runs: larger inputs and more random cases than `make test` has time for.
public enum LongForm {
    /// Whether the long forms run.
    public static let isOn = getenv("YABBI_LONG") != nil

    /// One number for the long form, another for the short one.
    public static func either<Value>(_ long: Value, short: Value) -> Value { self.isOn ? long : short }
}
