import LibC

/// The seed of a run that is repeated, from `YABBI_SEED`.
public enum TestSeed {
    /// The seed; nil if none is set.
    public static var chosen: UInt64? {
        self.number("YABBI_SEED")
    }

    /// How often a test repeats: the number in an environment variable, or the default of a normal run.
    public static func count(_ variable: String, _ defaultCount: Int) -> Int {
        self.number(variable).flatMap(Int.init(exactly:)) ?? defaultCount
    }

    private static func number(_ variable: String) -> UInt64? {
        guard let text = getenv(variable) else { return nil }
        return UInt64(String(cString: text))
    }
}
