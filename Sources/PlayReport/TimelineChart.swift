import AdCore
import AdRuntime
import PlayText

/// The timeline of an ad as SVG: its states, its visibility, its events and its beacons.
struct TimelineChart {
    private let ad: ReportedAd
    private let start: Moment
    private let scale: TimeScale
    private let layout: Layout

    /// The measures of the chart, in units of its view box.
    private struct Layout {
        let width: Double
        /// Where the names of the rows end and the time axis starts.
        let left: Double
        let maxTicks: Int
        /// The lines that events are distributed over.
        let maxLines: Int
        /// How many characters of a beacon's name are shown.
        let maxNameLength: Int

        static let wide = Layout(width: 1000, left: 150, maxTicks: 8, maxLines: 4, maxNameLength: 24)
        /// For a phone that is 390 points wide, within the page's margins.
        static let narrow = Layout(width: 330, left: 92, maxTicks: 3, maxLines: 8, maxNameLength: 13)
    }

    /// The rows from top to bottom.
    private enum Row: Int, CaseIterable {
        case state, visibility, close, events

        var middle: Double { [18, 58, 92, 120][self.rawValue] }
    }

    private static let beaconHeight = 15.0
    /// How many beacons are drawn, on how many lines; the table has all of them.
    private static let maxBeacons = 60
    private static let maxBeaconLines = 24

    init?(_ ad: ReportedAd) { self.init(ad, .wide) }

    private init?(_ ad: ReportedAd, _ layout: Layout) {
        guard let span = ad.span else { return nil }
        self.ad = ad
        self.start = span.start
        self.layout = layout
        self.scale = TimeScale(
            length: span.end - span.start,
            from: layout.left,
            to: layout.width - 14,
            maxTicks: layout.maxTicks
        )
    }

    private func x(_ moment: Moment) -> Double { self.scale.x(moment - self.start) }

    /// The chart for a wide page and for a phone; the style displays one of them.
    var html: HTML {
        let all = self.ad.beacons.count
        let more = all - self.beaconGroups.reduce(0) { $0 + $1.count }
        return """
            <figure class="timeline">\(self.svg)\(TimelineChart(self.ad, .narrow)?.svg ?? .none)\
            \(more > 0 ? "<figcaption>\(more) more beacons are in the table below.</figcaption>" : .none)</figure>
            """
    }

    private var svg: HTML {
        let groups = self.beaconGroups
        let marks = self.marks
        let lines = (marks.map(\.line).max() ?? 0) + 1
        let top = Row.events.middle + Double(lines) * TimelineChart.lineHeight
        let height = top + Double(groups.count) * TimelineChart.beaconHeight + (groups.isEmpty ? 4 : 10)
        // Only one of the two charts has a text alternative.
        let isWide = self.layout.width == Layout.wide.width
        let label: HTML =
            isWide
            ? "class=\"wide-time\" role=\"img\" aria-label=\"\(self.textAlternative)\""
            : "class=\"narrow-time\" aria-hidden=\"true\""
        return """
            <svg viewBox="0 0 \(px(self.layout.width)) \(px(height + 24))" \(label)>
            \(self.axis(to: height))
            \(self.stateBars)
            \(self.visibility)
            \(self.closeAvailability)
            \(self.draw(marks))
            \(HTML.all(groups.enumerated().map { self.draw($1, at: top + Double($0) * TimelineChart.beaconHeight) }))
            </svg>
            """
    }

    /// The chart as text for screen readers; the table of events has all events.
    private var textAlternative: String {
        func at(_ moment: Moment) -> String { TimeScale.text(moment - self.start) }
        var parts = ["Timeline"]
        if let loaded = self.ad.time("loaded") { parts.append("loaded at \(at(loaded))") }
        if let shown = self.ad.time("shown") {
            let end = self.ad.time("closed").map { " to \(at($0))" } ?? ""
            parts.append("on screen from \(at(shown))\(end)")
        }
        for record in self.ad.records.prefix(1_000) where parts.count < 24 {
            if let mark = EventPresentation.of(record).mark { parts.append("\(mark.label) at \(at(record.at))") }
        }
        return parts.joined(separator: "; ")
    }

    /// The beacons that are drawn, by their event.
    private var beaconGroups: [[BeaconHistory]] {
        var groups: [[BeaconHistory]] = []
        var indices: [String: Int] = [:]
        for beacon in self.ad.beacons.prefix(TimelineChart.maxBeacons) {
            if let index = indices[beacon.event] {
                groups[index].append(beacon)
            } else {
                indices[beacon.event] = groups.count
                groups.append([beacon])
            }
        }
        return Array(groups.prefix(TimelineChart.maxBeaconLines))
    }

