package import AdCore
package import PlayText

/// The one verdict on an ad, with the checks that lead to it: the report and the lab have the same.
package struct AdVerdict: Hashable, Sendable {
    package let rating: Rating
    package let text: String
    private let checks: [AdCheck]

    package init(_ ad: ReportedAd) {
        let checks = AdChecks(ad)
        let problems = checks.problems
        self.checks = ad.failure == nil ? checks.all : problems
        let bad = problems.filter { $0.rating == .bad }
        if let failure = ad.failure {
            (self.rating, self.text) = (.bad, "Not shown: \(failure.description)")
        } else if ad.time("shown") == nil {
            (self.rating, self.text) = (.plain, "Not on screen yet")
        } else if let worst = bad.first {
            self.rating = .bad
            self.text = AdVerdict.text(worst, more: problems.count - 1)
        } else if let first = problems.first {
            self.rating = .warn
            self.text = AdVerdict.text(first, more: problems.count - 1)
        } else {
            (self.rating, self.text) = (.good, "The impression was counted, and nothing is wrong")
        }
    }

    private static func text(_ check: AdCheck, more: Int) -> String {
        let reason = check.reason.isEmpty ? "" : ": \(check.reason)"
        return "\(check.title): \(check.result)\(reason)" + (more > 0 ? ", and \(more) more" : "")
    }

    package var json: AdJSON {
        [
            "rating": .string(self.rating.rawValue), "text": .string(self.text),
            "checks": .array(
                self.checks.map { check -> AdJSON in
                    [
                        "title": .string(check.title), "rating": .string(check.rating.rawValue),
                        "result": .string(check.result), "reason": .string(check.reason),
                    ]
                }
            ),
        ]
    }
}
