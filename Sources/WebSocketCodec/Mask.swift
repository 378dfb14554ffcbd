/// The masking key of a client's frame (RFC 6455 §5.3).
///
/// Masking hides nothing; it keeps a proxy from mistaking the payload for a request (§10.3).
struct Mask: Hashable, Sendable {
    /// The four bytes of the key, the first one most significant.
    let bits: UInt32

    init(_ bits: UInt32) { self.bits = bits }

    /// The bytes in the order of the frame.
    var bytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: self.bits >> (24 - 8 * $0)) } }

    /// Masks or unmasks bytes in place.
    ///
    /// - Parameters:
    ///   - bytes: A part of the payload.
    ///   - offset: The offset of this part in the payload.
    func apply(to bytes: UnsafeMutableRawBufferPointer, after offset: Int) {
        let rotated = Self.rotated(self.bits, by: offset)
        // Eight bytes at a time, in the byte order of the machine.
        let word = UInt64(rotated) << 32 | UInt64(rotated)
        let pattern = word.bigEndian
        var index = 0
        while index + 8 <= bytes.count {
            let value = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            bytes.storeBytes(of: value ^ pattern, toByteOffset: index, as: UInt64.self)
            index += 8
        }
        while index < bytes.count {
            bytes[index] ^= UInt8(truncatingIfNeeded: rotated >> (24 - 8 * UInt32(index & 3)))
            index += 1
        }
    }

    /// The key rotated to an offset in the payload.
    private static func rotated(_ bits: UInt32, by offset: Int) -> UInt32 {
        let shift = UInt32(8 * (offset & 3))
        return shift == 0 ? bits : bits << shift | bits >> (32 - shift)
    }
}
