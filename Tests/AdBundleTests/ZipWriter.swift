/// A zip file in which everything can be wrong (APPNOTE.TXT 4.3).
struct ZipWriter {
    /// An entry, and what its headers say of it.
    struct Entry {
        var name: [UInt8]
        /// The packed bytes.
        var packed: [UInt8]
        var method = 0
        var flags = 0
        /// Made by MS-DOS; 3 is Unix.
        var system = 0
        var attributes: UInt32 = 0
        var size: Int
        var checksum: UInt32
        /// The packed size that the headers state.
        var packedSize: Int
        /// Whether the list has the sizes and the place in an extra field of 64-bit numbers (4.5.3).
        var hasLargeNumbers = false
        /// The unpacked size that the local header states, if another one than the list.
        var localSize: Int?
        /// Whether the local header leaves sizes and checksum to a descriptor behind the data (4.3.9), as macOS does it.
        var hasDescriptor = false
        /// The local header of the entry with this number stands for its own.
        var sharesHeader: Int?

        /// A stored file.
        init(_ name: String, _ data: [UInt8] = Array("x".utf8)) { self.init(name: Array(name.utf8), data) }

        /// A stored file whose name is no UTF-8.
        init(name: [UInt8], _ data: [UInt8] = Array("x".utf8)) {
            self.name = name
            self.packed = data
            self.size = data.count
            self.packedSize = data.count
            self.checksum = Checksum.of(data)
        }

        /// A file packed with Deflate.
        init(_ name: String, deflated packed: [UInt8], of data: [UInt8]) {
            self.init(name, data)
            self.packed = packed
            self.packedSize = packed.count
            self.method = 8
        }

        /// The same entry with a change.
        func with(_ change: (inout Entry) -> Void) -> Entry {
            var entry = self
            change(&entry)
            return entry
        }

        /// The same entry with sizes and checksum after its data.
        var withDescriptor: Entry {
            self.with {
                $0.flags |= 1 << 3
                $0.hasDescriptor = true
            }
        }

        fileprivate var withoutNumbers: Entry {
            self.with { ($0.checksum, $0.packedSize, $0.size) = (0, 0, 0) }
        }

        /// The same entry as Unix would mark it.
        func of(unixType: UInt32) -> Entry {
            self.with {
                $0.system = 3
                $0.attributes = (unixType | 0o644) << 16
            }
        }
    }

    var entries: [Entry]
    var comment: [UInt8] = []
    /// Whether the end is written with 64-bit sizes as well.
    var isZip64 = false
    /// Bytes before the zip, which its offsets do not count.
    var prefix: [UInt8] = []

    init(_ entries: [Entry]) { self.entries = entries }

    var bytes: [UInt8] {
        var zip: [UInt8] = []
        var offsets: [Int] = []
        for entry in self.entries {
            if let shared = entry.sharesHeader {
                offsets.append(offsets[shared])
                continue
            }
            offsets.append(zip.count)
            let header = entry.hasDescriptor ? entry.withoutNumbers : entry.with { $0.size = $0.localSize ?? $0.size }
            zip += [0x50, 0x4B, 3, 4] + Self.number(20, 2) + self.common(header) + Self.number(0, 2)
            zip += entry.name + entry.packed
            if entry.hasDescriptor { zip += [0x50, 0x4B, 7, 8] + self.numbers(entry) }
        }
        let list = zip.count
        for (entry, offset) in Swift.zip(self.entries, offsets) {
            let full = 0xFFFF_FFFF
            let isLarge = entry.hasLargeNumbers
            let header = isLarge ? entry.with { ($0.packedSize, $0.size) = (full, full) } : entry
            let numbers = [entry.size, entry.packedSize, offset].flatMap { Self.number($0, 8) }
            // Another field stands before it.
            let extra = isLarge ? [0x55, 0x54, 1, 0, 0] + Self.number(1, 2) + Self.number(24, 2) + numbers : []
            zip += [0x50, 0x4B, 1, 2, 20, UInt8(entry.system)] + Self.number(20, 2) + self.common(header)
            zip += Self.number(extra.count, 2) + [UInt8](repeating: 0, count: 6)
            zip += Self.number(Int(entry.attributes), 4) + Self.number(isLarge ? full : offset, 4)
            zip += entry.name + extra
        }
        return self.prefix + zip + self.end(list: list, size: zip.count - list)
    }

    /// What both headers of an entry have, up to the length of the name.
    private func common(_ entry: Entry) -> [UInt8] {
        Self.number(entry.flags, 2) + Self.number(entry.method, 2) + [0, 0, 0x21, 0]
            + self.numbers(entry) + Self.number(entry.name.count, 2)
    }

    private func numbers(_ entry: Entry) -> [UInt8] {
        Self.number(Int(entry.checksum), 4) + Self.number(entry.packedSize, 4) + Self.number(entry.size, 4)
    }

    private func end(list: Int, size: Int) -> [UInt8] {
        let count = self.entries.count
        var end: [UInt8] = []
        if self.isZip64 {
            end += [0x50, 0x4B, 6, 6] + Self.number(44, 8) + Self.number(45, 2) + Self.number(45, 2)
            end += Self.number(0, 8) + Self.number(count, 8) + Self.number(count, 8)
            end += Self.number(size, 8) + Self.number(list, 8)
            end += [0x50, 0x4B, 6, 7] + Self.number(0, 4) + Self.number(list + size, 8) + Self.number(1, 4)
        }
        end += [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + Self.number(count & 0xFFFF, 2) + Self.number(count & 0xFFFF, 2)
        end += Self.number(size, 4) + Self.number(list, 4) + Self.number(self.comment.count, 2)
        return end + self.comment
    }

    private static func number(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}

/// CRC-32, as zip files have it (APPNOTE.TXT 4.4.7).
enum Checksum {
    static func of(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { self.table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ ($0 >> 8) }
    }

    private static let table: [UInt32] = (0..<256).map { number in
        (0..<8).reduce(UInt32(number)) { value, _ in value & 1 == 0 ? value >> 1 : 0xEDB8_8320 ^ (value >> 1) }
    }
}
