import AdCore
import AdLint
import AdMarkup
import AdRuntime
import PlayConsole
import PlayText
import WebStage

/// One line of an ad's summary: what was checked, the result, and the reason.
struct AdCheck: Hashable, Sendable {
    /// The section of the page that has the details.
    enum Section: String, Sendable {
        case auction, fired, beacons, requests, blocked, lint, events, console, messages, strip
    }

    let title: String
    let rating: Rating
    /// The result in a word or two.
    let result: String
    let reason: String
    var section: Section?
    /// The problem in words that are the same for all ads that have it; nil: result and reason.
    var problem: String?
}

/// The summary of an ad: whether its impression and click were counted, how it could be closed, and what is wrong.
struct AdChecks: Sendable {
    private let ad: ReportedAd

    init(_ ad: ReportedAd) { self.ad = ad }

    var all: [AdCheck] {
        [
            AuctionSection(self.ad)?.check, self.content, self.crash, self.blank, self.view, self.click, self.videoPlay,
            self.duration, self.reward, self.closeAvailability, self.beacons, self.requests, self.scripts, self.blocked,
            self.markup,
        ].compactMap(\.self) + self.measurements
    }

    /// The checks that need attention.
    var problems: [AdCheck] {
        if let failure = self.ad.failure {
            return [AdCheck(title: "Shown", rating: .bad, result: "not shown", reason: failure.description)]
                + [self.beacons, self.markup].compactMap(\.self).filter(\.needsAttention)
        }
        return self.all.filter(\.needsAttention)
    }

    // MARK: Impression and click

    private func verdict(_ event: String) -> Verdict? { self.ad.verdicts.first { $0.event == event } }

    private var view: AdCheck? {
        guard let shown = self.ad.time("shown") else {
            // While it is being loaded, nothing is known.
            guard self.ad.failure != nil || self.ad.closing != nil || self.ad.time("expired") != nil else { return nil }
            return AdCheck(
                title: "View",
                rating: .bad,
                result: "not counted",
                reason: self.verdict("view")?.reason ?? "the ad was not shown",
                section: .fired
            )
        }
        guard let viewed = self.ad.time("view") else {
            let verdict = self.verdict("view")
            let hasFired = verdict?.hasFired ?? false
            return AdCheck(
                title: "View",
                rating: hasFired ? .good : .bad,
                result: hasFired ? "counted" : "not counted",
                reason: verdict?.reason ?? "",
                section: .fired
            )
        }
        let policy = self.ad.offer.map { "at \($0.rules.viewPolicy), " } ?? ""
        return self.counted("View", "view", "\(policy)\(TimeScale.text(viewed - shown)) after the ad was shown")
    }

    /// One for each vendor that measures the ad.
    private var measurements: [AdCheck] {
        self.ad.verdicts.filter { !$0.isOfTracker }.map { verdict in
            let isMeasured = verdict.outcome == .measured
            return AdCheck(
                title: "Measured",
                rating: isMeasured ? .good : .warn,
                result: isMeasured ? "measured" : "not measured",
                reason: "\(verdict.event.dropFirst("omid/".count)): \(verdict.reason)",
                section: .messages
            )
        }
    }

    private var click: AdCheck? {
        guard self.ad.time("shown") != nil else { return nil }
        guard self.ad.time("click") == nil else {
            var reason = ""
            for record in self.ad.records {
                if case .linkOpened(let link, _) = record.event {
                    reason = "click-through to \(Redaction.address(link.text))"
                    break
                }
            }
            return self.counted("Click", "click", reason)
        }
        let verdict = self.verdict("click")
        let hasFired = verdict?.hasFired ?? false
        return AdCheck(
            title: "Click",
            rating: hasFired ? .good : self.hasFailedTap ? .warn : .plain,
            result: hasFired ? "counted" : self.hasFailedTap ? "a tap led to nothing" : "none",
            reason: verdict?.reason ?? "the user did not click",
            section: .fired
        )
    }

    /// Whether the last tap led to nothing.
    private var hasFailedTap: Bool {
        let last = self.ad.records.lazy.reversed().compactMap { record -> Tap? in
            if case .tap(let tap) = record.event { tap } else { nil }
        }.first
        return if case .nothing? = last?.outcome { true } else { false }
    }

    /// An event that was counted: good, unless its beacon was not delivered.
    private func counted(_ title: String, _ event: String, _ reason: String) -> AdCheck {
        let beacons = self.ad.beacons.filter { $0.event == event }
        let worst = beacons.map(\.outcome.rating).max { $0.weight < $1.weight }
        let undelivered = beacons.first { $0.outcome.rating == worst && $0.outcome.rating != .good }
        let reasons = [reason, undelivered.map { "beacon \($0.outcome.text)" } ?? ""].filter { !$0.isEmpty }
        return AdCheck(
            title: title,
            rating: undelivered?.outcome.rating ?? .good,
            result: "counted",
            reason: reasons.joined(separator: "; "),
            section: .fired
        )
    }

