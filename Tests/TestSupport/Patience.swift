import LibC

extension Duration {
    /// As long as something may take on a machine in no hurry; `YABBI_PATIENCE` times as long where everything is slowed
    /// down, as by a sanitizer.
    public static func patience(_ seconds: Int) -> Duration { .seconds(seconds) * Patience.factor }
}

private enum Patience {
    static let factor: Int = {
        guard let text = getenv("YABBI_PATIENCE"), let factor = Int(String(cString: text)), factor > 0 else { return 1 }
        return factor
    }()
}
