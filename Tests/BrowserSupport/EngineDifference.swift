package import Testing

/// In what WebKit differs from what a test expects of an engine; *Two engines* lists each with its reason.
package enum EngineDifference: String, CaseIterable, Sendable {
    case oneProcess = "all frames of a page share one process"
    case oneTimeZone = "the engine sets it once"
    case noOfflineSwitch = "the engine has no switch for it; requests fail as they do offline"
    case transportSendsAll = "the presenter's transport sends all requests"
    case otherColumns = "the engine reports the column of a call's parenthesis, and none for an uncaught error"
    case noScriptedFocus = "the engine gives a frame the focus first when the user has used it"
    case mutedPrograms = "only the main frame can be given the user's activation"
    case noSpeculationRules = "the engine has no speculation rules, and loads no page ahead"
    case noPointerEvents = "there are no pointer events for touches, a mouse is simulated"
}

extension EngineDifference {
    /// Whether the engine of this run has it.
    package var isHere: Bool { TestBrowser.engine == .webKit }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test in WebKit, with the reason.
    package static func differs(_ difference: EngineDifference) -> Self {
        .enabled(if: !difference.isHere, "WebKit: \(difference.rawValue)")
    }
}
