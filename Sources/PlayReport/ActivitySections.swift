import AdCore
import PlayConsole
import PlayText

/// The sections of an ad's report about what its creative did: its console, the messages of MRAID, and a film strip.
struct ActivitySections {
    private let ad: ReportedAd
    /// How many rows a table lists.
    private static let maxRows = 200

    init(_ ad: ReportedAd) { self.ad = ad }

    private var start: Moment { self.ad.span?.start ?? .origin }

    var hasConsole: Bool { !self.consoleLines.isEmpty }
    var hasBridge: Bool { !self.bridgeRecords.isEmpty }
    /// One picture alone is among the screenshots.
    var hasFilmStrip: Bool { self.ad.scene.strip.all.count > 1 }

    // MARK: Console

    /// A line of the console section.
    private struct ConsoleLine {
        let at: Moment
        let rating: Rating
        let kind: String
        let text: String
    }

    private var consoleLines: [ConsoleLine] {
        let messages = self.ad.activities.compactMap { record -> ConsoleLine? in
            guard record.row.name == "console" else { return nil }
            let member = { (name: String) in record.row.members.first { $0.name == name }?.value }
            let place = [member("url")?.string, member("line")?.number.map { "line \(Int($0))" }].compactMap(\.self)
            let text = (member("text")?.string ?? "") + (place.isEmpty ? "" : "  (\(place.joined(separator: ", ")))")
            return ConsoleLine(at: record.at, rating: record.rating, kind: member("level")?.string ?? "log", text: text)
        }
        let others = self.ad.activities.compactMap { record -> ConsoleLine? in
            switch record.row.name {
            case "longTask", "mediaStall":
                let time = record.row.members.first { $0.name == "ms" }?.value.number ?? 0
                let kind = record.row.name == "longTask" ? "long task" : "stall"
                return ConsoleLine(at: record.at, rating: .warn, kind: kind, text: "\(Int(time)) ms")
            case "captions":
                return ConsoleLine(at: record.at, rating: record.rating, kind: "captions", text: record.text.plain)
            default: return nil
            }
        }
        let errors = self.ad.records.compactMap { record -> ConsoleLine? in
            switch record.event {
            case .diagnostic(.scriptError(let error)):
                ConsoleLine(at: record.at, rating: .bad, kind: "script error", text: DiagnosticText.text(error))
            case .diagnostic(.requestFailed(let request)):
                ConsoleLine(at: record.at, rating: .bad, kind: "request failed", text: DiagnosticText.text(request))
            default: nil
            }
        }
        return (messages + others + errors).sorted { $0.at < $1.at }
    }

    /// Console messages, script errors, failed requests, long tasks and stalls, in the order of time.
    func console(_ layout: ReportTable.Layout, anchor: String) -> HTML {
        let lines = self.consoleLines
        guard !lines.isEmpty else { return .none }
        let rows = lines.prefix(ActivitySections.maxRows).map { line -> HTML in
            """
            <tr><td class="num">\(TimeScale.text(line.at - self.start))</td>\
            <td>\(ReportTable.badge(line.rating, line.kind))</td><td class="data last">\(line.text)</td></tr>
            """
        }
        let bad = lines.count { $0.rating == .bad }
        let about =
            bad == 0 ? Quantity.text(lines.count, "line") : "\(Quantity.text(bad, "error")) in \(lines.count) lines"
        return ReportTable.section(
            layout,
            "Console",
            about: about,
            anchor: anchor,
            ["time", "kind", "text"],
            rows,
            ActivitySections.more(lines.count - rows.count)
        )
    }

    // MARK: Messages

    private var bridgeRecords: [ActivityRecord] {
        self.ad.activities.filter { BridgeMessage.Name(rawValue: $0.row.name) != nil }
    }

    /// The calls of the creative with their replies, and the events that it got, of MRAID and of other protocols.
    func bridge(_ layout: ReportTable.Layout, anchor: String) -> HTML {
        let records = self.bridgeRecords
        guard !records.isEmpty else { return .none }
        let rows = records.prefix(ActivitySections.maxRows).map { record -> HTML in
            let member = { (name: String) in record.row.members.first { $0.name == name }?.value }
            let isCall = member("direction") == "in"
            let arguments = member("arguments").flatMap { $0 == [:] || $0 == [] ? nil : $0.text() } ?? ""
            return """
                <tr><td class="num">\(TimeScale.text(record.at - self.start))</td>\
                <td>\(record.row.name.uppercased())</td>\
                <td>\(isCall ? "creative → host" : "host → creative")</td>\
                \(ReportTable.name(member("type")?.string ?? ""))\
                <td>\(record.rating == .plain ? .none : ReportTable.badge(record.rating, "refused"))</td>\
                <td class="data last">\(arguments)</td></tr>
                """
        }
        let calls = records.count { record in record.row.members.contains { $0.name == "direction" && $0.value == "in" }
        }
        return ReportTable.section(
            layout,
            "Messages",
            about: "\(Quantity.text(calls, "call")), \(Quantity.text(records.count - calls, "event")) and replies",
            anchor: anchor,
            ["time", "protocol", "direction", "message", "", "arguments"],
            rows,
            ActivitySections.more(records.count - rows.count)
        )
    }

    // MARK: Film strip

    /// Small pictures of the ad over its whole time.
    func filmStrip(_ layout: ReportTable.Layout, anchor: String) -> HTML {
        let pictures = self.ad.scene.strip.all
        guard self.hasFilmStrip else { return .none }
        let start = self.start.sinceOrigin.wholeMilliseconds
        let items = pictures.map { picture -> HTML in
            let time = TimeScale.text(.milliseconds(picture.time - start))
            let data = HTML.trusting(Base64.text(picture.bytes))
            return """
                <li><figure><img alt="The screen after \(time)" src="data:image/jpeg;base64,\(data)">\
                <figcaption>\(time)</figcaption></figure></li>
                """
        }
        return ReportTable.section(
            layout,
            "Film strip",
            about: Quantity.text(pictures.count, "picture"),
            anchor: anchor,
            "<ol class=\"strip\" tabindex=\"0\" aria-label=\"Pictures over time\">\(HTML.all(items))</ol>"
        )
    }

    private static func more(_ count: Int) -> HTML {
        count > 0 ? "<p class=\"more\">and \(count) more; --json lists all</p>" : .none
    }
}