    private func axis(to height: Double) -> HTML {
        HTML.all(
            self.scale.ticks.map { tick in
                let x = px(self.scale.x(tick))
                return """
                    <line class="grid" x1="\(x)" x2="\(x)" y1="4" y2="\(px(height))"/>\
                    <text class="tick" x="\(x)" y="\(px(height + 15))">\(TimeScale.text(tick))</text>
                    """
            }
        )
    }

    private func name(_ text: String, _ row: Row) -> HTML {
        "<text class=\"row\" x=\"\(px(self.layout.left - 10))\" y=\"\(px(row.middle + 4))\">\(text)</text>"
    }

    /// The bars of loading, loaded and on screen.
    private var stateBars: HTML {
        let end = self.ad.span?.end ?? self.start
        let loaded = self.ad.time("loaded")
        let shown = self.ad.time("shown")
        let closed = self.ad.time("closed")
        var parts = [self.name("state", .state)]
        func bar(_ kind: String, _ from: Moment, _ to: Moment, _ text: String) {
            let (x, width) = (self.x(from), max(1.5, self.x(to) - self.x(from)))
            let label: HTML =
                width < Double(text.count) * 7 + 8
                ? .none
                : "<text class=\"in\" x=\"\(px(x + width / 2))\" y=\"\(px(Row.state.middle + 4))\">\(text)</text>"
            parts.append(
                """
                <rect class="\(kind)" x="\(px(x))" y="\(px(Row.state.middle - 10))" width="\(px(width))" height="20" \
                rx="3"><title>\(text): \(TimeScale.text(to - from))</title></rect>\(label)
                """
            )
        }
        bar("loading", self.start, loaded ?? shown ?? end, "loading")
        if let loaded { bar("waiting", loaded, shown ?? closed ?? end, "loaded") }
        if let shown { bar("showing", shown, closed ?? end, "on screen") }
        return .all(parts)
    }

    /// The visible share of the ad as an area.
    private var visibility: HTML {
        let (base, height) = (Row.visibility.middle + 14, 28.0)
        guard let shown = self.ad.time("shown"), !self.ad.scene.visibilityChanges.isEmpty else { return .none }
        let end = self.ad.time("closed") ?? self.ad.span?.end ?? shown
        var points = ["\(px(self.x(shown))),\(px(base))"]
        var last = 0.0
        for change in self.ad.scene.visibilityChanges where change.at <= end {
            let x = px(self.x(max(change.at, shown)))
            points.append("\(x),\(px(base - last * height))")
            points.append("\(x),\(px(base - change.ratio * height))")
            last = change.ratio
        }
        points.append("\(px(self.x(end))),\(px(base - last * height))")
        points.append("\(px(self.x(end))),\(px(base))")
        return """
            \(self.name("in view", .visibility))\
            <polygon class="visibility" points="\(points.joined(separator: " "))"><title>visible share of the ad</title>\
            </polygon>
            """
    }

    /// A thin line while the close button is not available, and a thick one after that.
    private var closeAvailability: HTML {
        guard let shown = self.ad.time("shown") else { return .none }
        let end = self.ad.time("closed") ?? self.ad.span?.end ?? shown
        let available = self.ad.time("closeAvailable")
        func bar(_ kind: String, _ height: Double, _ from: Moment, _ to: Moment, _ text: String) -> HTML {
            """
            <rect class="\(kind)" x="\(px(self.x(from)))" y="\(px(Row.close.middle - height / 2))" \
            width="\(px(max(1.5, self.x(to) - self.x(from))))" height="\(px(height))" rx="2"><title>\(text)</title></rect>
            """
        }
        var parts = [self.name("close", .close)]
        parts.append(bar("unavailable", 2, shown, available ?? end, "close button not available yet"))
        if let available { parts.append(bar("available", 8, available, end, "close button available")) }
        return .all(parts)
    }

    /// An event on the chart.
    private struct Mark {
        let rating: Rating
        let text: String
        let at: Moment
        let x: Double
        /// The index of its line.
        let line: Int
        /// Whether there is room for its label.
        let isLabeled: Bool
    }

    private static let lineHeight = 20.0

