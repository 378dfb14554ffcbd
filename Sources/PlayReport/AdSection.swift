import AdCore
import AdLint
import AdMarkup
import AdRuntime
import PlayConsole
import PlayText
import WebStage

/// The section of a report about one ad.
struct AdSection {
    private let ad: ReportedAd
    private let number: Int
    private let isAlone: Bool

    init(_ ad: ReportedAd, number: Int, isAlone: Bool) {
        self.ad = ad
        self.number = number
        self.isAlone = isAlone
    }

    /// The id of a section of this ad.
    private func anchor(_ section: AdCheck.Section) -> String { "ad-\(self.number)-\(section.rawValue)" }

    /// The layout of most sections: in the report of one ad, its name is the page's first heading, and sections are open.
    private var layout: ReportTable.Layout {
        ReportTable.Layout(headingLevel: self.isAlone ? 2 : 3, isCollapsed: !self.isAlone)
    }

    /// The layout of sections that are never collapsed.
    private var openLayout: ReportTable.Layout {
        ReportTable.Layout(headingLevel: self.layout.headingLevel, isCollapsed: false)
    }

    var html: HTML {
        """
        <article id="ad-\(self.number)">
        <header>
        \(self.heading)
        </header>
        \(self.failure)
        <div class="stage">\(self.screenshots)<div class="facts">\(self.checks)\(self.facts)</div></div>
        \(TimelineChart(self.ad)?.html ?? .none)
        \(ActivitySections(self.ad).filmStrip(self.openLayout, anchor: self.anchor(.strip)))
        \(self.blocked)
        \(AuctionSection(self.ad)?.html(self.openLayout, anchor: self.anchor(.auction)) ?? .none)
        \(self.lint)
        \(self.verdicts)
        \(self.beacons)
        \(RequestTable(self.ad.requests, anchor: self.anchor(.requests)).table(self.layout))
        \(ActivitySections(self.ad).console(self.layout, anchor: self.anchor(.console)))
        \(ActivitySections(self.ad).bridge(self.layout, anchor: self.anchor(.messages)))
        \(self.events)
        </article>
        """
    }

    private var heading: HTML {
        let identity: HTML = "<p class=\"identity\">\(self.ad.origin) · <code>\(self.ad.id.rawValue)</code></p>"
        if self.isAlone { return identity }
        return """
            <p class="back"><a href="#all">↑ all ads</a></p>
            <h2>\(self.ad.heading)</h2>
            \(identity)
            \(AdSection.badges(self.ad))
            """
    }

    private var checks: HTML {
        let checks = AdChecks(self.ad).all
        guard !checks.isEmpty else { return .none }
        let rows = checks.map { check -> HTML in
            let result: HTML = "<b>\(check.result)</b>"
            let linked: HTML =
                check.section.flatMap { self.hasSection($0) ? "<a href=\"#\(self.anchor($0))\">\(result)</a>" : nil }
                ?? result
            return """
                <div class="\(check.rating.rawValue)"><dt>\(check.title)</dt>\
                <dd><i aria-hidden="true">\(check.rating.sign)</i>\(linked)\
                \(check.reason.isEmpty ? .none : "<span>: \(check.reason)</span>")</dd></div>
                """
        }
        return "<dl class=\"checks\">\(HTML.all(rows))</dl>"
    }

    /// The id of what a check is about: a section, or else the ad.
    func anchor(of check: AdCheck) -> String {
        check.section.flatMap { self.hasSection($0) ? self.anchor($0) : nil } ?? "ad-\(self.number)"
    }

    /// Links to the sections about what the creative did.
    var links: HTML {
        let sections: [(AdCheck.Section, HTML)] = [
            (.strip, "film strip"), (.requests, "requests"), (.console, "console"), (.messages, "messages"),
        ]
        let links = sections.filter { self.hasSection($0.0) }.map { section, name -> HTML in
            "<a href=\"#\(self.anchor(section))\">\(name)<span class=\"visually-hidden\"> of \(self.ad.heading)</span></a>"
        }
        return links.isEmpty ? .none : "<p class=\"parts\">\(HTML.all(links))</p>"
    }

