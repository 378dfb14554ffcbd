import CArchive

extension AdBundle {
    /// The files as a zip file, for example to send a folder to another computer; nil if there is no memory for it.
    ///
    /// The same files result in the same bytes.
    package func zipped() -> [UInt8]? {
        guard let archive = archive_write_new() else { return nil }
        defer { archive_write_free(archive) }
        // No entry grows by more than its headers: deflate falls back to storing.
        let names = self.files.keys.reduce(0) { $0 + 2 * $1.utf8.count }
        let capacity = self.totalBytes + self.totalBytes / 1_000 + 512 * self.files.count + names + (64 << 10)
        var used = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            guard archive_write_set_format_zip(archive) == ARCHIVE_OK,
                archive_write_set_format_option(archive, "zip", "hdrcharset", "UTF-8") == ARCHIVE_OK,
                archive_write_set_bytes_in_last_block(archive, 1) == ARCHIVE_OK,
                archive_write_open_memory(archive, buffer.baseAddress, buffer.count, &used) == ARCHIVE_OK
            else { return }
            for (path, file) in self.files.sorted(by: { $0.key < $1.key }) {
                guard AdBundle.write(file.bytes, at: path, to: archive) else { return }
            }
            if archive_write_close(archive) == ARCHIVE_OK { count = used }
        }
        return bytes.isEmpty ? nil : bytes
    }

    private static func write(_ bytes: [UInt8], at path: String, to archive: OpaquePointer) -> Bool {
        guard let entry = archive_entry_new() else { return false }
        defer { archive_entry_free(entry) }
        archive_entry_set_pathname_utf8(entry, path)
        archive_entry_set_size(entry, Int64(bytes.count))
        // A regular file (POSIX, "sys/stat.h"). Without a time it gets the first one that a zip can have (APPNOTE.TXT 4.4.6),
        // in each time zone: times in zips are local.
        archive_entry_set_filetype(entry, 0o100000)
        archive_entry_set_perm(entry, 0o644)
        guard archive_write_header(archive, entry) == ARCHIVE_OK else { return false }
        return bytes.withUnsafeBytes { archive_write_data(archive, $0.baseAddress, $0.count) } == bytes.count
    }
}
