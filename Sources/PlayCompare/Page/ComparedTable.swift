import PlayReport
import PlayText

/// Tables with a column for each of two runs.
struct ComparedTable {
    /// How many rows a table has at most.
    private static let maxRows = 500

    private let a: String
    private let b: String
    private let layout = ReportTable.Layout(headingLevel: 3, isCollapsed: false)

    init(_ a: String, _ b: String) {
        self.a = a
        self.b = b
    }

    /// What differs, by kind.
    func differences(_ differences: [RunDifference], _ title: String, anchor: String) -> HTML {
        let rows = differences.map { difference -> HTML in
            """
            <tr><td>\(ReportTable.badge(.warn, difference.kind.rawValue))</td>\(ReportTable.name(difference.text))\
            <td>\(Self.cell(difference.a))</td><td>\(Self.cell(difference.b))</td></tr>
            """
        }
        return self.table(title, anchor, ["", "what", self.a, self.b], rows)
    }

    /// What happened in both runs, whether it differs or not.
    func facts(_ facts: [ComparedFacts.Row], anchor: String) -> HTML {
        let rows = facts.map { fact -> HTML in
            "<tr>\(ReportTable.name(fact.name))<td>\(Self.cell(fact.a))</td><td>\(Self.cell(fact.b))</td></tr>"
        }
        return self.table("Both runs", anchor, ["", self.a, self.b], rows)
    }

    /// The trackers and their outcomes.
    func trackers(_ pair: ComparedPair, anchor: String) -> HTML {
        guard let a = pair.a.verdicts, let b = pair.b.verdicts else { return .none }
        let rows = SideBySide.groups(a, b) { [$0.of] }.map { group -> HTML in
            let sides = [group.a, group.b].map { Times.list($0.map { TrackerComparison(pair).text($0) }) }
            return """
                <tr>\(ReportTable.name(group.key[0]))<td>\(Self.cell(sides[0]))</td><td>\(Self.cell(sides[1]))</td></tr>
                """
        }
        return rows.isEmpty ? .none : self.table("Trackers", anchor, ["event", self.a, self.b], rows)
    }

    /// The events of both runs in order.
    func events(_ events: [EventColumns.Row], anchor: String) -> HTML {
        let rows = events.map { row -> HTML in
            let marker: HTML = row.isSame ? .none : " class=\"differs\""
            return "<tr\(marker)>\(Self.event(row.a))\(Self.event(row.b))</tr>"
        }
        return rows.isEmpty ? .none : self.table("Events", anchor, ["time", self.a, "time", self.b], rows)
    }

    private static func event(_ event: EventColumns.Entry?) -> HTML {
        guard let event else { return "<td></td><td>–</td>" }
        return "<td class=\"num\">\(event.time)</td><td class=\"data\">\(event.text)</td>"
    }

    private static func cell(_ text: String?) -> String { text ?? "–" }

    private func table(_ title: String, _ anchor: String, _ columns: [String], _ rows: [HTML]) -> HTML {
        let more = rows.count - Self.maxRows
        let rest: HTML = more > 0 ? "<p>and \(more) more</p>" : .none
        return ReportTable.section(
            self.layout,
            title,
            anchor: anchor,
            columns,
            Array(rows.prefix(Self.maxRows)),
            rest
        )
    }
}
