/// Four bytes that a client's payload is mixed with: it hides nothing, but no proxy takes it for a request.
struct Mask: Hashable, Sendable {
    /// The four bytes, the first one in the highest place.
    let bits: UInt32

    init(_ bits: UInt32) { self.bits = bits }

    /// The bytes as they stand in a frame.
    var bytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: self.bits >> (24 - 8 * $0)) } }

    /// Mixes bytes with the mask, or takes it off again.
    ///
    /// - Parameters:
    ///   - bytes: What is mixed, in its place.
    ///   - offset: How many bytes of the same payload came before.
    func apply(to bytes: UnsafeMutableRawBufferPointer, after offset: Int) {
        let turned = Self.turned(self.bits, by: offset)
        // Eight bytes at a time, whatever the machine's order of bytes.
        let word = UInt64(turned) << 32 | UInt64(turned)
        let mixer = word.bigEndian
        var place = 0
        while place + 8 <= bytes.count {
            let value = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            bytes.storeBytes(of: value ^ mixer, toByteOffset: place, as: UInt64.self)
            place += 8
        }
        while place < bytes.count {
            bytes[place] ^= UInt8(truncatingIfNeeded: turned >> (24 - 8 * UInt32(place & 3)))
            place += 1
        }
    }

    /// The mask as it begins in the middle of a payload.
    private static func turned(_ bits: UInt32, by offset: Int) -> UInt32 {
        let shift = UInt32(8 * (offset & 3))
        return shift == 0 ? bits : bits << shift | bits >> (32 - shift)
    }
}
