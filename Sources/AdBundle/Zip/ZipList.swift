/// A zip's list of files: its central directory (APPNOTE.TXT 4.3.12).
///
/// It is read here although libarchive reads it too. libarchive keeps all of it in memory before the first entry, cuts
/// names at NUL, converts them to the process's character set, and does not tell methods, shared data and the order of
/// the list. So what is not wanted is known before anything is unpacked.
struct ZipList {
    private(set) var entries: [ZipEntry] = []
    private let zip: ZipBytes
    private let correction: Int

    init(_ zip: ZipBytes, within limits: BundleLimits) throws(BundleError.Reason) {
        let end = try ZipEnd(zip)
        self.zip = zip
        self.correction = end.correction
        var place = end.list
        var count = 0
        while zip.hasSignature(1, 2, at: place) {
            guard let lengths = self.lengths(at: place) else { throw .damaged("its list of files is cut off") }
            count += 1
            // All are counted, for the message, and no more are kept than allowed.
            if count <= limits.entries { self.entries.append(try self.entry(at: place, lengths, number: count)) }
            place += 46 + lengths.name + lengths.extra + lengths.comment
        }
        guard count <= limits.entries else { throw .tooMany(count, limit: limits.entries) }
        guard zip.hasSignature(5, 6, at: place) || zip.hasSignature(6, 6, at: place) else {
            throw .damaged("its list of files can't be read after \(BundleText.count(count, "entry", "entries"))")
        }
    }

    private typealias Lengths = (name: Int, extra: Int, comment: Int)

    /// The lengths of the parts that follow a header's 46 bytes; nil if these are not all there.
    private func lengths(at place: Int) -> Lengths? {
        guard let name = self.zip.number(2, at: place + 28), let extra = self.zip.number(2, at: place + 30),
            let comment = self.zip.number(2, at: place + 32),
            self.zip.slice(at: place + 46, name + extra) != nil
        else { return nil }
        return (name, extra, comment)
    }

    private func entry(at place: Int, _ lengths: Lengths, number: Int) throws(BundleError.Reason) -> ZipEntry {
        let large = ZipLargeNumbers(self.zip, at: place + 46 + lengths.name, lengths.extra)
        guard let name = self.zip.slice(at: place + 46, lengths.name), let system = self.zip.number(2, at: place + 4),
            let flags = self.zip.number(2, at: place + 8), let method = self.zip.number(2, at: place + 10),
            let attributes = self.zip.number(4, at: place + 38),
            let sizes = large.resolve(
                size: self.zip.number(4, at: place + 24),
                packed: self.zip.number(4, at: place + 20),
                offset: self.zip.number(4, at: place + 42).map { $0 + self.correction }
            )
        else { throw .damaged("entry \(number) of its list of files can't be read") }
        // The local header (4.3.7) has a name and extra fields of its own lengths.
        guard self.zip.hasSignature(3, 4, at: sizes.offset), let ownName = self.zip.number(2, at: sizes.offset + 26),
            let ownExtra = self.zip.number(2, at: sizes.offset + 28),
            self.zip.slice(at: sizes.offset + 30, ownName + ownExtra) != nil
        else {
            let shown = BundleText.shown(String(decoding: name, as: UTF8.self))
            throw .damaged("\(shown) is not where its list of files says")
        }
        // Unix and macOS have their file types in the upper half (4.4.2: 3 and 19).
        let isUnix = system >> 8 == 3 || system >> 8 == 19
        return ZipEntry(
            name: name,
            flags: flags,
            method: method,
            packed: sizes.packed,
            size: sizes.size,
            unixType: isUnix ? attributes >> 16 & 0o170000 : 0,
            hasFolderBit: attributes & 0x10 != 0,
            offset: sizes.offset,
            dataStart: sizes.offset + 30 + ownName + ownExtra
        )
    }
}

/// Sizes and offset that do not fit into 32 bits (APPNOTE.TXT 4.5.3).
private struct ZipLargeNumbers {
    /// The numbers of the extra field 1, in its fixed order; only those are there whose place in the header is full.
    private var values: ArraySlice<Int?> = []

    init(_ zip: ZipBytes, at start: Int, _ count: Int) {
        var place = start
        while place + 4 <= start + count, let kind = zip.number(2, at: place), let size = zip.number(2, at: place + 2) {
            guard place + 4 + size <= start + count else { return }
            if kind == 1 {
                self.values = (0..<size / 8).map { zip.number(8, at: place + 4 + $0 * 8) }[...]
                return
            }
            place += 4 + size
        }
    }

    /// The numbers of a header, with those that do not fit into it; nil if one is missing.
    func resolve(size: Int?, packed: Int?, offset: Int?) -> (size: Int, packed: Int, offset: Int)? {
        var values = self.values
        func resolve(_ number: Int?) -> Int? { number == 0xFFFF_FFFF ? values.popFirst() ?? nil : number }
        guard let size = resolve(size), let packed = resolve(packed), let offset = resolve(offset) else { return nil }
        return (size, packed, offset)
    }
}
