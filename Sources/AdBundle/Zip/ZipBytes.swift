/// A zip file's bytes, and the little-endian numbers in them (APPNOTE.TXT 4.4.1).
///
/// Nothing is read outside the bytes, whatever a position in the file says.
struct ZipBytes {
    let bytes: [UInt8]

    var count: Int { self.bytes.count }

    /// A number of two, four or eight bytes; nil if it is not whole, or larger than an `Int`.
    func number(_ size: Int, at place: Int) -> Int? {
        guard let part = self.slice(at: place, size) else { return nil }
        var value: UInt64 = 0
        for byte in part.reversed() { value = value << 8 | UInt64(byte) }
        return Int(exactly: value)
    }

    /// So many bytes at a place; nil if they are not all there.
    func slice(at place: Int, _ size: Int) -> ArraySlice<UInt8>? {
        guard place >= 0, size >= 0, place <= self.count, size <= self.count - place else { return nil }
        return self.bytes[place..<place + size]
    }

    /// Whether one of the format's signatures is there: `PK` and two bytes.
    func hasSignature(_ third: UInt8, _ fourth: UInt8, at place: Int) -> Bool {
        self.slice(at: place, 4)?.elementsEqual([0x50, 0x4B, third, fourth]) ?? false
    }
}
