import AdCore
import AdLint
import AdMarkup
import AdRuntime
import ChromiumStage
import PlayConsole

/// One ad's part of a report.
struct AdSection {
    private let story: AdStory
    private let number: Int
    private let isAlone: Bool

    init(_ story: AdStory, number: Int, isAlone: Bool) {
        self.story = story
        self.number = number
        self.isAlone = isAlone
    }

    /// Where a part of it stands on the page.
    private func anchor(_ place: AdAnswer.Place) -> String { "ad-\(self.number)-\(place.rawValue)" }

    /// Alone its name is the page's, and headings rise by one rank.
    private var part: ReportTable.Part { ReportTable.Part(rank: self.isAlone ? 2 : 3, isFolded: !self.isAlone) }
    /// What is open from the beginning.
    private var openPart: ReportTable.Part { ReportTable.Part(rank: self.part.rank, isFolded: false) }

    var html: HTML {
        """
        <article id="ad-\(self.number)">
        <header>
        \(self.heading)
        </header>
        \(self.failure)
        <div class="stage">\(self.pictures)<div class="facts">\(self.answers)\(self.facts)</div></div>
        \(TimelineChart(self.story)?.html ?? .none)
        \(self.blocked)
        \(self.lint)
        \(self.verdicts)
        \(self.beacons)
        \(RequestTable(self.story.requests, anchor: self.anchor(.requests)).table(self.part))
        \(self.events)
        </article>
        """
    }

    private var heading: HTML {
        let what: HTML = "<p class=\"what\">\(self.story.origin) · <code>\(self.story.ad.rawValue)</code></p>"
        if self.isAlone { return what }
        return """
            <p class="back"><a href="#all">↑ all ads</a></p>
            <h2>\(self.story.heading)</h2>
            \(what)
            \(AdSection.badges(self.story))
            """
    }

    /// What is asked first, answered.
    private var answers: HTML {
        let answers = AdAnswers(self.story).all
        guard !answers.isEmpty else { return .none }
        let rows = answers.map { answer -> HTML in
            let said: HTML = "<b>\(answer.answer)</b>"
            let linked: HTML =
                answer.place.flatMap { self.hasPart($0) ? "<a href=\"#\(self.anchor($0))\">\(said)</a>" : nil } ?? said
            return """
                <div class="\(answer.mood.rawValue)"><dt>\(answer.question)</dt>\
                <dd><i aria-hidden="true">\(answer.mood.sign)</i>\(linked)\
                \(answer.reason.isEmpty ? .none : "<span>: \(answer.reason)</span>")</dd></div>
                """
        }
        return "<dl class=\"answers\">\(HTML.all(rows))</dl>"
    }

    private func hasPart(_ place: AdAnswer.Place) -> Bool {
        switch place {
        case .fired: !self.story.verdicts.isEmpty
        case .requests: !self.story.requests.isEmpty
        case .lint: self.story.lint != nil
        case .beacons, .blocked, .events: true
        }
    }

    /// What became of it, at a look.
    static func badges(_ story: AdStory) -> HTML {
        let names = Set(story.records.map(\.event.name))
        func isTold(_ event: String) -> Bool {
            names.contains(event) || story.verdicts.contains { $0.event == event && $0.hasFired }
        }
        var badges: [HTML] = []
        func badge(_ mood: Mood, _ text: String) { badges.append(ReportTable.badge(mood, text)) }
        if story.failure != nil { badge(.bad, "failed") }
        if names.contains("blank") { badge(.bad, "blank") }
        if isTold("view") { badge(.good, "viewed") } else if story.failure == nil { badge(.bad, "no view") }
        if isTold("click") { badge(.good, "clicked") }
        if names.contains("rewarded") { badge(.good, "rewarded") }
        let lost = BeaconStory.all(in: story.records).count { $0.fate.mood != .good }
        if lost > 0 { badge(.bad, "\(Quantity.text(lost, "beacon")) not delivered") }
        if names.contains("blocked") { badge(.warn, "blocked attempts") }
        if let count = story.lint?.count(.error), count > 0 {
            badge(.bad, Quantity.text(count, "lint error"))
        }
        // That a user closed it is what nearly always happens.
        if let closing = story.closing, closing.reason != .user { badge(.plain, "closed: \(closing.reason.rawValue)") }
        return "<span class=\"badges\">\(HTML.all(badges))</span>"
    }

    static func image(_ picture: AdScene.Picture, caption: String) -> HTML {
        let data = HTML.trusting(Base64.text(picture.bytes))
        return """
            <img alt="\(caption)" width="\(Int(picture.size.width))" height="\(Int(picture.size.height))" \
            src="data:image/webp;base64,\(data)">
            """
    }