    // MARK: Playback and closing

    private var videoPlay: AdCheck? {
        switch self.ad.offer?.rules.kind {
        case .video?, .rewarded?: break
        default: return nil
        }
        // A nonlinear ad has no playback.
        if case .video(let video)? = self.ad.offer?.creative, case .overlay = video.spots[0].content { return nil }
        guard self.ad.time("shown") != nil else { return nil }
        var furthest: Int?
        for record in self.ad.records {
            if case .quartile(let percent, _) = record.event { furthest = max(furthest ?? 0, percent) }
        }
        let wasSkipped = self.ad.time("skipped") != nil
        let (rating, result): (Rating, String) =
            switch furthest {
            case 100?: (.good, "played to the end")
            case let percent?: (.plain, "played to \(percent) %")
            case nil: (.warn, "not started")
            }
        return AdCheck(
            title: "Video",
            rating: rating,
            result: result,
            reason: wasSkipped ? "skipped by the user" : "",
            section: .fired
        )
    }

    /// A stated duration that is wrong moves the quartiles.
    private var duration: AdCheck? { self.check(of: "video.duration", "Duration", "wrong") }

    /// A document that is no tag is shown, and hardly what was meant.
    private var content: AdCheck? { self.check(of: ReportedAd.textIssue, "Content", "no tag") }

    /// The warning about the first issue with a code.
    private func check(of code: String, _ title: String, _ result: String) -> AdCheck? {
        let issue = self.ad.records.lazy.compactMap { record -> AdIssue? in
            if case .issue(let issue) = record.event, issue.code == code { issue } else { nil }
        }.first
        return issue.map {
            AdCheck(title: title, rating: .warn, result: result, reason: $0.message, section: .events)
        }
    }

    private var reward: AdCheck? {
        guard case .rewarded? = self.ad.offer?.rules.kind, self.ad.time("shown") != nil else { return nil }
        let isEarned = self.ad.time("rewarded") != nil
        return AdCheck(
            title: "Reward",
            rating: isEarned ? .good : .plain,
            result: isEarned ? "earned" : "not earned",
            reason: isEarned ? "" : "the ad was not watched to the end",
            section: .events
        )
    }

    private var closeAvailability: AdCheck? {
        guard let shown = self.ad.time("shown") else { return nil }
        guard let available = self.ad.time("closeAvailable") else {
            guard let closing = self.ad.closing else { return nil }
            return AdCheck(
                title: "Close",
                rating: .plain,
                result: closing.reason.text,
                reason: closing.rule.text,
                section: .events
            )
        }
        let rule = self.ad.records.lazy.compactMap { record -> CloseRule? in
            if case .closeAvailable(let rule) = record.event { rule } else { nil }
        }.first
        let delay = TimeScale.text(available - shown)
        return AdCheck(
            title: "Close",
            rating: rule == .watchdog || rule == .crashed || rule == .failed ? .warn : .plain,
            result: rule == .immediate ? "available immediately" : "available after \(delay)",
            reason: rule?.text ?? "",
            section: .events
        )
    }

    // MARK: Beacons and requests

    private var beacons: AdCheck? {
        let all = self.ad.beacons
        guard let worst = all.map(\.outcome.rating).max(by: { $0.weight < $1.weight }) else { return nil }
        let undelivered = all.filter { $0.outcome.rating != .good }
        let reason = undelivered.first.map { "\($0.event): \($0.outcome.text)" } ?? ""
        return AdCheck(
            title: "Beacons",
            rating: worst,
            result: "\(all.count - undelivered.count) of \(all.count) delivered",
            reason: undelivered.count > 1 ? "\(reason); and \(undelivered.count - 1) more" : reason,
            section: .beacons
        )
    }

