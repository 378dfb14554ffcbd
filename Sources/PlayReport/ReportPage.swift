package import AdCore
import AdLint
import AdMarkup
import AdRuntime
import PlayConsole
import PlayText

/// A report of a run as one self-contained HTML page.
package struct ReportPage: Sendable {
    /// The command, such as `show banner.html`.
    let title: String
    let madeAt: WallTime
    /// The name of the stage.
    let stage: String
    let ads: [ReportedAd]
    /// How many times as fast as real time the ads' clock ran.
    let speed: Double
    /// The lines of the reconciliation; empty if there was none.
    let reconciliation: [String]

    package init(
        title: String,
        madeAt: WallTime,
        stage: String,
        ads: [ReportedAd],
        speed: Double = 1,
        reconciliation: [String] = []
    ) {
        self.title = title
        self.madeAt = madeAt
        self.stage = stage
        self.ads = ads
        self.speed = speed
        self.reconciliation = reconciliation
    }

    package var text: String { self.html.text }

    private var figures: ReportFigures { ReportFigures(self.ads) }

    private var html: HTML {
        let frame = ReportFrame(
            title: self.title,
            heading: self.heading,
            notes: """
                <p class="when">\(ReportFrame.date(self.madeAt)) · shown in \(self.stage)</p>
                \(self.speedNote)
                """,
            footer: "All requests are also in requests.har in the same folder."
        )
        let data: HTML = """
            <script type="application/json" id="trace">\(self.trace)</script>
            <script type="application/json" id="run">\(self.run)</script>
            """
        return frame.page(
            """
            \(self.tiles)
            \(self.ads.count > 1 ? self.overview : .none)
            \(HTML.all(self.ads.indices.map { self.section($0).html }))
            \(self.reconciliationSection)
            """,
            data: data
        )
    }

    private var heading: String {
        if self.ads.count == 1, let ad = self.ads.first { return ad.heading }
        return self.ads.isEmpty ? "No ads" : "\(self.ads.count) ads"
    }

    private var speedNote: HTML {
        guard self.speed > 1 else { return .none }
        let times = AdJSON.double(self.speed).text()
        return """
            <p class="when">The ads' clock ran \(times) times as fast as real time: times of the browser and the network are \
            shown \(times) times as long.</p>
            """
    }

    // MARK: All ads

    private var tiles: HTML {
        let figures = self.figures
        let lint = self.ads.reduce(0) { $0 + ($1.lint?.count(.error) ?? 0) }
        var tiles: [HTML] = []
        func tile(_ name: String, _ figure: String, _ value: Int, of whole: Int? = nil, isBad: Bool = false) {
            tiles.append(ReportFrame.tile(name, figure, value, of: whole, isBad: isBad))
        }
        tile("ads shown", "shown", figures.shown, of: figures.ads, isBad: figures.shown < figures.ads)
        if figures.blank > 0 { tile("ads blank", "blank", figures.blank, of: figures.shown, isBad: true) }
        tile("views counted", "views", figures.views)
        tile("clicks counted", "clicks", figures.clicks)
        tile(
            "beacons delivered",
            "delivered",
            figures.delivered,
            of: figures.recorded,
            isBad: figures.dead + figures.unconfirmed > 0
        )
        tile("attempts blocked", "blocked", figures.blocked)
        tile("lint errors", "lint", lint, isBad: lint > 0)
        return "<section class=\"tiles\" aria-label=\"Summary\">\(HTML.all(tiles))</section>"
    }

    /// The problems of all ads, and the ads.
    private var overview: HTML {
        let items = AttentionItem.all(self.ads)
        let rows = items.prefix(AttentionItem.maxItems).map { item -> HTML in
            let ads = item.ads.prefix(AttentionItem.maxAds).map { index -> HTML in
                let ad = self.ads[index]
                let anchor = self.section(index).anchor(of: item.check)
                return "<a href=\"#\(anchor)\">\(ad.heading)</a> <span>\(ad.origin)</span>"
            }
            let more = item.ads.count - ads.count
            let rest: HTML = more > 0 ? ", and \(more) more" : .none
            return """
                <li>\(ReportTable.badge(item.check.rating, item.check.title.asciiLowercased))\
                <div><b>\(item.problem)</b><p>\(HTML.trusting(ads.map(\.text).joined(separator: ", ")))\(rest)</p></div></li>
                """
        }
        let more = items.count - rows.count
        let list: HTML =
            items.isEmpty
            ? """
            <p class="fine">No issues found: all views were counted, all beacons were delivered, nothing was blocked, and \
            the markup has no lint errors or warnings.</p>
            """
            : """
            <ul>\(HTML.all(Array(rows)))</ul>\(more > 0 ? "<p>\(more) more are listed with their ads below.</p>" : .none)
            """
        return """
            <section class="attention"><h2>What needs attention</h2>\(list)</section>
            \(self.gallery)
            """
    }

    private func section(_ index: Int) -> AdSection {
        AdSection(self.ads[index], number: index + 1, isAlone: self.ads.count == 1)
    }

    private var gallery: HTML {
        let cards = self.ads.enumerated().map { index, ad -> HTML in
            // The heading next to it is the text alternative.
            let picture: HTML =
                ad.thumbnail.map { AdSection.image($0, caption: "") } ?? "<span class=\"empty\">no screenshot</span>"
            return """
                <div class="card"><a class="thumb" href="#ad-\(index + 1)"><span class="frame\(ad.isInline ? "" : " whole")">\(picture)</span>\
                <strong>\(ad.heading)</strong>\
                <span>\(ad.origin)</span>\(AdSection.badges(ad))</a>\(self.section(index).links)</div>
                """
        }
        return "<section><h2 id=\"all\">All ads</h2><div class=\"gallery\">\(HTML.all(cards))</div></section>"
    }

    private var reconciliationSection: HTML {
        guard !self.reconciliation.isEmpty else { return .none }
        let lines = HTML.all(self.reconciliation.map { "<p>\($0)</p>" })
        return "<section class=\"reconciliation\"><h2>Reconciliation of beacons</h2>\(lines)</section>"
    }

    /// Every event, as `--json` prints it; the figures are counted from the same events.
    private var trace: HTML {
        let lines = self.ads.flatMap { $0.lines.isEmpty ? $0.records.map { EventLine($0) } : $0.lines }.map(\.json)
        // "<" is escaped, so that no text ends the script element (HTML Living Standard, "Restrictions for contents of
        // script elements").
        return .trusting("[\n" + lines.joined(separator: ",\n").replacing("<", by: "\\u003c") + "\n]")
    }

    /// What `compare` reads, with "<" escaped for the same reason.
    private var run: HTML { .trusting(self.document.text.replacing("<", by: "\\u003c")) }

    /// The data of the run.
    var document: RunDocument {
        RunDocument(
            command: self.title,
            madeAt: self.madeAt,
            stage: self.stage,
            speed: self.speed,
            reporting: self.ads
        )
    }
}
