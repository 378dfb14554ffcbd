import AdCore
import AdRuntime

/// The life of an ad, drawn: what it went through, how much of it could be seen, what happened, and who was told.
struct TimelineChart {
    private let story: AdStory
    private let start: Moment
    private let scale: TimeScale
    private let layout: Layout

    /// How the drawing is laid out: its units are pixels where the page is as wide as it.
    private struct Layout {
        let width: Double
        /// Where the names of the rows end and the time begins.
        let left: Double
        let mostTicks: Int
        /// On how many lines events stand at most.
        let mostLines: Int
        /// How much of a beacon's name is written.
        let longestName: Int

        static let wide = Layout(width: 1000, left: 150, mostTicks: 8, mostLines: 4, longestName: 24)
        /// On a phone of 390 points, within the page's margins.
        static let narrow = Layout(width: 330, left: 92, mostTicks: 3, mostLines: 8, longestName: 13)
    }

    /// Rows from top to bottom.
    private enum Row: Int, CaseIterable {
        case life, sight, close, events

        var middle: Double { [18, 58, 92, 120][self.rawValue] }
    }

    private static let beaconHeight = 15.0
    /// As many beacons as are drawn, on so many lines; the table has all of them.
    private static let mostBeacons = 60
    private static let mostLinesOfBeacons = 24

    init?(_ story: AdStory) { self.init(story, .wide) }

    private init?(_ story: AdStory, _ layout: Layout) {
        guard let span = story.span else { return nil }
        self.story = story
        self.start = span.start
        self.layout = layout
        self.scale = TimeScale(
            length: span.end - span.start,
            from: layout.left,
            to: layout.width - 14,
            mostTicks: layout.mostTicks
        )
    }

    private func x(_ moment: Moment) -> Double { self.scale.x(moment - self.start) }

    /// The drawing for a wide page, and the same for a phone; the page shows one of them.
    var html: HTML {
        let all = self.story.records.count { if case .beaconRecorded = $0.event { true } else { false } }
        let more = all - self.beaconGroups.reduce(0) { $0 + $1.count }
        return """
            <figure class="timeline">\(self.svg)\(TimelineChart(self.story, .narrow)?.svg ?? .none)\
            \(more > 0 ? "<figcaption>\(more) more beacons are in the table below.</figcaption>" : .none)</figure>
            """
    }

    private var svg: HTML {
        let groups = self.beaconGroups
        let marks = self.marks
        let lines = (marks.map(\.line).max() ?? 0) + 1
        let top = Row.events.middle + Double(lines) * TimelineChart.lineHeight
        let height = top + Double(groups.count) * TimelineChart.beaconHeight + (groups.isEmpty ? 4 : 10)
        // What is said in words is said once.
        let isWide = self.layout.width == Layout.wide.width
        let label: HTML =
            isWide
            ? "class=\"wide-time\" role=\"img\" aria-label=\"\(self.words)\""
            : "class=\"narrow-time\" aria-hidden=\"true\""
        return """
            <svg viewBox="0 0 \(px(self.layout.width)) \(px(height + 24))" \(label)>
            \(self.axis(to: height))
            \(self.life)
            \(self.sight)
            \(self.closing)
            \(self.draw(marks))
            \(HTML.all(groups.enumerated().map { self.draw($1, at: top + Double($0) * TimelineChart.beaconHeight) }))
            </svg>
            """
    }

    /// The drawing in words, for screen readers; all events are in the table.
    private var words: String {
        func at(_ moment: Moment) -> String { TimeScale.words(moment - self.start) }
        var words = ["Timeline"]
        if let loaded = self.story.time("loaded") { words.append("loaded at \(at(loaded))") }
        if let shown = self.story.time("shown") {
            let end = self.story.time("closed").map { " to \(at($0))" } ?? ""
            words.append("on screen from \(at(shown))\(end)")
        }
        for record in self.story.records.prefix(1_000) where words.count < 24 {
            if let (_, text) = TimelineChart.mark(record.event) { words.append("\(text) at \(at(record.at))") }
        }
        return words.joined(separator: "; ")
    }

    /// Beacons that tell of the same, as far as there is room for them.
    private var beaconGroups: [[BeaconStory]] {
        var groups: [[BeaconStory]] = []
        var places: [String: Int] = [:]
        for beacon in BeaconStory.all(in: self.story.records).prefix(TimelineChart.mostBeacons) {
            if let place = places[beacon.event] {
                groups[place].append(beacon)
            } else {
                places[beacon.event] = groups.count
                groups.append([beacon])
            }
        }
        return Array(groups.prefix(TimelineChart.mostLinesOfBeacons))
    }

    private func axis(to height: Double) -> HTML {
        HTML.all(
            self.scale.ticks.map { tick in
                let x = px(self.scale.x(tick))
                return """
                    <line class="grid" x1="\(x)" x2="\(x)" y1="4" y2="\(px(height))"/>\
                    <text class="tick" x="\(x)" y="\(px(height + 15))">\(TimeScale.words(tick))</text>
                    """
            }
        )
    }