    private func hasSection(_ section: AdCheck.Section) -> Bool {
        switch section {
        case .fired: !self.ad.verdicts.isEmpty
        case .requests: !self.ad.requests.isEmpty
        case .lint: self.ad.lint != nil
        case .console: ActivitySections(self.ad).hasConsole
        case .messages: ActivitySections(self.ad).hasBridge
        case .strip: ActivitySections(self.ad).hasFilmStrip
        case .auction, .beacons, .blocked, .events: true
        }
    }

    /// The most important results as badges.
    static func badges(_ ad: ReportedAd) -> HTML {
        let names = Set(ad.records.map(\.event.name))
        func isCounted(_ event: String) -> Bool {
            names.contains(event) || ad.verdicts.contains { $0.event == event && $0.hasFired }
        }
        var badges: [HTML] = []
        func badge(_ rating: Rating, _ text: String) { badges.append(ReportTable.badge(rating, text)) }
        if ad.failure != nil { badge(.bad, "failed") }
        if names.contains("blank") { badge(.bad, "blank") }
        if isCounted("view") { badge(.good, "viewed") } else if ad.failure == nil { badge(.bad, "no view") }
        if isCounted("click") { badge(.good, "clicked") }
        if names.contains("rewarded") { badge(.good, "rewarded") }
        let undelivered = ad.beacons.count { $0.outcome.rating != .good }
        if undelivered > 0 { badge(.bad, "\(Quantity.text(undelivered, "beacon")) not delivered") }
        if names.contains("blocked") { badge(.warn, "blocked attempts") }
        if let count = ad.lint?.count(.error), count > 0 {
            badge(.bad, Quantity.text(count, "lint error"))
        }
        // Most ads are closed by the user: that needs no badge.
        if let closing = ad.closing, closing.reason != .user { badge(.plain, "closed: \(closing.reason.rawValue)") }
        return "<span class=\"badges\">\(HTML.all(badges))</span>"
    }

    /// A screenshot; `compare` finds it by its id.
    static func image(_ picture: StageCapture.Picture, caption: String, id: String? = nil) -> HTML {
        let data = HTML.trusting(Base64.text(picture.bytes))
        let name: HTML = id.map { " id=\"\($0)\"" } ?? .none
        return """
            <img alt="\(caption)" width="\(Int(picture.size.width))" height="\(Int(picture.size.height))"\(name) \
            src="data:image/webp;base64,\(data)">
            """
    }

    private var failure: HTML {
        guard let failure = self.ad.failure else { return .none }
        return "<p class=\"failure\"><b>✗ \(failure.description)</b></p>"
    }

    private var screenshots: HTML {
        let pictures = self.ad.scene.pictures
        guard !pictures.isEmpty else { return .none }
        let start = self.ad.span?.start ?? .origin
        let figures = pictures.enumerated().map { index, picture -> HTML in
            let time = "after \(TimeScale.text(picture.at - start))"
            let caption = "\(self.ad.heading): \(picture.caption), \(time)"
            let id = RunPicture.id(ad: self.number, picture: index + 1)
            return """
                <figure class="phone">\(AdSection.image(picture, caption: caption, id: id))\
                <figcaption>\(picture.caption)<br>\(time)</figcaption></figure>
                """
        }
        let omitted = self.ad.scene.omittedPictures
        let rest: HTML =
            omitted > 0 ? "<p class=\"more\">\(Quantity.text(omitted, "more screenshot")) omitted.</p>" : .none
        return "<div class=\"pictures\(pictures.count > 2 ? " many" : "")\">\(HTML.all(figures))\(rest)</div>"
    }

