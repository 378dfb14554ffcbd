import AdMarkup

/// A place in an input: a line, and a column if it is known.
package struct SourcePlace: Hashable, Comparable {
    /// The line, counted from 1.
    package let line: Int
    /// The column, counted from 1 in Unicode scalars; nil if only the line is known.
    package let column: Int?

    package init(line: Int, column: Int? = nil) {
        self.line = max(1, line)
        self.column = column.map { max(1, $0) }
    }

    package static func < (left: SourcePlace, right: SourcePlace) -> Bool {
        (left.line, left.column ?? 0) < (right.line, right.column ?? 0)
    }

    /// Maps a place of a text that begins here to the input around it.
    package func inside(_ inner: SourcePlace) -> SourcePlace {
        guard inner.line == 1 else { return SourcePlace(line: self.line + inner.line - 1, column: inner.column) }
        let column = self.column.flatMap { start in inner.column.map { start + $0 - 1 } }
        return SourcePlace(line: self.line, column: column)
    }
}

/// Finds the lines and columns of offsets in UTF-8 bytes.
///
/// It only moves forward, so all places together take one pass.
package struct SourcePlaces {
    private var offset: Int
    private var line: Int
    private var column: Int

    /// Creates a finder; `start` is the place of the byte at `offset`.
    package init(from start: SourcePlace = SourcePlace(line: 1, column: 1), at offset: Int = 0) {
        self.offset = offset
        self.line = start.line
        self.column = start.column ?? 1
    }

    /// The place of the byte at an offset; for an earlier offset the current place.
    package mutating func place(at target: Int, in bytes: UnsafeBufferPointer<UInt8>) -> SourcePlace {
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
        return SourcePlace(line: self.line, column: self.column)
    }

    /// The place of the byte at an offset of an array.
    package mutating func place(at target: Int, in bytes: [UInt8]) -> SourcePlace {
        bytes.withUnsafeBufferPointer { self.place(at: target, in: $0) }
    }
}
