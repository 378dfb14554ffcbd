/// Why there is no bundle, and what to do.
package struct BundleError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: Error, Hashable, Sendable {
        /// The folder can't be opened or read.
        case unreadable(String)
        /// The bytes do not begin as a zip file.
        case notZip
        /// The zip's own structure is broken.
        case damaged(String)
        /// There is no file; so many entries were left out, and the first one for this reason.
        case empty(leftOut: Int, first: String?)
        /// No file has the extension of a page; one that was left out for this reason has it.
        case noPage(files: Int, leftOut: String?)
        /// Which of these pages comes first is not known.
        case severalPages([String])
        /// Too many entries: so many, or nil if they were not counted to the end.
        case tooMany(Int?, limit: Int)
        /// A file is too large: its size, or nil if it was not read to its end.
        case fileTooLarge(String, Int?, limit: Int)
        /// All files are too large together: with this one the limit was passed.
        case allTooLarge(String, limit: Int)
        /// The zip file itself is too large.
        case zipTooLarge(Int, limit: Int)
        /// A file becomes too many times as large as its packed bytes.
        case tooDense(String, packed: Int, limit: Int)
    }

    /// The zip file or folder, as its user named it.
    package let source: String
    package let reason: Reason

    init(_ source: String, _ reason: Reason) {
        self.source = source
        self.reason = reason
    }

    package var description: String { "\(BundleText.shown(self.source, upTo: 400)) \(self.reason.text)" }
}

extension BundleError.Reason {
    /// What follows the name of the zip or folder.
    fileprivate var text: String {
        switch self {
        case .unreadable(let why):
            "can't be read: \(why)"
        case .notZip:
            "is not a zip file: its first bytes are not those of one; zip the folder that has the index.html"
        case .damaged(let what):
            "is damaged: \(what); download it again, or make it again from its files"
        case .empty(let count, let first):
            count == 0
                ? "has no files: put the index.html and what it loads into it"
                : "has no files that can be used, \(BundleText.count(count, "entry", "entries")) left out"
                    + (first.map { ": \($0)" } ?? "")
        case .noPage(let files, let leftOut):
            "has no page to begin with: none of its \(BundleText.count(files, "file", "files")) is .html or .htm"
                + (leftOut.map { "; left out: \($0)" } ?? "; add an index.html")
        case .severalPages(let pages):
            "has \(BundleText.number(pages.count)) pages, and it can't be told which comes first "
                + "(\(BundleText.list(pages))); name that one index.html, at the top, or use only its folder"
        case .tooMany(let count, let limit):
            "has \(count.map(BundleText.number) ?? "more than \(BundleText.number(limit))") entries, and "
                + "\(BundleText.number(limit)) is the most; leave out what the ad does not load"
        case .fileTooLarge(let path, let size, let limit):
            "can't be used: \(BundleText.shown(path)) has \(BundleText.size(size, over: limit)), and "
                + "\(BundleText.bytes(limit)) is the most for one file; make it smaller, or load it from a server"
        case .allTooLarge(let path, let limit):
            "can't be used: up to and including \(BundleText.shown(path)) its files have more than "
                + "\(BundleText.bytes(limit)), the most for all; leave out what the ad does not load"
        case .zipTooLarge(let size, let limit):
            "has \(BundleText.size(size, over: limit)), and \(BundleText.bytes(limit)) is the most; leave out what the ad "
                + "does not load"
        case .tooDense(let path, let packed, let limit):
            "can't be used: \(BundleText.shown(path)) becomes more than \(limit) times as large as its "
                + "\(BundleText.bytes(packed)) in the zip, and \(limit) is the most; that is a zip bomb or a file of "
                + "nothing but zeros: leave it out"
        }
    }
}