    /// The format, the sizes, and when the ad could be closed.
    private var facts: HTML {
        var rows: [HTML] = []
        func row(_ name: String, _ value: String?) {
            guard let value, !value.isEmpty else { return }
            rows.append("<dt>\(name)</dt><dd>\(value)</dd>")
        }
        let ad = self.ad
        row("format", ad.offer?.rules.kind.name)
        row("requested size", ad.offer?.size.description)
        let rule = ad.detail("containerRule", of: "shown").flatMap(ContainerSize.Rule.init)?.text
        row("container", ad.detail("container", of: "shown").map { $0 + (rule.map { ", from \($0)" } ?? "") })
        row("layout size", ad.detail("resolved", of: "shown"))
        row("rendered size", ad.detail("rendered", of: "shown"))
        if let rules = ad.offer?.rules { row("view counted", "at \(rules.viewPolicy)") }
        for case .paid(let revenue) in ad.records.lazy.map(\.event) {
            row("paid", "\(revenue.amount) \(revenue.currency), \(AuctionText.precision(of: revenue))")
        }
        row("close delay", ad.offer.map { $0.rules.closeDelay.map(AdSection.delay) ?? "not specified" })
        if let shown = ad.time("shown"), let available = ad.time("closeAvailable") {
            let rule = ad.records.lazy.compactMap { record -> CloseRule? in
                if case .closeAvailable(let rule) = record.event { rule } else { nil }
            }.first
            let when = rule == .immediate ? "immediately" : "after \(TimeScale.text(available - shown))"
            row("close button", "available \(when): \(rule?.text ?? "")")
        }
        if let closing = ad.closing {
            row("closed", "\(closing.reason.text)\(closing.rewarded ? ", rewarded" : "")")
        }
        if let start = ad.time("loadStarted"), let loaded = ad.time("loaded") {
            row("load time", TimeScale.text(loaded - start))
        }
        if let loaded = ad.time("loaded"), let shown = ad.time("shown") {
            row("time to show", TimeScale.text(shown - loaded))
        }
        for issue in ad.offer?.issues.prefix(20) ?? [] { row("issue", issue.description) }
        return "<dl>\(HTML.all(rows))</dl>"
    }

    private static func delay(_ time: Duration) -> String {
        time == .zero ? "0 s" : TimeScale.text(time)
    }

    private var verdicts: HTML {
        guard !self.ad.verdicts.isEmpty else { return .none }
        let rows = self.ad.verdicts.map { verdict -> HTML in
            // Most events are optional; a missing view is an error.
            let rating: Rating =
                switch verdict.outcome {
                case .fired: .good
                case .counted, .withheld: .plain
                case .notFired: verdict.event == "view" ? .bad : .plain
                case .measured: .good
                case .notMeasured: .warn
                }
            return """
                <tr><td>\(ReportTable.badge(rating, verdict.outcome.text))</td>\
                \(ReportTable.name(verdict.event))<td>\(verdict.reason)</td></tr>
                """
        }
        let fired = self.ad.verdicts.count { $0.hasFired }
        let trackers = self.ad.verdicts.count { $0.isOfTracker }
        return ReportTable.section(
            self.layout,
            "Trackers",
            about: "\(fired) of \(trackers) fired",
            anchor: self.anchor(.fired),
            ["", "event", "reason"],
            rows
        )
    }

    private var beacons: HTML {
        let start = self.ad.span?.start ?? .origin
        let all = self.ad.beacons
        let rows = all.map { beacon -> HTML in
            """
            <tr>\(ReportTable.name(beacon.event))<td class="num">\(beacon.record.map { TimeScale.text($0.at - start) } ?? "–")</td>\
            <td class="num">\(beacon.settled.map { TimeScale.text($0 - start) } ?? "–")</td>\
            <td>\(ReportTable.badge(beacon.outcome.rating, beacon.outcome.text))</td>\
            \(ReportTable.address(beacon.url, key: beacon.key.text))</tr>
            """
        }
        guard !rows.isEmpty else { return .none }
        return ReportTable.section(
            self.layout,
            "Beacons",
            about: "\(all.count { $0.outcome.rating == .good }) of \(all.count) delivered",
            anchor: self.anchor(.beacons),
            ["event", "recorded", "completed", "status", "URL"],
            rows
        )
    }

