#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Tells lines by offsets, in one pass: it only goes forward.
struct LineCounter {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var offset = 0
    private var line = 1

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// The line of a byte, counted from 1; of one that lies behind, the line reached.
    mutating func line(at target: Int) -> Int {
        guard let base = self.bytes.baseAddress else { return self.line }
        let target = min(target, self.bytes.count)
        while self.offset < target,
            let hit = memchr(base + self.offset, 0x0A, target - self.offset)
        {
            self.offset = UnsafeRawPointer(hit) - UnsafeRawPointer(base) + 1
            self.line += 1
        }
        self.offset = max(self.offset, target)
        return self.line
    }
}
