import AdCore
import AdLint
import AdMarkup
import AdRuntime
import ChromiumStage
import PlayConsole

/// How good a thing is, told by a word, a sign and a colour: by none of them alone.
enum Mood: String, Sendable {
    case good, plain, warn, bad

    /// For readers who see no colours.
    var sign: String {
        switch self {
        case .good: "✓"
        case .plain: "–"
        case .warn: "!"
        case .bad: "✗"
        }
    }
}

/// What is asked first of an ad, with its answer and the reason.
struct AdAnswer: Hashable, Sendable {
    /// The part of the page that has all of it.
    enum Place: String, Sendable {
        case fired, beacons, requests, blocked, lint, events
    }

    let question: String
    let mood: Mood
    /// In a word or two.
    let answer: String
    let reason: String
    var place: Place?
    /// What is the matter, in words that are the same for all ads with the same trouble; the answer, where that is so.
    var matter: String?
}

/// The answers to what is asked first of an ad: did it count, what was it allowed, what is wrong with it.
struct AdAnswers: Sendable {
    private let story: AdStory

    init(_ story: AdStory) { self.story = story }

    var all: [AdAnswer] {
        [
            self.blank, self.view, self.click, self.videoPlay, self.reward, self.closeAvailability, self.beacons,
            self.requests,
            self.scripts,
            self.blocked, self.markup,
        ].compactMap(\.self)
    }

    /// Those that need attention.
    var troubles: [AdAnswer] {
        if let failure = self.story.failure {
            return [AdAnswer(question: "Shown?", mood: .bad, answer: "no", reason: failure.description)]
                + [self.beacons, self.markup].compactMap(\.self).filter(\.isTrouble)
        }
        return self.all.filter(\.isTrouble)
    }

    // MARK: What counts

    private func verdict(_ event: String) -> Verdict? { self.story.verdicts.first { $0.event == event } }

    private var view: AdAnswer? {
        guard let shown = self.story.time("shown") else {
            return AdAnswer(
                question: "View",
                mood: .bad,
                answer: "not counted",
                reason: self.verdict("view")?.reason ?? "it was never on screen",
                place: .fired
            )
        }
        guard let seen = self.story.time("view") else {
            let verdict = self.verdict("view")
            let wasTold = verdict?.hasFired ?? false
            return AdAnswer(
                question: "View",
                mood: wasTold ? .good : .bad,
                answer: wasTold ? "counted" : "not counted",
                reason: verdict?.reason ?? "",
                place: .fired
            )
        }
        let rule = self.story.offer.map { "at \($0.rules.viewPolicy), " } ?? ""
        return self.counted("View", "view", "\(rule)\(TimeScale.words(seen - shown)) after it came on screen")
    }

    private var click: AdAnswer? {
        guard self.story.time("shown") != nil else { return nil }
        guard self.story.time("click") == nil else {
            var reason = ""
            for record in self.story.records {
                if case .linkOpened(let link, _) = record.event {
                    reason = "leads to \(Redaction.address(link.text))"
                    break
                }
            }
            return self.counted("Click", "click", reason)
        }
        let verdict = self.verdict("click")
        let wasTold = verdict?.hasFired ?? false
        return AdAnswer(
            question: "Click",
            mood: wasTold ? .good : .plain,
            answer: wasTold ? "counted" : "none",
            reason: verdict?.reason ?? "nobody clicked",
            place: .fired
        )
    }

    /// An event that was counted, unless its beacon was not delivered.
    private func counted(_ question: String, _ event: String, _ reason: String) -> AdAnswer {
        let told = BeaconStory.all(in: self.story.records).filter { $0.event == event }
        let worst = told.map(\.fate.mood).max { $0.weight < $1.weight }
        let trouble = told.first { $0.fate.mood == worst && $0.fate.mood != .good }
        let words = [reason, trouble.map { "its beacon: \($0.fate.words)" } ?? ""].filter { !$0.isEmpty }
        return AdAnswer(
            question: question,
            mood: trouble?.fate.mood ?? .good,
            answer: "counted",
            reason: words.joined(separator: "; "),
            place: .fired
        )
    }

    // MARK: What it went through

    private var videoPlay: AdAnswer? {
        switch self.story.offer?.rules.kind {
        case .video?, .rewarded?: break
        default: return nil
        }
        // An overlay stands still.
        if case .video(let video)? = self.story.offer?.creative, case .overlay = video.spots[0].content { return nil }
        guard self.story.time("shown") != nil else { return nil }
        var furthest: Int?
        for record in self.story.records {
            if case .quartile(let percent, _) = record.event { furthest = max(furthest ?? 0, percent) }
        }
        let wasSkipped = self.story.time("skipped") != nil
        let (mood, answer): (Mood, String) =
            switch furthest {
            case 100?: (.good, "played to its end")
            case let percent?: (.plain, "played to \(percent) %")
            case nil: (.warn, "never began")
            }
        return AdAnswer(
            question: "Video",
            mood: mood,
            answer: answer,
            reason: wasSkipped ? "then the user skipped it" : "",
            place: .fired
        )
    }

    private var reward: AdAnswer? {
        guard case .rewarded? = self.story.offer?.rules.kind, self.story.time("shown") != nil else { return nil }
        let isEarned = self.story.time("rewarded") != nil
        return AdAnswer(
            question: "Reward",
            mood: isEarned ? .good : .plain,
            answer: isEarned ? "earned" : "not earned",
            reason: isEarned ? "" : "it was not watched to its end",
            place: .events
        )
    }

