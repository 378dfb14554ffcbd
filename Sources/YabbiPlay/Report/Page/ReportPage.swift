import AdCore
import AdMarkup

/// A report of ads that were shown, as one page that needs nothing else.
struct ReportPage: Sendable {
    /// What was done, as in `show banner.html`.
    let title: String
    /// When, by the calendar.
    let madeAt: WallTime
    /// Where they were shown, in words.
    let stage: String
    let stories: [AdStory]
    /// What became of all beacons together, line by line; empty where nobody held them against anything.
    var reconciliation: [String] = []

    var text: String { self.html.text }

    private var figures: ReportFigures { ReportFigures(self.stories) }

    private var html: HTML {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
        <link rel="icon" href="data:,">
        <title>\(self.title) · yabbi-play</title>
        <style>\(HTML.trusting(ReportPage.style))</style>
        </head>
        <body>
        <header>
        <p class="brand">yabbi-play \(Help.version)</p>
        <h1>\(self.title)</h1>
        <p class="when">\(CalendarText.iso8601(self.madeAt)) · shown in \(self.stage)</p>
        </header>
        <main>
        \(self.tiles)
        \(self.stories.count > 1 ? self.gallery : .none)
        \(self.books)
        \(HTML.all(self.stories.enumerated().map { AdSection($1, number: $0 + 1, isAlone: self.stories.count == 1).html }))
        </main>
        <footer>Made by yabbi-play \(Help.version). The requests are also in requests.har, beside this page.</footer>
        <script type="application/json" id="trace">\(self.trace)</script>
        </body>
        </html>

        """
    }

    private static let style = String(decoding: PackageResources.report_css, as: UTF8.self)

    // MARK: All ads

    private var tiles: HTML {
        let figures = self.figures
        let lint = self.stories.reduce(0) { $0 + ($1.lint?.count(.error) ?? 0) }
        var tiles: [HTML] = []
        func tile(_ name: String, _ figure: String, _ value: Int, of whole: Int? = nil, isBad: Bool = false) {
            let rest: HTML = whole.map { "<small> of \($0)</small>" } ?? .none
            tiles.append(
                """
                <div class="tile\(isBad ? " bad" : "")"><b data-figure="\(figure)">\(value)</b>\(rest)<span>\(name)</span></div>
                """
            )
        }
        tile("ads shown", "shown", figures.shown, of: figures.ads, isBad: figures.shown < figures.ads)
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
        return "<section class=\"tiles\" aria-label=\"In short\">\(HTML.all(tiles))</section>"
    }

    private var gallery: HTML {
        let cards = self.stories.enumerated().map { index, story -> HTML in
            let picture: HTML =
                story.scene.pictures.last.map { AdSection.image($0, caption: story.title ?? story.name) }
                ?? "<span class=\"empty\">no picture</span>"
            return """
                <a class="thumb" href="#ad-\(index + 1)"><span class="frame\(story.isBesideContent ? "" : " whole")">\(picture)</span>\
                <strong>\(story.title ?? story.name)</strong>\
                <span>\(story.provider.rawValue) · \(story.name)</span>\(AdSection.badges(story))</a>
                """
        }
        return "<section class=\"gallery\" aria-label=\"All ads\">\(HTML.all(cards))</section>"
    }

    private var books: HTML {
        guard !self.reconciliation.isEmpty else { return .none }
        let lines = HTML.all(self.reconciliation.map { "<p>\($0)</p>" })
        return "<section class=\"books\"><h2>The ledger against the server</h2>\(lines)</section>"
    }

    /// Every event, as `--json` prints it: what the figures are counted from.
    private var trace: HTML {
        let lines = self.stories.flatMap(\.records).map(EventJSON.line)
        // Nothing in it may end the element that it stands in.
        return .trusting("[\n" + lines.joined(separator: ",\n").replacing("<", with: "\\u003c") + "\n]")
    }
}