    private var blocked: HTML {
        let start = self.ad.span?.start ?? .origin
        let rows = self.ad.records.compactMap { record -> HTML? in
            guard case .blocked(let attempt) = record.event else { return nil }
            return """
                <tr><td class="num">\(TimeScale.text(record.at - start))</td>\
                <th scope="row">\(ReportTable.badge(.warn, attempt.kind.rawValue))</th>\
                <td class="last">\(attempt.detail)</td></tr>
                """
        }
        guard !rows.isEmpty else { return .none }
        return ReportTable.section(
            self.openLayout,
            "Blocked attempts of the creative",
            anchor: self.anchor(.blocked),
            ["time", "kind", "detail"],
            rows
        )
    }

    /// How many places of a rule are listed.
    private static let maxPlaces = 8

    private var lint: HTML {
        guard let lint = self.ad.lint else { return .none }
        let rows = lint.groups.map { group -> HTML in
            let severity = group.rule.severity
            let rating: Rating = severity == .error ? .bad : severity == .warning ? .warn : .plain
            let places = group.findings.prefix(AdSection.maxPlaces).map { finding -> HTML in
                let place = LintText.place(of: finding)
                let shown: HTML = place.isEmpty ? .none : "<b>line \(place.joined(separator: ":"))</b> "
                return "<li>\(shown)\(finding.detail ?? "")</li>"
            }
            let more = group.count - places.count
            let rest: HTML = more > 0 ? "<li>and \(more) more</li>" : .none
            return """
                <tr><td>\(ReportTable.badge(rating, severity.rawValue))</td>\
                <td class="finding"><b>\(group.rule.title)\(group.count > 1 ? " ×\(group.count)" : "")</b><ul>\(HTML.all(places))\(rest)</ul>\
                <small>\(group.rule.fix)</small></td>\
                <td class="rule"><code>\(group.rule.id)</code></td></tr>
                """
        }
        guard !rows.isEmpty else {
            let fine: HTML = "<p class=\"fine\">No issues found in the markup.</p>"
            return ReportTable.section(self.openLayout, "Lint", anchor: self.anchor(.lint), fine)
        }
        let isOpen = lint.count(.error) + lint.count(.warning) > 0
        return ReportTable.section(
            isOpen ? self.openLayout : self.layout,
            "Lint",
            about: "issues in the markup, most severe first",
            anchor: self.anchor(.lint),
            ["", "finding", "rule"],
            rows
        )
    }

    private var events: HTML {
        let start = self.ad.span?.start ?? .origin
        let rows = self.ad.records.map { record -> HTML in
            """
            <tr><td class="num">\(TimeScale.text(record.at - start))</td>\(ReportTable.name(record.event.name))\
            <td class="data">\(EventLine(record).fields)</td></tr>
            """
        }
        guard !rows.isEmpty else { return .none }
        let isLong = rows.count > 40
        return ReportTable.section(
            isLong
                ? ReportTable.Layout(headingLevel: self.layout.headingLevel, isCollapsed: true) : self.layout,
            "All events",
            about: "\(Quantity.text(rows.count, "event")) of the ad",
            anchor: self.anchor(.events),
            ["time", "event", "data"],
            rows
        )
    }
}

extension CloseRule {
    var text: String {
        switch self {
        case .immediate: "the ad has no close delay"
        case .closeDelay: "the ad was visible for its close delay"
        case .watchdog: "the watchdog's time limit was reached"
        case .completed: "the video was played to the end"
        case .endCard: "the end card was displayed"
        case .skipOffset: "the skip offset was reached"
        case .failed: "the ad failed"
        case .crashed: "the creative crashed or stopped responding"
        case .creative: "a creative can always close itself"
        case .host: "the app can always close an ad"
        case .stage: "the stage was already gone"
        }
    }
}

extension CloseReason {
    var text: String {
        switch self {
        case .user: "by the user"
        case .skipped: "by skipping"
        case .creative: "by the creative"
        case .host: "by the app"
        case .stageGone: "because its stage was removed"
        case .destroyed: "because the app destroyed it"
        case .neverShown: "without being shown"
        }
    }
}
