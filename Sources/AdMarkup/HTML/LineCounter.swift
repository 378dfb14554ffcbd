import LibC

/// Computes the lines of ascending offsets in one pass over the bytes.
package struct LineCounter {
    private var offset = 0
    private var line = 1

    package init() {}

    /// The line of an offset, counted from 1; for an offset before the last one, the current line.
    package mutating func line(at target: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard let base = bytes.baseAddress else { return self.line }
        let target = min(target, bytes.count)
        while self.offset < target,
            let hit = memchr(base + self.offset, 0x0A, target - self.offset)
        {
            self.offset = UnsafeRawPointer(hit) - UnsafeRawPointer(base) + 1
            self.line += 1
        }
        self.offset = max(self.offset, target)
        return self.line
    }

    /// The line of an offset in an array.
    package mutating func line(at target: Int, in bytes: [UInt8]) -> Int {
        bytes.withUnsafeBufferPointer { self.line(at: target, in: $0) }
    }
}
