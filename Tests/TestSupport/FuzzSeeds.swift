import LibC

/// The seeds of a fuzz test: `YABBI_FUZZ_ROUNDS` seeds from `YABBI_FUZZ_SEED` on.
public enum FuzzSeeds {
    /// The seeds; by default `rounds` seeds from 1 on.
    public static func range(_ rounds: UInt64) -> Range<UInt64> {
        let first = self.setting("YABBI_FUZZ_SEED") ?? 1
        return first..<(first + (self.setting("YABBI_FUZZ_ROUNDS") ?? rounds))
    }

    private static func setting(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }
}
