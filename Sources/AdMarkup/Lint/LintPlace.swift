/// Where something stands in an input.
struct LintPlace: Hashable, Comparable {
    /// The line, counted from 1.
    let line: Int
    /// The column, counted from 1 in Unicode scalars; nil where only the line is known.
    let column: Int?

    init(line: Int, column: Int? = nil) {
        self.line = max(1, line)
        self.column = column.map { max(1, $0) }
    }

    static func < (left: LintPlace, right: LintPlace) -> Bool {
        (left.line, left.column ?? 0) < (right.line, right.column ?? 0)
    }

    /// The place in the outer input of a place in a text that begins here.
    func inside(_ inner: LintPlace) -> LintPlace {
        guard inner.line == 1 else { return LintPlace(line: self.line + inner.line - 1, column: inner.column) }
        let column = self.column.flatMap { start in inner.column.map { start + $0 - 1 } }
        return LintPlace(line: self.line, column: column)
    }
}

/// Finds lines and columns of offsets in some UTF-8 bytes.
///
/// It only goes forward, so that all places take one pass.
struct LintPlaces {
    private var offset: Int
    private var line: Int
    private var column: Int

    /// `start` is the place of the first byte.
    init(from start: LintPlace = LintPlace(line: 1, column: 1), at offset: Int = 0) {
        self.offset = offset
        self.line = start.line
        self.column = start.column ?? 1
    }

    /// The place of a byte; of one that lies behind, the place reached.
    mutating func place(at target: Int, in bytes: UnsafeBufferPointer<UInt8>) -> LintPlace {
        let target = min(target, bytes.count)
        while self.offset < target {
            let byte = bytes[self.offset]
            if byte == 0x0A {
                self.line += 1
                self.column = 1
            } else if byte & 0xC0 != 0x80 {
                self.column += 1
            }
            self.offset += 1
        }
        return LintPlace(line: self.line, column: self.column)
    }

    /// The same in an array.
    mutating func place(at target: Int, in bytes: [UInt8]) -> LintPlace {
        bytes.withUnsafeBufferPointer { self.place(at: target, in: $0) }
    }
}
