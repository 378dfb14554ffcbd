/// Memory that is used again for every beacon: what is bound must stay where it is until the statement has run.
final class Scratch {
    private var bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 1)
    private var count = 0

    deinit { self.bytes.deallocate() }

    /// Begins anew; what was added before must not be looked at any more.
    func clear() { self.count = 0 }

    /// Makes room for so many bytes; only then do the ones that are added stay where they are.
    func reserve(_ capacity: Int) {
        guard capacity > self.bytes.count else { return }
        let larger = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(capacity, 2 * self.bytes.count),
            alignment: 1
        )
        self.bytes.deallocate()
        self.bytes = larger
        self.count = 0
    }

    /// Copies a text's bytes.
    func add(_ text: String) -> UnsafeRawBufferPointer { self.add(text.utf8, count: text.utf8.count) }

    private func add(_ source: String.UTF8View, count: Int) -> UnsafeRawBufferPointer {
        precondition(self.count + count <= self.bytes.count, "Room for a text was not reserved.")
        let place = UnsafeMutableRawBufferPointer(rebasing: self.bytes[self.count..<(self.count + count)])
        let isContiguous =
            source.withContiguousStorageIfAvailable { place.copyMemory(from: UnsafeRawBufferPointer($0)) } != nil
        if !isContiguous { place.copyBytes(from: source) }
        self.count += count
        return UnsafeRawBufferPointer(place)
    }
}