    /// The events, each on the first line that has room for its label.
    private var marks: [Mark] {
        var ends = [Double](repeating: -1, count: self.layout.maxLines)
        return self.ad.records.compactMap { record in
            guard let mark = EventPresentation.of(record).mark else { return nil }
            let x = self.x(record.at)
            let length = Double(mark.label.count) * 6.6 + 16
            let isLate = x + length > self.layout.width
            let start = isLate ? x - length : x - 6
            let free = ends.firstIndex { $0 < start }
            if let free { ends[free] = isLate ? x + 8 : x + length }
            return Mark(
                rating: mark.rating,
                text: mark.label,
                at: record.at,
                x: x,
                line: free ?? 0,
                isLabeled: free != nil
            )
        }
    }

    private func draw(_ marks: [Mark]) -> HTML {
        let drawn = marks.map { mark -> HTML in
            let y = Row.events.middle + Double(mark.line) * TimelineChart.lineHeight
            let isLate = mark.x + Double(mark.text.count) * 6.6 + 16 > self.layout.width
            let label: HTML =
                mark.isLabeled
                ? """
                <text class="\(isLate ? "label late" : "label")" x="\(px(isLate ? mark.x - 8 : mark.x + 8))" \
                y="\(px(y + 4))">\(mark.text)</text>
                """ : .none
            let title: HTML = "<title>\(mark.text) at \(TimeScale.text(mark.at - self.start))</title>"
            // Warnings and errors differ by their shape as well as by their color.
            let isWrong = mark.rating == .warn || mark.rating == .bad
            let shape: HTML =
                isWrong
                ? """
                <path class="mark \(mark.rating.rawValue)" d="M\(px(mark.x)) \(px(y - 6))l6 6-6 6-6-6z">\(title)</path>
                """
                : """
                <circle class="mark \(mark.rating.rawValue)" cx="\(px(mark.x))" cy="\(px(y))" r="4.5">\(title)</circle>
                """
            return "\(shape)\(label)"
        }
        return .all([self.name("events", .events)] + drawn)
    }

    /// The beacons of one event on their line.
    private func draw(_ beacons: [BeaconHistory], at y: Double) -> HTML {
        guard let first = beacons.first else { return .none }
        let worst = beacons.first { $0.outcome.rating == .bad } ?? beacons.first { $0.outcome.rating != .good }
        let sign = worst.map { $0.outcome.rating.sign + " " } ?? ""
        let times = beacons.count > 1 ? " × \(beacons.count)" : ""
        let drawn = beacons.map { beacon -> HTML in
            let recorded = beacon.record?.at ?? self.start
            let from = self.x(recorded)
            let to = self.x(beacon.settled ?? self.ad.span?.end ?? recorded)
            return """
                <rect class="beacon \(beacon.outcome.rating.rawValue)" x="\(px(from))" y="\(px(y))" \
                width="\(px(max(3, to - from)))" height="9" rx="2"><title>\(beacon.event): \(beacon.outcome.text)</title></rect>
                """
        }
        return """
            <text class="row small" x="\(px(self.layout.left - 10))" y="\(px(y + 8))">\
            \(sign)\(String(first.event.prefix(self.layout.maxNameLength)))\(times)</text>\(HTML.all(drawn))
            """
    }
}

/// Maps times to positions on an axis.
struct TimeScale {
    private let length: Double
    private let from: Double
    private let to: Double
    private let maxTicks: Int

    init(length: Duration, from: Double, to: Double, maxTicks: Int = 8) {
        self.maxTicks = maxTicks
        self.length = max(0.001, length.inSeconds)
        self.from = from
        self.to = to
    }

    func x(_ time: Duration) -> Double {
        let share = min(max(0, time.inSeconds / self.length), 1)
        return self.from + share * (self.to - self.from)
    }

    /// Round times for the labels of the axis.
    var ticks: [Duration] {
        let steps = [
            0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800,
        ]
        let step =
            steps.first { self.length / $0 <= Double(self.maxTicks) }
            ?? max(3600, (self.length / Double(self.maxTicks)).rounded(.up))
        let count = Int((self.length / step).rounded(.down))
        return (0...max(0, min(count, self.maxTicks + 1))).map {
            .milliseconds(Int64((Double($0) * step * 1000).rounded()))
        }
    }

    /// A time such as `20 ms` or `1.25 s`.
    static func text(_ time: Duration) -> String {
        let milliseconds = time.wholeMilliseconds
        if milliseconds < 1000 { return "\(milliseconds) ms" }
        let hundredths = (Double(milliseconds) / 10).rounded() / 100
        return "\(AdJSON.double(hundredths).text()) s"
    }
}

/// A length in SVG, with one decimal.
func px(_ length: Double) -> String {
    guard length.isFinite else { return "0" }
    let tenths = Int((min(max(length, -100_000), 100_000) * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
}
