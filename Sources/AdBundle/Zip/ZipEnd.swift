/// The end of a zip file, which says where its list of files is (APPNOTE.TXT 4.3.14 to 4.3.16).
struct ZipEnd {
    /// Where the list begins.
    let list: Int
    /// What to add to the offsets of local headers, if something stands before the zip.
    let correction: Int

    /// Reads the end.
    ///
    /// It is looked for as far back as libarchive does, so that both read the same list: a comment (4.4.12) may be 48 KiB
    /// longer, and no program writes such a one.
    init(_ zip: ZipBytes) throws(BundleError.Reason) {
        guard let end = Self.search(zip) else {
            throw .damaged("the list of files at its end is missing; perhaps it was not copied to its end")
        }
        guard zip.number(2, at: end + 4) == 0, zip.number(2, at: end + 6) == 0,
            zip.number(2, at: end + 8) == zip.number(2, at: end + 10)
        else { throw .damaged("it is one part of a zip in several parts, and all parts must be one file") }
        if zip.hasSignature(6, 7, at: end - 20) {
            self.list = try Self.list64(zip, locator: end - 20)
            self.correction = 0
        } else {
            guard let size = zip.number(4, at: end + 12), let offset = zip.number(4, at: end + 16), offset + size <= end
            else { throw .damaged("its list of files is where no list can be") }
            self.list = end - size
            self.correction = end - size - offset
        }
    }

    /// The last place with the signature of an end record, which has at least 22 bytes.
    private static func search(_ zip: ZipBytes) -> Int? {
        let tail = min(16 << 10, zip.count)
        guard zip.count > 22 else { return nil }
        let start = zip.count - tail
        return stride(from: zip.count - 22, to: start, by: -1).first { zip.hasSignature(5, 6, at: $0) }
    }

    /// The list's place in a zip with 64-bit sizes, which some programs write for small zips too.
    private static func list64(_ zip: ZipBytes, locator: Int) throws(BundleError.Reason) -> Int {
        guard zip.number(4, at: locator + 4) == 0, zip.number(4, at: locator + 16) == 1,
            let end = zip.number(8, at: locator + 8), zip.hasSignature(6, 6, at: end),
            let list = zip.number(8, at: end + 48)
        else { throw .damaged("the end of its list of files (Zip64) is not where it should be") }
        return list
    }
}
