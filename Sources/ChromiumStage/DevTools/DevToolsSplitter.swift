import LibC

/// Splits the bytes from a browser into messages, which end with a zero byte.
///
/// A message that is too long is dropped, because a page can cause messages of any size.
struct DevToolsSplitter {
    private let byteLimit: Int
    private var rest: [UInt8] = []
    private var isTooLong = false

    /// - Parameter byteLimit: The maximum size of a message, in bytes; a screenshot has a few million.
    init(byteLimit: Int = 64 << 20) { self.byteLimit = byteLimit }

    /// Appends bytes, and calls a closure with each complete message.
    mutating func append(_ bytes: UnsafeRawBufferPointer, _ each: ([UInt8]) -> Void) {
        guard let base = bytes.baseAddress else { return }
        var start = 0
        while start < bytes.count {
            let found = memchr(base + start, 0, bytes.count - start)
            let end = found.map { base.distance(to: UnsafeRawPointer($0)) } ?? bytes.count
            if self.rest.count + end - start > self.byteLimit { self.isTooLong = true }
            if self.isTooLong {
                self.rest = []
            } else {
                self.rest.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            }
            start = end + 1
            guard found != nil else { return }
            if !self.rest.isEmpty { each(self.rest) }
            self.isTooLong = false
            self.rest.removeAll(keepingCapacity: self.rest.count < 1 << 20)
        }
    }
}
