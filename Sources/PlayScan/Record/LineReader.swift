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

    /// Opens a file, or the standard input for `-`; nil if it can't be opened, with `errno`.
    package init?(_ path: String, limit: Int = 8 << 20) {
        guard let file = fopen(path == "-" ? "/dev/stdin" : path, "r") else { return nil }
        self.file = file
        self.limit = limit
    }

    deinit { fclose(self.file) }

    /// The next line without its end; nil at the end of the file.
    package func next() -> Line? {
        var line: [UInt8] = []
        var (isTooLong, hasLine) = (false, false)
        while true {
            if self.rest.isEmpty {
                let count = fread(&self.chunk, 1, self.chunk.count, self.file)
                guard count > 0 else { break }
                self.rest = self.chunk[..<count]
            }
            hasLine = true
            let end = self.rest.firstIndex(of: 0x0A)
            let part = self.rest[..<(end ?? self.rest.endIndex)]
            if line.count + part.count > self.limit { isTooLong = true } else { line += part }
            self.rest = end.map { self.rest[($0 + 1)...] } ?? []
            if end != nil { break }
        }
        guard hasLine else { return nil }
        self.number += 1
        if line.last == 0x0D { line.removeLast() }
        return isTooLong ? .tooLong : .text(line)
    }
}
