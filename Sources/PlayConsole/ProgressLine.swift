/// The text of a progress line.
package struct ProgressLine: Equatable, Sendable {
    /// The plural of what is counted, for example `ads`, or an activity.
    let what: String
    /// The total; nil if it is unknown, or nothing is counted.
    let total: Int?
    private(set) var count = 0
    /// The name of the current item.
    private(set) var current: String?

    package init(_ what: String, of total: Int? = nil) {
        self.what = what
        self.total = total
    }

    /// Counts one more item.
    mutating func step(_ name: String? = nil) {
        self.count += 1
        self.current = name.map { Style.printable($0, upTo: 80) }
    }

    /// The text of the line, which the console cuts to the width of the terminal.
    func text(_ style: Style) -> String {
        guard let total else { return style.dim("\(self.what) …") }
        // The total may be an estimate.
        let counted = "\(self.count) of \(max(total, self.count)) \(self.what)"
        return counted + (self.current.map { "  " + style.dim($0) } ?? " …")
    }
}