    private var failure: HTML {
        guard let failure = self.story.failure else { return .none }
        return "<p class=\"failure\"><b>✗ \(failure.description)</b></p>"
    }

    private var pictures: HTML {
        let pictures = self.story.scene.pictures
        guard !pictures.isEmpty else { return .none }
        let start = self.story.span?.start ?? .origin
        let frames = pictures.map { picture -> HTML in
            let time = "after \(TimeScale.words(picture.at - start))"
            return """
                <figure class="phone">\(AdSection.image(picture, caption: "\(self.story.heading): \(picture.caption), \(time)"))\
                <figcaption>\(picture.caption)<br>\(time)</figcaption></figure>
                """
        }
        let left = self.story.scene.picturesLeftOut
        let rest: HTML =
            left > 0
            ? "<p class=\"more\">\(Quantity.text(left, "picture")) more \(left == 1 ? "was" : "were") left out.</p>"
            : .none
        return "<div class=\"pictures\(pictures.count > 2 ? " many" : "")\">\(HTML.all(frames))\(rest)</div>"
    }

    /// What it is, its sizes, and the rule by which it could be closed.
    private var facts: HTML {
        var rows: [HTML] = []
        func row(_ name: String, _ value: String?) {
            guard let value, !value.isEmpty else { return }
            rows.append("<dt>\(name)</dt><dd>\(value)</dd>")
        }
        let story = self.story
        row("kind", story.offer?.rules.kind.name)
        row("requested size", story.offer?.size.description)
        let rule = story.detail("containerRule", of: "shown").flatMap(ContainerSize.Rule.init)?.words
        row("container", story.detail("container", of: "shown").map { $0 + (rule.map { ", by \($0)" } ?? "") })
        row("layout size", story.detail("resolved", of: "shown"))
        row("on screen", story.detail("rendered", of: "shown"))
        if let rules = story.offer?.rules { row("view counts", "at \(rules.viewPolicy)") }
        row("close time-out", story.offer.map { $0.rules.closeDelay.map(AdSection.timeout) ?? "none was given" })
        if let shown = story.time("shown"), let can = story.time("closeAvailable") {
            let rule = story.records.lazy.compactMap { record -> CloseRule? in
                if case .closeAvailable(let rule) = record.event { rule } else { nil }
            }.first
            let when = rule == .immediate ? "at once" : "after \(TimeScale.words(can - shown))"
            row("could be closed", "\(when): \(rule?.words ?? "")")
        }
        if let closing = story.closing {
            row("closed", "\(closing.reason.words)\(closing.rewarded ? ", rewarded" : "")")
        }
        if let start = story.time("loadStarted"), let loaded = story.time("loaded") {
            row("loaded within", TimeScale.words(loaded - start))
        }
        if let loaded = story.time("loaded"), let shown = story.time("shown") {
            row("shown within", TimeScale.words(shown - loaded))
        }
        for issue in story.offer?.issues.prefix(20) ?? [] { row("repaired", issue.description) }
        return "<dl>\(HTML.all(rows))</dl>"
    }

    private static func timeout(_ time: Duration) -> String {
        time == .zero ? "0 s" : TimeScale.words(time)
    }

    private var verdicts: HTML {
        guard !self.story.verdicts.isEmpty else { return .none }
        let rows = self.story.verdicts.map { verdict -> HTML in
            // Events that did not happen have no beacons: only a view is missed.
            let mood: Mood =
                switch verdict.outcome {
                case .fired: .good
                case .counted: .plain
                case .notFired: verdict.event == "view" ? .bad : .plain
                }
            return """
                <tr><td>\(ReportTable.badge(mood, verdict.outcome.words))</td>\
                \(ReportTable.name(verdict.event))<td>\(verdict.reason)</td></tr>
                """
        }
        let fired = self.story.verdicts.count { $0.hasFired }
        return ReportTable.section(
            self.part,
            "What fired, what did not, and why",
            about: "\(fired) of \(rows.count) fired",
            anchor: self.anchor(.fired),
            ["", "event", "why"],
            rows
        )
    }

