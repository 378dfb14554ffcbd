/// What stands below everything else while long work goes on: how much of it is done, and what is at hand.
package struct ProgressLine: Equatable, Sendable {
    /// What is counted, as in `ads`.
    let what: String
    /// How many there are; nil where that is unknown, or nothing is counted.
    let total: Int?
    private(set) var count = 0
    /// What is at hand.
    private(set) var current: String?

    package init(_ what: String, of total: Int? = nil) {
        self.what = what
        self.total = total
    }

    /// One more, and what it is called.
    mutating func step(_ name: String? = nil) {
        self.count += 1
        self.current = name.map { Style.printable($0, upTo: 80) }
    }

    /// The line, which the console cuts to its columns.
    func text(_ style: Style) -> String {
        guard let total else { return style.dim("\(self.what) …") }
        // What was counted on may turn out to be more.
        let counted = "\(self.count) of \(max(total, self.count)) \(self.what)"
        return counted + (self.current.map { "  " + style.dim($0) } ?? " …")
    }
}
