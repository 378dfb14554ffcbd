/// A queue of bytes to send, stored as the pieces that were appended.
struct ByteQueue: Sendable {
    private var pieces: [[UInt8]] = []
    /// The index of the first unsent piece, and how many of its bytes are removed.
    private var first = 0
    private var consumed = 0
    /// The number of queued bytes.
    private(set) var count = 0

    /// Appends a piece.
    mutating func append(_ piece: [UInt8]) {
        guard !piece.isEmpty else { return }
        self.pieces.append(piece)
        self.count += piece.count
    }

    /// Moves as many bytes as fit into a buffer, and returns their number.
    mutating func move(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var moved = 0
        while moved < buffer.count, self.first < self.pieces.count {
            let piece = self.pieces[self.first]
            let count = min(buffer.count - moved, piece.count - self.consumed)
            piece.withUnsafeBytes { bytes in
                let next = UnsafeRawBufferPointer(rebasing: bytes[self.consumed..<self.consumed + count])
                UnsafeMutableRawBufferPointer(rebasing: buffer[moved...]).copyMemory(from: next)
            }
            moved += count
            self.consumed += count
            if self.consumed == piece.count { self.removeFirstPiece() }
        }
        self.count -= moved
        return moved
    }

    /// Removes the first piece; the array is compacted when half of it is removed, so that the cost is amortized.
    private mutating func removeFirstPiece() {
        self.pieces[self.first] = []
        self.first += 1
        self.consumed = 0
        guard self.first * 2 >= self.pieces.count else { return }
        self.pieces.removeFirst(self.first)
        self.first = 0
    }
}
