/// A Markdown table; empty columns are left out.
struct Table {
    private let columns: [String]
    private var rows: [[String]] = []

    init(_ columns: [String]) { self.columns = columns }

    mutating func add(_ row: [String?]) { self.rows.append(row.map { $0 ?? "" }) }

    /// The lines of the table, each with a line break.
    var text: String {
        let used = self.columns.indices.filter { column in self.rows.contains { !$0[column].isEmpty } }
        func line(_ cells: [String]) -> String { "| " + used.map { cells[$0] }.joined(separator: " | ") + " |\n" }
        let rule = "|" + String(repeating: "---|", count: used.count) + "\n"
        return line(self.columns) + rule + self.rows.map(line).joined()
    }
}
