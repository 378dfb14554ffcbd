import AdCore
import AdMarkup
import AdRuntime
import ChromiumStage

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

    var html: HTML {
        """
        <article id="ad-\(self.number)">
        <header>
        <h2>\(self.story.title ?? self.story.name)</h2>
        <p class="what">\(self.story.provider.rawValue) · \(self.story.name) · <code>\(self.story.ad.rawValue)</code></p>
        \(AdSection.badges(self.story))
        </header>
        \(self.failure)
        <div class="stage">\(self.pictures)<div class="facts">\(self.facts)</div></div>
        \(TimelineChart(self.story)?.html ?? .none)
        \(self.verdicts)
        \(self.beacons)
        \(RequestTable(self.story.requests).html)
        \(self.blocked)
        \(self.lint)
        \(self.events)
        </article>
        """
    }

    /// What became of it, at a look.
    static func badges(_ story: AdStory) -> HTML {
        let names = Set(story.records.map(\.event.name))
        var badges: [HTML] = []
        func badge(_ kind: String, _ text: String) {
            badges.append("<span class=\"badge \(kind)\">\(text)</span>")
        }
        if story.failure != nil { badge("bad", "failed") }
        if names.contains("view") { badge("good", "viewed") } else if story.failure == nil { badge("warn", "no view") }
        if names.contains("click") { badge("good", "clicked") }
        if names.contains("rewarded") { badge("good", "rewarded") }
        if names.contains("blocked") { badge("warn", "blocked attempts") }
        if let closing = story.closing { badge("plain", "closed: \(closing.reason.rawValue)") }
        if let count = story.lint?.count(.error), count > 0 {
            badge("bad", "\(count) lint \(count == 1 ? "error" : "errors")")
        }
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
        return "<p class=\"failure\"><b>\(failure.code.description)</b> \(failure.description)</p>"
    }

    private var pictures: HTML {
        guard !self.story.scene.pictures.isEmpty else { return .none }
        let start = self.story.span?.start ?? .origin
        let frames = self.story.scene.pictures.map { picture -> HTML in
            """
            <figure class="phone">\(AdSection.image(picture, caption: picture.caption))\
            <figcaption>\(picture.caption), after \(TimeScale.words(picture.at - start))</figcaption></figure>
            """
        }
        return "<div class=\"pictures\">\(HTML.all(frames))</div>"
    }

    /// What it is, its sizes, and the rule by which it could be closed.
    private var facts: HTML {
        var rows: [HTML] = []
        func row(_ name: String, _ value: String?) {
            guard let value, !value.isEmpty else { return }
            rows.append("<dt>\(name)</dt><dd>\(value)</dd>")
        }
        let story = self.story
        row("kind", story.offer?.terms.kind.name)
        row("size asked for", story.offer?.size.description)
        row("laid out at", story.detail("resolved", of: "shown"))
        row("on screen", story.detail("rendered", of: "shown"))
        if let terms = story.offer?.terms { row("view counts", "at \(terms.viewPolicy)") }
        row("close time-out", story.offer.map { $0.terms.closeTimeout.map(TimeScale.words) ?? "none was given" })
        if let shown = story.time("shown"), let can = story.time("closeAvailable") {
            let rule = story.records.lazy.compactMap { record -> CloseRule? in
                if case .closeAvailable(let rule) = record.event { rule } else { nil }
            }.first
            row("could be closed", "after \(TimeScale.words(can - shown)): \(rule?.words ?? "")")
        }
        if let closing = story.closing {
            row("closed", "\(closing.reason.words), \(closing.rule.words)\(closing.rewarded ? "; rewarded" : "")")
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

    private var verdicts: HTML {
        guard !self.story.verdicts.isEmpty else { return .none }
        let rows = self.story.verdicts.map { verdict -> HTML in
            """
            <tr><td><span class="badge \(verdict.hasFired ? "good" : "warn")">\
            \(verdict.hasFired ? "fired" : "not fired")</span></td>\
            <td>\(verdict.event)</td><td>\(verdict.reason)</td></tr>
            """
        }
        return ReportTable.table("What fired, what did not, and why", ["", "event", "why"], rows)
    }

    private var beacons: HTML {
        let start = self.story.span?.start ?? .origin
        let rows = BeaconStory.all(in: self.story.records).map { beacon -> HTML in
            """
            <tr><td>\(beacon.event)</td><td class="num">\(TimeScale.words(beacon.recorded - start))</td>\
            <td class="num">\(beacon.settled.map { TimeScale.words($0 - start) } ?? "–")</td>\
            <td><span class="badge \(beacon.fate.kind)">\(beacon.fate.words)</span></td>\
            <td class="url" title="\(beacon.key)">\(beacon.url)</td></tr>
            """
        }
        guard !rows.isEmpty else { return .none }
        return ReportTable.table("Beacons", ["of", "recorded", "settled", "fate", "address"], rows)
    }

    private var blocked: HTML {
        let start = self.story.span?.start ?? .origin
        let rows = self.story.records.compactMap { record -> HTML? in
            guard case .blocked(let attempt) = record.event else { return nil }
            return """
                <tr><td class="num">\(TimeScale.words(record.at - start))</td>\
                <td><span class="badge warn">\(attempt.kind.rawValue)</span></td><td>\(attempt.detail)</td></tr>
                """
        }
        guard !rows.isEmpty else { return .none }
        return ReportTable.table("What the creative tried and was not allowed", ["at", "what", "how"], rows)
    }

    private var lint: HTML {
        guard let lint = self.story.lint else { return .none }
        let rows = lint.findings.map { finding -> HTML in
            let kind = ["error": "bad", "warning": "warn"][finding.rule.severity.rawValue] ?? "plain"
            return """
                <tr><td><span class="badge \(kind)">\(finding.rule.severity.rawValue)</span></td>\
                <td class="num">\(finding.line.map(String.init) ?? "–")</td>\
                <td><b>\(finding.rule.title)</b>: \(finding.message)<br><small>\(finding.rule.cure)</small></td>\
                <td><code>\(finding.rule.id)</code></td></tr>
                """
        }
        guard !rows.isEmpty else {
            return
                "<section class=\"table\"><h3>Lint</h3><p class=\"fine\">Nothing to say against its markup.</p></section>"
        }
        let more: HTML = lint.unlisted > 0 ? "<p>\(lint.unlisted) more are not listed.</p>" : .none
        return "\(ReportTable.table("Lint", ["", "line", "finding", "rule"], rows))\(more)"
    }

    private var events: HTML {
        let start = self.story.span?.start ?? .origin
        let rows = self.story.records.map { record -> HTML in
            """
            <tr><td class="num">\(TimeScale.words(record.at - start))</td><td>\(record.event.name)</td>\
            <td class="data">\(EventJSON.fields(record))</td></tr>
            """
        }
        guard !rows.isEmpty else { return .none }
        return """
            <details\(self.isAlone && rows.count <= 40 ? " open" : "")><summary>Every event (\(rows.count))</summary>
            \(ReportTable.table(nil, ["at", "event", "data"], rows))</details>
            """
    }
}

extension CloseRule {
    /// The rule as people read it.
    var words: String {
        switch self {
        case .immediate: "no close time-out was asked for"
        case .closeTimeout: "it had been seen for its close time-out"
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
