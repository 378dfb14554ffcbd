/// Bytes that wait to be sent, in the pieces in which they came.
struct ByteQueue: Sendable {
    private var pieces: [[UInt8]] = []
    /// The first piece that is still here, and how much of it is gone.
    private var first = 0
    private var gone = 0
    /// How many bytes wait.
    private(set) var count = 0

    /// Puts a piece behind the others.
    mutating func append(_ piece: [UInt8]) {
        guard !piece.isEmpty else { return }
        self.pieces.append(piece)
        self.count += piece.count
    }

    /// Moves the next bytes to where they are sent from, as many as have room, and says how many they are.
    mutating func move(into room: UnsafeMutableRawBufferPointer) -> Int {
        var moved = 0
        while moved < room.count, self.first < self.pieces.count {
            let piece = self.pieces[self.first]
            let count = min(room.count - moved, piece.count - self.gone)
            piece.withUnsafeBytes { bytes in
                let next = UnsafeRawBufferPointer(rebasing: bytes[self.gone..<self.gone + count])
                UnsafeMutableRawBufferPointer(rebasing: room[moved...]).copyMemory(from: next)
            }
            moved += count
            self.gone += count
            if self.gone == piece.count { self.drop() }
        }
        self.count -= moved
        return moved
    }

    /// Lets go of the first piece; the places of those that went are given back half of all at a time.
    private mutating func drop() {
        self.pieces[self.first] = []
        self.first += 1
        self.gone = 0
        guard self.first * 2 >= self.pieces.count else { return }
        self.pieces.removeFirst(self.first)
        self.first = 0
    }
}
