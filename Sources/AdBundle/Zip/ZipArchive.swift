import CArchive

/// A zip file in memory that libarchive reads, entry by entry in the order of their local headers.
///
/// The bytes must stay where they are for as long as it is used.
struct ZipArchive: ~Copyable {
    /// How a step ended.
    enum Outcome {
        case done
        /// It was done, but something is not as it should be.
        case warned(String)
        /// This entry can't be read, the next one can.
        case failed(String)
        /// Nothing more can be read from this archive.
        case stopped(String)
    }

    private let archive: OpaquePointer

    /// The version of the library that is loaded at run time, such as `libarchive 3.6.2`.
    static var version: String { String(cString: archive_version_string()) }

    /// Opens a zip file; nil if there is no memory, or if libarchive does not recognize it.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let archive = archive_read_new() else { return nil }
        // No other format and no filter: only this one of libarchive's readers gets foreign bytes.
        // Without its extension for macOS, which hides entries of `__MACOSX` in others.
        guard archive_read_support_format_zip_seekable(archive) == ARCHIVE_OK,
            archive_read_set_format_option(archive, "zip", "mac-ext", nil) == ARCHIVE_OK,
            archive_read_open_memory(archive, bytes.baseAddress, bytes.count) == ARCHIVE_OK
        else {
            archive_read_free(archive)
            return nil
        }
        self.archive = archive
    }

    deinit { archive_read_free(self.archive) }

    /// The place in the zip up to which bytes were used.
    var place: Int { Int(archive_filter_bytes(self.archive, 0)) }

    /// Goes on to the next entry; libarchive may fail to convert its name, which `ZipList` has anyway.
    borrowing func advance() -> Outcome {
        var entry: OpaquePointer?
        return self.outcome(archive_read_next_header(self.archive, &entry))
    }

    /// Unpacks the entry, and passes its bytes in parts of at most 256 KiB, or whole if they are stored.
    ///
    /// It ends when `handle` returns false or throws.
    borrowing func unpack<Failure: Error>(
        _ handle: (UnsafeRawBufferPointer) throws(Failure) -> Bool
    ) throws(Failure) -> Outcome {
        var warning: String?
        while true {
            var part: UnsafeRawPointer?
            var count = 0
            var offset: la_int64_t = 0
            let code = archive_read_data_block(self.archive, &part, &count, &offset)
            if code == ARCHIVE_EOF { return warning.map { .warned($0) } ?? .done }
            let outcome = self.outcome(code)
            switch outcome {
            case .failed, .stopped: return outcome
            case .warned(let text): warning = warning ?? text
            case .done: break
            }
            guard try handle(UnsafeRawBufferPointer(start: part, count: count)) else { return .done }
        }
    }

    private borrowing func outcome(_ code: CInt) -> Outcome {
        switch code {
        case ARCHIVE_OK: return .done
        case ARCHIVE_WARN: return .warned(self.message)
        case ARCHIVE_FAILED: return .failed(self.message)
        case ARCHIVE_EOF: return .stopped("it is not among the entries of the zip")
        default: return .stopped(self.message)
        }
    }

    private var message: String {
        guard let text = archive_error_string(self.archive) else { return "no reason is known" }
        return BundleText.shown(String(cString: text))
    }
}