    private var requests: AdCheck? {
        guard !self.ad.requests.isEmpty else { return nil }
        let own = self.ad.requests.filter(\.isCreatives)
        guard !own.isEmpty else {
            return AdCheck(
                title: "Requests",
                rating: .plain,
                result: "none by the creative",
                reason: "\(self.ad.requests.count) by yabbi",
                section: .requests
            )
        }
        var (bytes, failed, blocked, cancelled) = (0, 0, 0, 0)
        for request in own {
            switch request.outcome {
            case .answered(let status, _, let size):
                bytes += max(0, size)
                if status >= 400 { failed += 1 }
            case .failed(.cancelled): cancelled += 1
            case .failed(.blockedByStage), .failed(.refused): blocked += 1
            case .failed(.other): failed += 1
            }
        }
        // Browsers call a request that got no file cancelled; its failure is listed with its reason.
        let listed = self.ad.records.count { record in
            if case .diagnostic(.requestFailed) = record.event { true } else { false }
        }
        if listed > failed + blocked {
            let others = min(cancelled, listed - failed - blocked)
            (failed, cancelled) = (failed + others, cancelled - others)
        }
        var counts: [String] = []
        if failed > 0 { counts.append("\(failed) failed") }
        if blocked > 0 { counts.append("\(blocked) blocked") }
        if cancelled > 0 { counts.append("\(cancelled) cancelled") }
        let total = bytes > 0 ? ["\(RequestTable.size(bytes)) in total"] : []
        return AdCheck(
            title: "Requests",
            rating: failed + blocked > 0 ? .warn : .plain,
            result: "\(own.count) by the creative",
            reason: (total + counts).joined(separator: ", "),
            section: .requests,
            problem: "requests of the creative: " + counts.joined(separator: ", ")
        )
    }

    // MARK: The creative

    /// A creative that was ended, because it crashed, hung or used too much.
    private var crash: AdCheck? {
        let issues = self.ad.records.lazy.compactMap { record -> AdIssue? in
            guard case .issue(let issue) = record.event, StageEvent.CrashCause(rawValue: issue.code) != nil else {
                return nil
            }
            return issue
        }
        guard let issue = issues.first else { return nil }
        return AdCheck(
            title: "Creative",
            rating: .bad,
            result: "ended",
            reason: issue.message,
            section: .events,
            problem: "the creative was ended: \(issue.message)"
        )
    }

    /// A blank ad; that an ad is visible needs no line, because the screenshots show it.
    private var blank: AdCheck? {
        guard let blank = self.ad.records.lazy.compactMap(\.event.blank).first else { return nil }
        return AdCheck(
            title: "Visible",
            rating: .bad,
            result: "blank",
            reason: DiagnosticText.text(blank),
            section: .events,
            problem: "nothing of the creative was visible"
        )
    }

    private var scripts: AdCheck? {
        let errors = self.ad.records.compactMap { record -> ScriptError? in
            guard case .diagnostic(.scriptError(let error)) = record.event else { return nil }
            return error
        }
        guard let first = errors.first else { return nil }
        let more = errors.count > 1 ? "; and \(errors.count - 1) more" : ""
        return AdCheck(
            title: "Scripts",
            rating: .warn,
            result: Quantity.text(errors.count, "error"),
            reason: DiagnosticText.text(first) + more,
            section: .events,
            problem: first.message
        )
    }

    private var blocked: AdCheck? {
        guard self.ad.time("shown") != nil else { return nil }
        var attempts: [BlockedAttempt] = []
        for record in self.ad.records { if case .blocked(let attempt) = record.event { attempts.append(attempt) } }
        guard let first = attempts.first else {
            return AdCheck(title: "Blocked", rating: .good, result: "none", reason: "")
        }
        let more = attempts.count > 1 ? "; and \(attempts.count - 1) more" : ""
        return AdCheck(
            title: "Blocked",
            rating: .warn,
            result: Quantity.text(attempts.count, "attempt"),
            reason: "\(first.kind.rawValue): \(first.detail)\(more)",
            section: .blocked,
            problem: "\(first.kind.rawValue): \(first.detail)"
        )
    }

    private var markup: AdCheck? {
        guard let lint = self.ad.lint else { return nil }
        let counts = [("error", lint.count(.error)), ("warning", lint.count(.warning)), ("info", lint.count(.info))]
        let found = counts.filter { $0.1 > 0 }
        // The groups are sorted by severity, the most severe first.
        let first = lint.groups.first.flatMap { $0.rule.severity == .info ? nil : $0.first }
        return AdCheck(
            title: "Markup",
            rating: counts[0].1 > 0 ? .bad : counts[1].1 > 0 ? .warn : .good,
            result: found.isEmpty
                ? "no issues found" : found.map { Quantity.text($0.1, $0.0) }.joined(separator: ", "),
            reason: first.map { finding in
                (finding.line.map { "line \($0): " } ?? "") + finding.rule.title
            } ?? "",
            section: .lint,
            problem: first?.rule.title
        )
    }
}

extension AdCheck {
    var needsAttention: Bool { self.rating == .warn || self.rating == .bad }
}

extension Rating {
    /// The order of ratings, the worst highest.
    fileprivate var weight: Int {
        switch self {
        case .good: 0
        case .plain: 1
        case .warn: 2
        case .bad: 3
        }
    }
}
