import AdCore

/// A small generated picture for a card: a sky, a sun and a hill in colors that depend on its name.
struct Picture: Hashable, Sendable {
    static let width = 96
    static let height = 54

    private let colors: [[UInt8]]
    private let sun: Int

    init(_ name: String) {
        // The name's checksum selects the colors and the position of the sun.
        let sum = Checksum.of(name)
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: sum >> ($0 * 8)) }
        self.colors = [
            [0x60 + bytes[0] / 4, 0x90 + bytes[1] / 4, 0xC0 + bytes[2] / 4],
            [0xFF, 0xC0 + bytes[3] / 4, 0x40 + bytes[4] / 4],
            [0x20 + bytes[5] / 4, 0x50 + bytes[6] / 4, 0x20 + bytes[7] / 4],
        ]
        self.sun = 16 + Int(sum % 64)
    }

    /// The picture as an uncompressed GIF.
    ///
    /// Every code is one byte, the index of a color, because a clear code comes before the decoder's table is full.
    var gif: [UInt8] {
        var codes: [UInt8] = []
        for row in 0..<Picture.height {
            codes.append(Picture.clear)
            codes += (0..<Picture.width).map { self.color(at: $0, row) }
        }
        codes.append(Picture.end)

        let size = [UInt8(Picture.width), 0, UInt8(Picture.height), 0]
        let palette = self.colors.flatMap { $0 }
        // 128 colors, three of them used, need codes of seven bits; the clear and end codes need one more.
        var bytes = Array("GIF89a".utf8) + size + [0xF6, 0, 0]
        bytes += palette + [UInt8](repeating: 0, count: 128 * 3 - palette.count)
        bytes += [0x2C, 0, 0, 0, 0] + size + [0, 7]
        var rest = codes[...]
        while !rest.isEmpty {
            let block = rest.prefix(255)
            bytes += [UInt8(block.count)] + block
            rest = rest.dropFirst(255)
        }
        return bytes + [0, 0x3B]
    }

    private static let clear: UInt8 = 0x80
    private static let end: UInt8 = 0x81

    private func color(at column: Int, _ row: Int) -> UInt8 {
        if row >= 36 + abs(column - 48) / 6 { return 2 }
        let (x, y) = (column - self.sun, row - 16)
        return x * x + y * y <= 81 ? 1 : 0
    }
}
