import LibC

extension Duration {
    /// A generous time limit for tests; `YABBI_PATIENCE` multiplies it, as for a run with a sanitizer.
    public static func patience(_ seconds: Int) -> Duration { .seconds(seconds) * Patience.factor }
}

private enum Patience {
    static let factor: Int = {
        guard let text = getenv("YABBI_PATIENCE"), let factor = Int(String(cString: text)), factor > 0 else { return 1 }
        return factor
    }()
}
