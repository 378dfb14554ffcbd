/// An entry of the zip's list of files (APPNOTE.TXT 4.3.12).
struct ZipEntry {
    let name: ArraySlice<UInt8>
    /// The general purpose bits (4.4.4).
    let flags: Int
    /// The compression method (4.4.5).
    let method: Int
    /// The packed and the unpacked size, as the list states them (4.4.8, 4.4.9).
    let packed: Int
    let size: Int
    /// The file type of Unix, or 0 (4.4.2, 4.4.15).
    let unixType: Int
    /// Whether it is a folder by its attributes of MS-DOS.
    let hasFolderBit: Bool
    /// Where its local header is, and where its data begins.
    let offset: Int
    let dataStart: Int

    /// An entry whose data has a password, by any of the methods (4.4.4, bits 0 and 6; 13 hides names).
    var isEncrypted: Bool { self.flags & (1 | 1 << 6 | 1 << 13) != 0 }

    /// Neither files nor links: a name that ends in a slash, or the mark of its system.
    var isFolder: Bool {
        self.name.last == UInt8(ascii: "/") || self.unixType == 0o040000
            || (self.unixType == 0 && self.hasFolderBit)
    }

    /// What it is instead of a file or a folder.
    var specialFault: EntryFault? {
        switch self.unixType {
        case 0, 0o100000, 0o040000: nil
        case 0o120000: .link
        default: .special
        }
    }

    /// The name as text, and what was done to it.
    ///
    /// Bit 11 says that it is UTF-8, else it is code page 437 (APPNOTE.TXT D.1). macOS writes UTF-8 without the bit, and
    /// text of code page 437 is hardly ever valid UTF-8.
    var text: (name: String, fault: EntryFault?) {
        let decoded = String(decoding: self.name, as: UTF8.self)
        if decoded.utf8.elementsEqual(self.name) { return (decoded, nil) }
        if self.flags & 1 << 11 != 0 { return (decoded, .replacedBytes) }
        return (CodePage437.text(self.name), .readAsCP437)
    }
}
