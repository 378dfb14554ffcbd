/// Cuts what a browser says into messages: each ends with a zero byte.
struct DevToolsSplitter {
    /// The longest message that is taken: a picture of a large screen has a few million bytes.
    static let longest = 64 << 20

    private var rest: [UInt8] = []

    /// Gives each whole message to a closure; false where one is longer than any may be, which ends the conversation.
    mutating func take(_ bytes: UnsafeRawBufferPointer, _ each: ([UInt8]) -> Void) -> Bool {
        var left = bytes[...]
        while let end = left.firstIndex(of: 0) {
            self.rest += left[..<end]
            left = left[(end + 1)...]
            guard self.rest.count <= DevToolsSplitter.longest else { return false }
            if !self.rest.isEmpty { each(self.rest) }
            self.rest.removeAll(keepingCapacity: self.rest.count < 1 << 20)
        }
        self.rest += left
        return self.rest.count <= DevToolsSplitter.longest
    }
}
