import AdCore

/// Finds the columns of texts of which only the lines are known.
///
/// Texts are asked for in the order of the markup; each search goes on behind the last one on the same line, so that all
/// of them take one pass over a line.
struct MarkupSearch {
    private let bytes: [UInt8]
    private let starts: [Int]
    private var line = 0
    private var offset = 0
    private var places = LintPlaces()

    init(_ markup: String) {
        let bytes = Array(markup.utf8)
        self.bytes = bytes
        self.starts = [0] + bytes.indices.filter { bytes[$0] == 0x0A }.map { $0 + 1 }
    }

    /// Where a text begins on a line; the line alone where it is written in another way there.
    mutating func place(line: Int, of text: String) -> LintPlace {
        guard self.starts.indices.contains(line - 1) else { return LintPlace(line: line) }
        if self.line != line {
            self.line = line
            self.offset = self.starts[line - 1]
            self.places = LintPlaces(from: LintPlace(line: line, column: 1), at: self.offset)
        }
        let end = self.starts.indices.contains(line) ? self.starts[line] : self.bytes.count
        let wanted = Array(text.utf8.prefix(200))
        guard let first = wanted.first else { return LintPlace(line: line) }
        var at = self.offset
        while at < end, let hit = self.bytes[at..<end].firstIndex(of: first) {
            if self.bytes[hit..<end].starts(with: wanted) {
                self.offset = hit
                return self.places.place(at: hit, in: self.bytes)
            }
            at = hit + 1
        }
        return LintPlace(line: line)
    }
}