    private var closeAvailability: AdAnswer? {
        guard let shown = self.story.time("shown") else { return nil }
        guard let can = self.story.time("closeAvailable") else {
            guard let closing = self.story.closing else { return nil }
            return AdAnswer(
                question: "Close",
                mood: .plain,
                answer: closing.reason.words,
                reason: closing.rule.words,
                place: .events
            )
        }
        let rule = self.story.records.lazy.compactMap { record -> CloseRule? in
            if case .closeAvailable(let rule) = record.event { rule } else { nil }
        }.first
        let answer = rule == .immediate ? "possible at once" : "possible after \(TimeScale.words(can - shown))"
        return AdAnswer(
            question: "Close",
            mood: rule == .watchdog || rule == .crashed || rule == .failed ? .warn : .plain,
            answer: answer,
            reason: rule?.words ?? "",
            place: .events
        )
    }

    // MARK: What it asked for

    private var beacons: AdAnswer? {
        let all = BeaconStory.all(in: self.story.records)
        guard let worst = all.map(\.fate.mood).max(by: { $0.weight < $1.weight }) else { return nil }
        let bad = all.filter { $0.fate.mood != .good }
        let reason = bad.first.map { "\($0.event): \($0.fate.words)" } ?? ""
        return AdAnswer(
            question: "Beacons",
            mood: worst,
            answer: "\(all.count - bad.count) of \(all.count) delivered",
            reason: bad.count > 1 ? "\(reason); and \(bad.count - 1) more" : reason,
            place: .beacons
        )
    }

    private var requests: AdAnswer? {
        guard !self.story.requests.isEmpty else { return nil }
        let own = self.story.requests.filter(\.isCreatives)
        guard !own.isEmpty else {
            return AdAnswer(
                question: "Requests",
                mood: .plain,
                answer: "none by the creative",
                reason: "\(self.story.requests.count) by yabbi itself",
                place: .requests
            )
        }
        var (bytes, failed, refused, left) = (0, 0, 0, 0)
        for request in own {
            switch request.outcome {
            case .answered(let status, _, let size):
                bytes += max(0, size)
                if status >= 400 { failed += 1 }
            case .failed("net::ERR_ABORTED"): left += 1
            case .failed: failed += 1
            case .blocked: refused += 1
            }
        }
        var words = bytes > 0 ? ["\(RequestTable.size(bytes)) in all"] : []
        if failed > 0 { words.append("\(failed) failed") }
        if refused > 0 { words.append("\(refused) blocked") }
        if left > 0 { words.append("\(left) given up before an answer") }
        return AdAnswer(
            question: "Requests",
            mood: failed + refused > 0 ? .warn : .plain,
            answer: "\(own.count) by the creative",
            reason: words.joined(separator: ", "),
            place: .requests,
            matter: words.filter { !$0.hasSuffix("in all") }.joined(separator: ", ")
                + ", of what the creative asked for"
        )
    }

    /// A blank ad is the first thing to know; that something is visible the pictures show.
    private var blank: AdAnswer? {
        guard let blank = self.story.records.lazy.compactMap(\.event.blank).first else { return nil }
        return AdAnswer(
            question: "Visible",
            mood: .bad,
            answer: "blank",
            reason: DiagnosticText.words(blank),
            place: .events,
            matter: "nothing of the creative was visible"
        )
    }

    private var scripts: AdAnswer? {
        let errors = self.story.records.compactMap { record -> ScriptError? in
            guard case .diagnostic(.scriptError(let error)) = record.event else { return nil }
            return error
        }
        guard let first = errors.first else { return nil }
        let more = errors.count > 1 ? "; and \(errors.count - 1) more" : ""
        return AdAnswer(
            question: "Scripts",
            mood: .warn,
            answer: Quantity.text(errors.count, "error"),
            reason: DiagnosticText.words(first) + more,
            place: .events,
            matter: first.message
        )
    }

    private var blocked: AdAnswer? {
        guard self.story.time("shown") != nil else { return nil }
        var attempts: [BlockedAttempt] = []
        for record in self.story.records { if case .blocked(let attempt) = record.event { attempts.append(attempt) } }
        guard let first = attempts.first else {
            return AdAnswer(question: "Blocked", mood: .good, answer: "nothing", reason: "")
        }
        let more = attempts.count > 1 ? "; and \(attempts.count - 1) more" : ""
        return AdAnswer(
            question: "Blocked",
            mood: .warn,
            answer: Quantity.text(attempts.count, "attempt"),
            reason: "\(first.kind.rawValue): \(first.detail)\(more)",
            place: .blocked,
            matter: "\(first.kind.rawValue): \(first.detail)"
        )
    }

    private var markup: AdAnswer? {
        guard let lint = self.story.lint else { return nil }
        let counts = [("error", lint.count(.error)), ("warning", lint.count(.warning)), ("remark", lint.count(.info))]
        let told = counts.filter { $0.1 > 0 }
        // The groups begin with the worst one.
        let first = lint.groups.first.flatMap { $0.rule.severity == .info ? nil : $0.first }
        return AdAnswer(
            question: "Markup",
            mood: counts[0].1 > 0 ? .bad : counts[1].1 > 0 ? .warn : .good,
            answer: told.isEmpty
                ? "nothing found" : told.map { Quantity.text($0.1, $0.0) }.joined(separator: ", "),
            reason: first.map { finding in
                (finding.line.map { "line \($0): " } ?? "") + finding.rule.title
            } ?? "",
            place: .lint,
            matter: first?.rule.title
        )
    }
}

extension AdAnswer {
    var isTrouble: Bool { self.mood == .warn || self.mood == .bad }
}

extension Mood {
    /// The worse, the more.
    fileprivate var weight: Int {
        switch self {
        case .good: 0
        case .plain: 1
        case .warn: 2
        case .bad: 3
        }
    }
}

extension BeaconStory.Fate {
    var mood: Mood {
        switch self {
        case .delivered: .good
        case .unconfirmed, .pending: .warn
        case .dead: .bad
        }
    }
}
