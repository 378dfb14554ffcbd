package import Testing

/// In what WebKit differs from what a test expects of an engine; *Two engines* lists each with its reason.
package enum EngineDifference: String, CaseIterable, Sendable {
    case oneProcess = "all frames of a page share one process"
    case noPointerEvents = "there are no pointer events for touches, a mouse is simulated"
}

extension Trait where Self == ConditionTrait {
    /// Skips a test in WebKit, with the reason.
    package static func differs(_ difference: EngineDifference) -> Self {
        .enabled(if: TestBrowser.engine == .chromium, "WebKit: \(difference.rawValue)")
    }
}