    private func name(_ text: String, _ row: Row) -> HTML {
        "<text class=\"row\" x=\"\(px(self.layout.left - 10))\" y=\"\(px(row.middle + 4))\">\(text)</text>"
    }

    /// Loading, waiting to be shown, on screen.
    private var life: HTML {
        let end = self.story.span?.end ?? self.start
        let loaded = self.story.time("loaded")
        let shown = self.story.time("shown")
        let closed = self.story.time("closed")
        var parts = [self.name("life", .life)]
        func bar(_ kind: String, _ from: Moment, _ to: Moment, _ text: String) {
            let (x, width) = (self.x(from), max(1.5, self.x(to) - self.x(from)))
            let label: HTML =
                width < Double(text.count) * 7 + 8
                ? .none
                : "<text class=\"in\" x=\"\(px(x + width / 2))\" y=\"\(px(Row.life.middle + 4))\">\(text)</text>"
            parts.append(
                """
                <rect class="\(kind)" x="\(px(x))" y="\(px(Row.life.middle - 10))" width="\(px(width))" height="20" \
                rx="3"><title>\(text): \(TimeScale.words(to - from))</title></rect>\(label)
                """
            )
        }
        bar("loading", self.start, loaded ?? shown ?? end, "loading")
        if let loaded { bar("waiting", loaded, shown ?? closed ?? end, "loaded") }
        if let shown { bar("showing", shown, closed ?? end, "on screen") }
        return .all(parts)
    }

    /// How much of it could be seen, as an area.
    private var sight: HTML {
        let (base, height) = (Row.sight.middle + 14, 28.0)
        guard let shown = self.story.time("shown"), !self.story.scene.sights.isEmpty else { return .none }
        let end = self.story.time("closed") ?? self.story.span?.end ?? shown
        var points = ["\(px(self.x(shown))),\(px(base))"]
        var last = 0.0
        for sight in self.story.scene.sights where sight.at <= end {
            let x = px(self.x(max(sight.at, shown)))
            points.append("\(x),\(px(base - last * height))")
            points.append("\(x),\(px(base - sight.ratio * height))")
            last = sight.ratio
        }
        points.append("\(px(self.x(end))),\(px(base - last * height))")
        points.append("\(px(self.x(end))),\(px(base))")
        return """
            \(self.name("in view", .sight))\
            <polygon class="sight" points="\(points.joined(separator: " "))"><title>The share of it that is on screen</title>\
            </polygon>
            """
    }

    /// From when on it could be closed.
    private var closing: HTML {
        guard let shown = self.story.time("shown") else { return .none }
        let end = self.story.time("closed") ?? self.story.span?.end ?? shown
        let can = self.story.time("closeAvailable")
        // A thin line as long as the ad cannot be closed, a thick one from then on.
        func bar(_ kind: String, _ height: Double, _ from: Moment, _ to: Moment, _ words: String) -> HTML {
            """
            <rect class="\(kind)" x="\(px(self.x(from)))" y="\(px(Row.close.middle - height / 2))" \
            width="\(px(max(1.5, self.x(to) - self.x(from))))" height="\(px(height))" rx="2"><title>\(words)</title></rect>
            """
        }
        var parts = [self.name("close", .close)]
        parts.append(bar("shut", 2, shown, can ?? end, "no way out yet"))
        if let can { parts.append(bar("open", 8, can, end, "can be closed")) }
        return .all(parts)
    }

    /// Something that happened, in its place.
    private struct Mark {
        let mood: Mood
        let text: String
        let at: Moment
        let x: Double
        /// The line it stands on, from 0.
        let line: Int
        /// Whether there is room for its name.
        let isNamed: Bool
    }

    private static let lineHeight = 20.0

    /// What happened, each on the first line that has room for its name.
    private var marks: [Mark] {
        var ends = [Double](repeating: -1, count: self.layout.mostLines)
        return self.story.records.compactMap { record in
            guard let (mood, text) = TimelineChart.mark(record.event) else { return nil }
            let x = self.x(record.at)
            let length = Double(text.count) * 6.6 + 16
            let isLate = x + length > self.layout.width
            let begin = isLate ? x - length : x - 6
            let free = ends.firstIndex { $0 < begin }
            if let free { ends[free] = isLate ? x + 8 : x + length }
            return Mark(mood: mood, text: text, at: record.at, x: x, line: free ?? 0, isNamed: free != nil)
        }
    }

    private func draw(_ marks: [Mark]) -> HTML {
        let drawn = marks.map { mark -> HTML in
            let y = Row.events.middle + Double(mark.line) * TimelineChart.lineHeight
            let isLate = mark.x + Double(mark.text.count) * 6.6 + 16 > self.layout.width
            let label: HTML =
                mark.isNamed
                ? """
                <text class="\(isLate ? "label late" : "label")" x="\(px(isLate ? mark.x - 8 : mark.x + 8))" \
                y="\(px(y + 4))">\(mark.text)</text>
                """ : .none
            let title: HTML = "<title>\(mark.text) at \(TimeScale.words(mark.at - self.start))</title>"
            // What is wrong has a shape of its own.
            let isWrong = mark.mood == .warn || mark.mood == .bad
            let shape: HTML =
                isWrong
                ? """
                <path class="mark \(mark.mood.rawValue)" d="M\(px(mark.x)) \(px(y - 6))l6 6-6 6-6-6z">\(title)</path>
                """
                : """
                <circle class="mark \(mark.mood.rawValue)" cx="\(px(mark.x))" cy="\(px(y))" r="4.5">\(title)</circle>
                """
            return "\(shape)\(label)"
        }
        return .all([self.name("events", .events)] + drawn)
    }

