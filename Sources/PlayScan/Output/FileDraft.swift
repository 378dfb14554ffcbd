import LibC

/// Writes a file piece by piece; the file appears, or is replaced, when it is complete.
final class FileDraft {
    private let path: String
    private let draft: String
    private var file: UnsafeMutablePointer<FILE>?
    private var failure: String?

    init(_ path: String) {
        self.path = path
        self.draft = path + ".part"
        self.file = fopen(self.draft, "w")
        if self.file == nil { self.failure = self.reason }
    }

    deinit {
        guard let file else { return }
        fclose(file)
        unlink(self.draft)
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
        if self.failure == nil, rename(self.draft, self.path) != 0 { self.failure = self.reason }
        if self.failure != nil { unlink(self.draft) }
        return self.failure
    }
}