    private var beacons: HTML {
        let start = self.story.span?.start ?? .origin
        let all = BeaconStory.all(in: self.story.records)
        let rows = all.map { beacon -> HTML in
            """
            <tr>\(ReportTable.name(beacon.event))<td class="num">\(TimeScale.words(beacon.recorded - start))</td>\
            <td class="num">\(beacon.settled.map { TimeScale.words($0 - start) } ?? "–")</td>\
            <td>\(ReportTable.badge(beacon.fate.mood, beacon.fate.words))</td>\
            \(ReportTable.address(beacon.url, key: beacon.key))</tr>
            """
        }
        guard !rows.isEmpty else { return .none }
        return ReportTable.section(
            self.part,
            "Beacons",
            about: "\(all.count { $0.fate.mood == .good }) of \(all.count) delivered",
            anchor: self.anchor(.beacons),
            ["of", "recorded", "settled", "fate", "address"],
            rows
        )
    }

    private var blocked: HTML {
        let start = self.story.span?.start ?? .origin
        let rows = self.story.records.compactMap { record -> HTML? in
            guard case .blocked(let attempt) = record.event else { return nil }
            return """
                <tr><td class="num">\(TimeScale.words(record.at - start))</td>\
                <th scope="row">\(ReportTable.badge(.warn, attempt.kind.rawValue))</th>\
                <td class="last">\(attempt.detail)</td></tr>
                """
        }
        guard !rows.isEmpty else { return .none }
        return ReportTable.section(
            self.openPart,
            "What the creative tried and was not allowed",
            anchor: self.anchor(.blocked),
            ["at", "what", "how"],
            rows
        )
    }

    /// How many places of a rule are listed.
    private static let mostPlaces = 8

    private var lint: HTML {
        guard let lint = self.story.lint else { return .none }
        let rows = lint.groups.map { group -> HTML in
            let severity = group.rule.severity
            let mood: Mood = severity == .error ? .bad : severity == .warning ? .warn : .plain
            let places = group.findings.prefix(AdSection.mostPlaces).map { finding -> HTML in
                let place = LintText.place(of: finding)
                let shown: HTML = place.isEmpty ? .none : "<b>line \(place.joined(separator: ":"))</b> "
                return "<li>\(shown)\(finding.detail ?? "")</li>"
            }
            let more = group.count - places.count
            let rest: HTML = more > 0 ? "<li>and \(more) more</li>" : .none
            return """
                <tr><td>\(ReportTable.badge(mood, severity.rawValue))</td>\
                <td class="finding"><b>\(group.rule.title)\(group.count > 1 ? " ×\(group.count)" : "")</b><ul>\(HTML.all(places))\(rest)</ul>\
                <small>\(group.rule.fix)</small></td>\
                <td class="rule"><code>\(group.rule.id)</code></td></tr>
                """
        }
        guard !rows.isEmpty else {
            let fine: HTML = "<p class=\"fine\">No issues found in its markup.</p>"
            return ReportTable.section(self.openPart, "Lint", anchor: self.anchor(.lint), fine)
        }
        let isGrave = lint.count(.error) + lint.count(.warning) > 0
        return ReportTable.section(
            isGrave ? self.openPart : self.part,
            "Lint",
            about: "what the linter says of its markup",
            anchor: self.anchor(.lint),
            ["", "finding", "rule"],
            rows
        )
    }

    private var events: HTML {
        let start = self.story.span?.start ?? .origin
        let rows = self.story.records.map { record -> HTML in
            """
            <tr><td class="num">\(TimeScale.words(record.at - start))</td>\(ReportTable.name(record.event.name))\
            <td class="data">\(EventLine(record).fields)</td></tr>
            """
        }
        guard !rows.isEmpty else { return .none }
        let isLong = rows.count > 40
        return ReportTable.section(
            isLong ? ReportTable.Part(rank: self.part.rank, isFolded: true) : self.part,
            "Every event",
            about: "\(rows.count) of them, as --json prints them",
            anchor: self.anchor(.events),
            ["at", "event", "data"],
            rows
        )
    }
}

extension CloseRule {
    /// The rule as people read it.
    var words: String {
        switch self {
        case .immediate: "no close time-out was asked for"
        case .closeDelay: "it had been seen for its close time-out"
        case .watchdog: "no ad may be on screen for longer without a way out"
        case .completed: "its media had played to the end"
        case .endCard: "its end card was on screen"
        case .skipOffset: "its skip offset was reached"
        case .failed: "it failed"
        case .crashed: "it crashed or did not answer any more"
        case .creative: "a creative may always end itself"
        case .host: "the app may always end an ad"
        case .stage: "its stage was gone already"
        }
    }
}

extension CloseReason {
    /// Who or what ended it, as people read it.
    var words: String {
        switch self {
        case .user: "by the user"
        case .skipped: "by skipping it"
        case .creative: "by itself"
        case .host: "by the app"
        case .stageGone: "with its stage"
        case .destroyed: "by the app, which gave it up"
        case .neverShown: "without having been shown"
        }
    }
}
