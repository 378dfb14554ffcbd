/// A GIF of one pixel with several frames.
public enum AnimatedGIF {
    /// Makes a GIF.
    ///
    /// - Parameters:
    ///   - delays: How long each frame is shown, in hundredths of a second.
    ///   - repeats: How often it repeats after the first round, 0 without an end; nil for no statement.
    /// - Returns: The file.
    public static func bytes(_ delays: [Int], repeats: Int?) -> [UInt8] {
        func little(_ number: Int) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8 & 0xFF)] }
        var bytes = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0xFF, 0xFF, 0xFF, 0, 0, 0]
        if let repeats { bytes += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1] + little(repeats) + [0] }
        for delay in delays {
            bytes += [0x21, 0xF9, 4, 0] + little(delay) + [0, 0]
            bytes += [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 0x01, 0]
        }
        return bytes + [0x3B]
    }
}
