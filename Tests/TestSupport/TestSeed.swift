import LibC

/// The seed of a run that is repeated, from `YABBI_SEED`.
public enum TestSeed {
    /// The seed; nil if none is set.
    public static var chosen: UInt64? { getenv("YABBI_SEED").flatMap { UInt64(String(cString: $0)) } }

    /// The seeds of a test that repeats `count` times; only the chosen one if there is one.
    public static func all(from first: UInt64, count: UInt64) -> Range<UInt64> {
        self.chosen.map { $0..<$0 + 1 } ?? first..<first + count
    }
}