    /// The kind and the name of what is worth a mark.
    private static func mark(_ event: AdEvent) -> (mood: Mood, text: String)? {
        switch event {
        case .view: (.good, "view")
        case .click: (.good, "click")
        case .linkOpened: (.plain, "link")
        case .rewarded: (.good, "reward")
        case .quartile(0, _): (.plain, "start")
        case .quartile(100, _): (.plain, "end of video")
        case .quartile(let percent, _): (.plain, "\(percent) %")
        case .skipAvailable: (.plain, "skippable")
        case .skipped: (.plain, "skipped")
        case .closeAvailable: (.plain, "closable")
        case .tap(let tap):
            switch tap.outcome {
            case .nothing: (.warn, "tap: nothing")
            case .creative: (.plain, "tap")
            case .click, .link: nil
            }
        case .diagnostic(.requestFailed): (.bad, "request failed")
        case .diagnostic(.scriptError): (.bad, "script error")
        case .diagnostic(.blank): (.bad, "blank")
        case .blocked(let attempt): (.bad, "blocked \(attempt.kind.rawValue)")
        case .issue: (.warn, "issue")
        case .expired: (.bad, "expired")
        case .loadFailed: (.bad, "load failed")
        case .showFailed: (.bad, "show failed")
        case .closed(let closing): (.plain, "closed: \(closing.reason.rawValue)")
        case .loadStarted, .loaded, .shown, .beaconRecorded, .beaconDelivered, .beaconUnconfirmed, .beaconDead: nil
        }
    }

    /// Beacons of one kind on their line.
    private func draw(_ beacons: [BeaconStory], at y: Double) -> HTML {
        guard let first = beacons.first else { return .none }
        let worst = beacons.first { $0.fate.mood == .bad } ?? beacons.first { $0.fate.mood != .good }
        let sign = worst.map { $0.fate.mood.sign + " " } ?? ""
        let times = beacons.count > 1 ? " × \(beacons.count)" : ""
        let drawn = beacons.map { beacon -> HTML in
            let from = self.x(beacon.recorded)
            let to = self.x(beacon.settled ?? self.story.span?.end ?? beacon.recorded)
            return """
                <rect class="beacon \(beacon.fate.mood.rawValue)" x="\(px(from))" y="\(px(y))" \
                width="\(px(max(3, to - from)))" height="9" rx="2"><title>\(beacon.event): \(beacon.fate.words)</title></rect>
                """
        }
        return """
            <text class="row small" x="\(px(self.layout.left - 10))" y="\(px(y + 8))">\
            \(sign)\(String(first.event.prefix(self.layout.longestName)))\(times)</text>\(HTML.all(drawn))
            """
    }
}

extension BeaconStory.Fate {
    var words: String {
        switch self {
        case .delivered(let attempts): attempts == 1 ? "delivered" : "delivered at attempt \(attempts)"
        case .unconfirmed(let reason): "unconfirmed: \(reason)"
        case .dead(let reason): "dead: \(reason)"
        case .pending: "not delivered yet"
        }
    }
}

/// A length of time laid out from left to right.
struct TimeScale {
    private let length: Double
    private let from: Double
    private let to: Double
    private let mostTicks: Int

    init(length: Duration, from: Double, to: Double, mostTicks: Int = 8) {
        self.mostTicks = mostTicks
        self.length = max(0.001, length.inSeconds)
        self.from = from
        self.to = to
    }

    func x(_ time: Duration) -> Double {
        let share = min(max(0, time.inSeconds / self.length), 1)
        return self.from + share * (self.to - self.from)
    }

    /// Round times, at most one more than the scale has room for.
    var ticks: [Duration] {
        let steps = [
            0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800,
        ]
        let step =
            steps.first { self.length / $0 <= Double(self.mostTicks) }
            ?? max(3600, (self.length / Double(self.mostTicks)).rounded(.up))
        let count = Int((self.length / step).rounded(.down))
        return (0...max(0, min(count, self.mostTicks + 1))).map {
            .milliseconds(Int64((Double($0) * step * 1000).rounded()))
        }
    }

    /// A time as people read it.
    static func words(_ time: Duration) -> String {
        let milliseconds = time.wholeMilliseconds
        if milliseconds < 1000 { return "\(milliseconds) ms" }
        let hundredths = (Double(milliseconds) / 10).rounded() / 100
        return "\(AdJSON.double(hundredths).text()) s"
    }
}

/// A length in a drawing, to a tenth.
func px(_ length: Double) -> String {
    guard length.isFinite else { return "0" }
    let tenths = Int((min(max(length, -100_000), 100_000) * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
}
