package import AdCore
import PlayConsole
import PlayReport
import PlayText

/// Two runs side by side as one self-contained HTML page, with what differs first.
package struct ComparisonPage: Sendable {
    /// A run, as the page names it.
    package struct Side: Sendable {
        /// The name of its column, such as `Chromium`.
        package let name: String
        package let run: ComparedRun

        package init(_ name: String, _ run: ComparedRun) {
            self.name = name
            self.run = run
        }
    }

    private let title: String
    private let madeAt: WallTime
    private let a: Side
    private let b: Side
    private let comparison: RunComparison

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - title: What was run, such as `show banner.html`.
    ///   - madeAt: The wall-clock time of the page.
    ///   - a: The first run.
    ///   - b: The second run.
    ///   - comparison: The comparison of the two.
    package init(title: String, madeAt: WallTime, _ a: Side, _ b: Side, _ comparison: RunComparison) {
        self.title = title
        self.madeAt = madeAt
        self.a = a
        self.b = b
        self.comparison = comparison
    }

    package var text: String {
        let pairs = RunComparison.pairs(self.a.run, self.b.run).both
        let count = self.comparison.differences.count
        let frame = ReportFrame(
            title: self.title,
            heading: count == 0 ? "No differences" : Quantity.text(count, "difference"),
            notes: """
                <p class="when">\(ReportFrame.date(self.madeAt))</p>
                <p class="when"><b>\(self.a.name)</b>: \(self.a.run.title)</p>
                <p class="when"><b>\(self.b.name)</b>: \(self.b.run.title)</p>
                """
        )
        return frame.page(
            """
            \(self.tiles)
            \(self.notes)
            \(self.unpaired)
            \(HTML.all(pairs.map(self.section)))
            """
        ).text
    }

    // MARK: Both runs

    private var tiles: HTML {
        let tiles = RunDifference.Kind.allCases.map { kind in
            let count = self.comparison.count([kind])
            return ReportFrame.tile(kind.heading.asciiLowercased, kind.rawValue, count, isBad: count > 0)
        }
        return "<section class=\"tiles\" aria-label=\"Differences by kind\">\(HTML.all(tiles))</section>"
    }

    private var notes: HTML {
        .all(self.comparison.notes.map { "<p class=\"when\">\($0)</p>" })
    }

    /// The ads that one run lacks.
    private var unpaired: HTML {
        let rows = self.comparison.differences.filter { $0.place.a == nil || $0.place.b == nil }
        guard !rows.isEmpty else { return .none }
        let table = ComparedTable(self.a.name, self.b.name)
        return "<article class=\"compared\">\(table.differences(rows, "Ads of one run", anchor: "unpaired"))</article>"
    }

    // MARK: An ad

    private func section(_ pair: ComparedPair) -> HTML {
        let number = pair.place.a ?? 0
        let table = ComparedTable(self.a.name, self.b.name)
        let differences = self.comparison.differences.filter { $0.place == pair.place }
        let pictures = self.comparison.pictures.filter { $0.place == pair.place }.sorted { $0.time < $1.time }
        let ownDifferences: HTML =
            differences.isEmpty
            ? "<p class=\"fine\">No differences.</p>"
            : table.differences(differences, "Differences", anchor: "ad-\(number)-differences")
        return """
            <article class="compared" id="ad-\(number)">
            <header><h2>\(pair.place.name)</h2></header>
            \(HTML.all(pictures.map(self.figures)))
            \(ownDifferences)
            \(table.facts(ComparedFacts.rows(pair), anchor: "ad-\(number)-facts"))
            \(table.trackers(pair, anchor: "ad-\(number)-trackers"))
            \(table.events(EventColumns.rows(pair), anchor: "ad-\(number)-events"))
            </article>
            """
    }

    /// The pictures of one moment, and which pixels differ.
    private func figures(_ pictures: ComparedPictures) -> HTML {
        var figures = [self.figure(pictures.a, self.a.name, pictures), self.figure(pictures.b, self.b.name, pictures)]
        if case .known(_, let bytes)? = pictures.difference, !bytes.isEmpty {
            let source: HTML = .trusting("data:image/png;base64,\(Base64.text(bytes))")
            figures.append(
                """
                <figure class="phone"><img alt="\(pictures.caption): the pixels that differ" src="\(source)">\
                <figcaption>the pixels that differ</figcaption></figure>
                """
            )
        }
        return """
            <h3>\(pictures.caption) <small>\(ComparisonPage.about(pictures))</small></h3>
            <div class="pictures">\(HTML.all(figures))</div>
            """
    }

    private func figure(_ picture: RunPicture?, _ name: String, _ pictures: ComparedPictures) -> HTML {
        guard let picture, let bytes = picture.bytes else {
            return
                "<figure class=\"phone\"><span class=\"empty\">no picture</span><figcaption>\(name)</figcaption></figure>"
        }
        let source: HTML = .trusting("data:image/webp;base64,\(Base64.text(bytes))")
        return """
            <figure class="phone"><img alt="\(pictures.ad): \(pictures.caption), \(name)" width="\(picture.width)" \
            height="\(picture.height)" src="\(source)"><figcaption>\(name)</figcaption></figure>
            """
    }

    private static func about(_ pictures: ComparedPictures) -> String {
        guard let a = pictures.a, let b = pictures.b else { return "only one run has it" }
        if a.width != b.width || a.height != b.height { return "the sizes differ" }
        if let bytes = a.bytes, bytes == b.bytes { return "no pixel differs" }
        return pictures.difference.map { PictureComparison.text($0) ?? "no visible pixel differs" } ?? "not compared"
    }
}

extension ComparedPictures {
    /// When the first of them was taken, in milliseconds on the ads' clock.
    fileprivate var time: Int { [self.a?.t, self.b?.t].compactMap(\.self).min() ?? 0 }
}

extension RunDifference.Kind {
    /// The name of several differences of this kind.
    var heading: String {
        switch self {
        case .tracker: "Trackers"
        case .event: "Events"
        case .request: "Requests"
        case .picture: "Pictures"
        case .layout: "Layout"
        case .console: "Console"
        case .lint: "Lint"
        }
    }
}
