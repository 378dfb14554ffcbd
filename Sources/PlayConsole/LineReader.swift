import LibC

/// Reads the lines of a file one by one, in bounded memory.
package final class LineReader {
    /// A line, or what is wrong with it.
    package enum Line {
        case text([UInt8])
        /// It is longer than the limit, and was left out.
        case tooLong
    }

    private let file: UnsafeMutablePointer<FILE>
    private let limit: Int
    /// The number of the last line, from 1.
    package private(set) var number = 0
    private var chunk = [UInt8](repeating: 0, count: 1 << 16)
    private var rest: ArraySlice<UInt8> = []
    /// Where the next line begins, in bytes from the start.
    package private(set) var offset = 0

    /// Opens a file, or the standard input for `-`; nil if it can't be opened, with `errno`.
    package init?(_ path: String, limit: Int = 8 << 20) {
        guard let file = fopen(path == "-" ? "/dev/stdin" : path, "r") else { return nil }
        self.file = file
        self.limit = limit
    }

    deinit { fclose(self.file) }

    /// Whether the rest of the file begins with these bytes.
    package func begins(with start: [UInt8]) -> Bool {
        self.fill()
        return self.rest.starts(with: start)
    }

    /// The first byte that is no white space, of what is read at once; nil for none.
    package var firstByte: UInt8? {
        self.fill()
        return self.rest.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }

    /// The rest of the file; nil if it is larger than a limit.
    package func all(upTo limit: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        repeat {
            self.fill()
            bytes += self.rest
            if bytes.count > limit { return nil }
            self.rest = []
            self.fill()
        } while !self.rest.isEmpty
        return bytes
    }

    /// Reads the next piece, if none is waiting.
    private func fill() {
        guard self.rest.isEmpty else { return }
        let count = fread(&self.chunk, 1, self.chunk.count, self.file)
        self.rest = self.chunk[..<max(0, count)]
    }

    /// Moves to a byte, where a line begins.
    package func seek(to offset: Int) {
        fseek(self.file, offset, SEEK_SET)
        self.rest = []
        self.offset = offset
    }

    /// The next line without its end; nil at the end of the file.
    package func next() -> Line? {
        var line: [UInt8] = []
        var (isTooLong, hasLine) = (false, false)
        while true {
            self.fill()
            if self.rest.isEmpty { break }
            hasLine = true
            let end = self.rest.firstIndex(of: 0x0A)
            let part = self.rest[..<(end ?? self.rest.endIndex)]
            if line.count + part.count > self.limit { isTooLong = true } else { line += part }
            self.offset += part.count + (end == nil ? 0 : 1)
            self.rest = end.map { self.rest[($0 + 1)...] } ?? []
            if end != nil { break }
        }
        guard hasLine else { return nil }
        self.number += 1
        if line.last == 0x0D { line.removeLast() }
        return isTooLong ? .tooLong : .text(line)
    }
}
