import LibC

/// Writes a file piece by piece; the file appears, or is replaced, when it is complete.
///
/// A device or pipe is written to as it is, and the target of a symbolic link is replaced.
final class FileDraft {
    private let path: String
    /// The file that is written, until it is complete; nil for a device or pipe.
    private let draft: String?
    private var file: UnsafeMutablePointer<FILE>?
    private var failure: String?

    init(_ path: String) {
        var status = stat()
        let isReplaced = stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
        if isReplaced, let resolved = realpath(path, nil) {
            self.path = String(cString: resolved)
            free(resolved)
        } else {
            self.path = path
        }
        self.draft = isReplaced ? self.path + ".part" : nil
        self.file = fopen(self.draft ?? self.path, "w")
        if self.file == nil { self.failure = self.reason }
    }

    deinit {
        guard let file else { return }
        fclose(file)
        if let draft { unlink(draft) }
    }

    private var reason: String { "\(self.path) can't be written: \(String(cString: strerror(errno)))" }

    func write(_ text: String) {
        guard let file, self.failure == nil else { return }
        var text = text
        let isWhole = text.withUTF8 { fwrite($0.baseAddress, 1, $0.count, file) == $0.count }
        if !isWhole { self.failure = self.reason }
    }

    /// Completes the file; returns an error message on failure.
    func commit() -> String? {
        guard let file else { return self.failure }
        self.file = nil
        if fclose(file) != 0, self.failure == nil { self.failure = self.reason }
        guard let draft else { return self.failure }
        if self.failure == nil, rename(draft, self.path) != 0 { self.failure = self.reason }
        if self.failure != nil { unlink(draft) }
        return self.failure
    }
}
