import AdCore

/// The state of parsing one banner: the scanner's results, the open elements, and whether anything is visible.
///
/// The scanner and libxml2 process the same tags. Each event of libxml2 is matched with the scanner's tag by its
/// offset. The match gives the event a line, and separates tags of the markup from elements that libxml2 inserts.
package struct HTMLParse {
    package let source: UnsafeBufferPointer<UInt8>
    /// The copy that libxml2 parses.
    package let text: UnsafeBufferPointer<UInt8>
    package let limits: HTMLLimits
    package let scan: HTMLScan
    /// The issues that the scanner found.
    package let scanIssues: IssueLog
    package var issues: IssueLog
    package var lines = LineCounter()
    /// The line of the last start tag.
    package var line = 1
    package internal(set) var error: MarkupError?
    package internal(set) var open: [HTMLOpenElement] = []
    /// How many of the open elements are `html`, `head` or `body`.
    package internal(set) var frames = 0
    /// Start tags that libxml2 reports, but the scanner has not found or ends elsewhere.
    ///
    /// libxml2 before 2.14 reports none; the limit on attributes depends on that. Newer versions parse tags as HTML5
    /// does, and look attributes up in constant time.
    package internal(set) var unmatchedStartTags = 0
    var visibility = HTMLVisibility()
    /// Whether parsing ends once something is visible.
    let stopsWhenVisible: Bool

    private var nextTag = 0
    private var nextContent = 0
    private var nextCut = 0

    init(_ scanner: HTMLScanner, _ text: UnsafeBufferPointer<UInt8>, stopsWhenVisible: Bool) {
        self.source = scanner.source
        self.text = text
        self.limits = scanner.limits
        self.scan = scanner.scan
        self.scanIssues = scanner.issues
        self.issues = IssueLog(limit: scanner.limits.issues)
        self.stopsWhenVisible = stopsWhenVisible
        self.open.reserveCapacity(32)
    }

    /// Whether the remaining events are irrelevant.
    var isDone: Bool { self.error != nil || (self.stopsWhenVisible && self.visibility.isVisible) }

    /// Whether anything is visible; final in `HTMLEventSink.finish`.
    package var isVisible: Bool { self.visibility.isVisible }

    /// The state of a text at the current position that would be visible if its state does not hide it; nil for any
    /// other.
    package func showsText(_ bytes: UnsafeBufferPointer<UInt8>) -> HTMLElementState? {
        let state = self.open.last?.contentState ?? []
        guard HTMLVisibility.mayShowText(self.open.last, state), HTMLVisibility.hasVisibleCharacters(bytes) else {
            return nil
        }
        return state
    }

    // MARK: Matching tags

    /// The start tag that libxml2 has just read; nil for an element that it inserts.
    mutating func nextStart(at offset: Int, _ name: UInt64) -> HTMLScan.Tag? {
        guard let tag = self.tag(at: offset), !tag.isEnd, tag.name == name else { return nil }
        self.nextTag += 1
        return tag
    }

    /// Whether libxml2 has just read the end tag with that name.
    mutating func nextEnd(at offset: Int, _ name: UInt64) -> Bool {
        guard let tag = self.tag(at: offset), tag.isEnd, tag.name == name else { return false }
        self.nextTag += 1
        return true
    }

    private func tag(at offset: Int) -> HTMLScan.Tag? {
        guard self.nextTag < self.scan.tags.count, self.scan.tags[self.nextTag].textEnd == offset else { return nil }
        return self.scan.tags[self.nextTag]
    }

    /// The next tag before an offset that libxml2 has not reported.
    mutating func skippedTag(before offset: Int) -> HTMLScan.Tag? {
        guard self.nextTag < self.scan.tags.count, self.scan.tags[self.nextTag].textEnd < offset else { return nil }
        self.nextTag += 1
        return self.scan.tags[self.nextTag - 1]
    }

    /// The content of the element whose start tag was just read.
    mutating func content(of tag: HTMLScan.Tag?) -> HTMLScan.Content? {
        guard let tag else { return nil }
        while self.nextContent < self.scan.contents.count, self.scan.contents[self.nextContent].tagEnd < tag.textEnd {
            self.nextContent += 1
        }
        guard self.nextContent < self.scan.contents.count, self.scan.contents[self.nextContent].tagEnd == tag.textEnd
        else { return nil }
        return self.scan.contents[self.nextContent]
    }

    // MARK: Lines

    /// The line of an offset in the source.
    package mutating func line(at offset: Int) -> Int { self.lines.line(at: offset, in: self.source) }

    /// The line of an offset in libxml2's text.
    package mutating func line(ofText offset: Int) -> Int {
        let cuts = self.scan.cuts
        while self.nextCut < cuts.count, cuts[self.nextCut].at <= offset { self.nextCut += 1 }
        let ahead = self.nextCut > 0 ? cuts[self.nextCut - 1].ahead : 0
        return self.line(at: max(0, offset + ahead))
    }
}
