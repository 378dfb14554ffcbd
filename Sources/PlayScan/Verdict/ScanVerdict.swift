package import AdCore

/// How severe a reason is, and the verdict on a creative: that of its most severe reason.
package enum ScanLevel: String, Hashable, Sendable, CaseIterable, Comparable {
    case pass, warn, fail

    package static func < (left: ScanLevel, right: ScanLevel) -> Bool { left.order < right.order }

    /// 0 for the least severe.
    package var order: Int {
        switch self {
        case .pass: 0
        case .warn: 1
        case .fail: 2
        }
    }
}

/// Why a creative does not pass.
package struct ScanReason: Hashable, Sendable {
    /// The measure that is out of its limit, or `lint/` and the id of the lint rule.
    package let rule: String
    package let level: ScanLevel
    package let message: String
    /// The line of the markup; nil if it is about the whole creative.
    package let line: Int?
    /// Whether the baseline has it too.
    package var isKnown = false

    package init(_ rule: String, _ level: ScanLevel, _ message: String, line: Int? = nil) {
        self.rule = rule
        self.level = level
        self.message = message
        self.line = line
    }

    /// Reads what `json` has written; nil if it is something else.
    init?(_ json: AdJSON) {
        guard let rule = json["rule"]?.string, let message = json["message"]?.string,
            let level = json["level"]?.string.flatMap(ScanLevel.init(rawValue:))
        else { return nil }
        self.init(rule, level, message, line: json["line"]?.number.flatMap { Int(exactly: $0) })
    }

    package var json: AdJSON {
        [
            "rule": .string(self.rule), "level": .string(self.level.rawValue), "message": .string(self.message),
            "line": self.line.map { .int($0) } ?? .null, "known": .bool(self.isKnown),
        ]
    }
}

/// The verdict of a policy on a creative.
package struct ScanVerdict: Hashable, Sendable {
    /// The reasons, the most severe first, and otherwise in the order of the policy.
    package let reasons: [ScanReason]

    package init(_ reasons: [ScanReason]) {
        self.reasons = ScanLevel.allCases.reversed().flatMap { level in reasons.filter { $0.level == level } }
    }

    /// The verdict with reasons that a baseline has too.
    package var level: ScanLevel { self.reasons.map(\.level).max() ?? .pass }

    /// The verdict by reasons that are new.
    package var newLevel: ScanLevel { self.reasons.filter { !$0.isKnown }.map(\.level).max() ?? .pass }

    /// The verdict with the reasons marked that a baseline has for this creative, at least as severe.
    package func comparing(with known: [String: ScanLevel]) -> ScanVerdict {
        ScanVerdict(
            self.reasons.map { reason in
                var reason = reason
                reason.isKnown = known[reason.rule].map { $0 >= reason.level } ?? false
                return reason
            }
        )
    }
}
