import AdCore

/// The files and issues of a bundle that is being read, and how much there is already.
struct BundleCollector {
    /// The zip file or folder, as its user named it.
    let source: String
    let limits: BundleLimits
    private(set) var files: [String: AdBundle.File] = [:]
    /// The bytes of ``files``.
    private(set) var keptBytes = 0
    /// The bytes that were unpacked or read, also of files that were left out.
    private(set) var workedBytes = 0
    /// The number of entries that were left out with an issue.
    private(set) var leftOut = 0
    /// The first entry that was left out, and why.
    private(set) var firstLeftOut: String?
    /// The first page that was left out, and why.
    private(set) var firstLeftOutPage: String?

    private var issues: [AdIssue] = []
    private var moreIssues = 0

    init(_ source: String, _ limits: BundleLimits) {
        self.source = source
        self.limits = limits
    }

    /// The issues, with one that says how many more there were.
    var allIssues: [AdIssue] {
        guard self.moreIssues > 0 else { return self.issues }
        let count = BundleText.count(self.moreIssues, "more issue is", "more issues are")
        let text = "\(count) not listed; fix these first"
        return self.issues + [AdIssue("bundle.more", at: .whole, text)]
    }

    /// The bytes that may still be unpacked or read.
    var bytesLeft: Int { self.limits.total - self.workedBytes }

    /// Records an entry that was left out.
    mutating func leaveOut(_ name: String, _ fault: EntryFault) {
        let issue = fault.issue(at: name)
        self.leftOut += 1
        let text = "\(issue.place): \(issue.message)"
        self.firstLeftOut = self.firstLeftOut ?? text
        if BundleIndex.isPage(name) { self.firstLeftOutPage = self.firstLeftOutPage ?? text }
        self.append(issue)
    }

    /// Records an entry that is used although something is wrong with it.
    mutating func repair(_ name: String, _ fault: EntryFault) { self.append(fault.issue(at: name)) }

    /// Counts bytes that were unpacked or read, also those of files that are left out.
    mutating func count(_ bytes: Int) { self.workedBytes += bytes }

    /// Adds a file.
    mutating func add(_ bytes: [UInt8], at path: String) {
        self.keptBytes += bytes.count
        self.files[path] = AdBundle.File(bytes: bytes, contentType: ContentType.of(path))
    }

    private mutating func append(_ issue: AdIssue) {
        if self.issues.count < self.limits.issues { self.issues.append(issue) } else { self.moreIssues += 1 }
    }
}
