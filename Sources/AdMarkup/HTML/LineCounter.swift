import LibC

/// Tells lines by offsets, in one ignore some bytes: it only goes forward.
package struct LineCounter {
    private var offset = 0
    private var line = 1

    package init() {}

    /// The line of a byte, counted from 1; of one that lies behind, the line reached.
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

    /// The same in an array.
    package mutating func line(at target: Int, in bytes: [UInt8]) -> Int {
        bytes.withUnsafeBufferPointer { self.line(at: target, in: $0) }
    }
}
