import LibC

extension Duration {
    /// A generous time limit for tests; `YABBI_TIMEOUT_SCALE` multiplies it, as for a run with a sanitizer.
    public static func timeout(_ seconds: Int) -> Duration { .seconds(seconds) * TestTimeout.scale }
}

private enum TestTimeout {
    static let scale: Int = {
        guard let text = getenv("YABBI_TIMEOUT_SCALE"), let scale = Int(String(cString: text)), scale > 0 else {
            return 1
        }
        return scale
    }()
}
