#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The seed that a run is asked to repeat, from `YABBI_SEED`.
public enum TestSeed {
    /// The seed; nil where none was given.
    public static var chosen: UInt64? {
        guard let text = getenv("YABBI_SEED") else { return nil }
        return UInt64(String(cString: text))
    }
}
