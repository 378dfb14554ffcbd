/// A reusable buffer for bound texts: their bytes must stay in place until the statement has run.
final class BindBuffer {
    private var bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 1)
    private var count = 0

    deinit { self.bytes.deallocate() }

    /// Empties the buffer; addresses returned before are invalid.
    func clear() { self.count = 0 }

    /// Ensures a capacity, so that the texts added next are not moved.
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

    /// Copies a text's UTF-8 bytes into the buffer.
    func add(_ text: String) -> UnsafeRawBufferPointer { self.add(text.utf8, count: text.utf8.count) }

    private func add(_ source: String.UTF8View, count: Int) -> UnsafeRawBufferPointer {
        precondition(self.count + count <= self.bytes.count, "Capacity for a text was not reserved.")
        let place = UnsafeMutableRawBufferPointer(rebasing: self.bytes[self.count..<(self.count + count)])
        let isContiguous =
            source.withContiguousStorageIfAvailable { place.copyMemory(from: UnsafeRawBufferPointer($0)) } != nil
        if !isContiguous { place.copyBytes(from: source) }
        self.count += count
        return UnsafeRawBufferPointer(place)
    }
}
