import LibC

/// The seeds that a test damages its samples by: from `YABBI_FUZZ_SEED` on, `YABBI_FUZZ_ROUNDS` of them.
public enum FuzzSeeds {
    /// The seeds; from 1 on, and so many, where nothing else is said.
    public static func range(_ rounds: UInt64) -> Range<UInt64> {
        let first = self.setting("YABBI_FUZZ_SEED") ?? 1
        return first..<(first + (self.setting("YABBI_FUZZ_ROUNDS") ?? rounds))
    }

    private static func setting(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }
}
