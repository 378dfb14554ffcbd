import LibC

/// The seed that a run is asked to repeat, from `YABBI_SEED`.
public enum TestSeed {
    /// The seed; nil where none was given.
    public static var chosen: UInt64? {
        self.number("YABBI_SEED")
    }

    /// How often a test repeats itself: the number in this variable, or what is enough for every run of the suite.
    public static func count(_ variable: String, _ usual: Int) -> Int {
        self.number(variable).flatMap(Int.init(exactly:)) ?? usual
    }

    private static func number(_ variable: String) -> UInt64? {
        guard let text = getenv(variable) else { return nil }
        return UInt64(String(cString: text))
    }
}
