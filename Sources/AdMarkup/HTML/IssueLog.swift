package import AdCore

/// Issues up to a limit, and the number of those beyond it.
package struct IssueLog {
    private let limit: Int
    private var listed: [AdIssue] = []
    private var others = 0

    package init(limit: Int) { self.limit = limit }

    /// Whether another issue would be listed; if not, the caller need not compose its message.
    package var hasRoom: Bool { self.listed.count < self.limit }

    package mutating func add(_ code: String, line: Int, _ message: @autoclosure () -> String) {
        guard self.hasRoom else {
            self.others += 1
            return
        }
        self.listed.append(AdIssue(code, at: .line(line), message()))
    }

    /// Appends the issues of another parser.
    package mutating func add(_ issues: [AdIssue]) {
        let remaining = max(0, self.limit - self.listed.count)
        self.listed += issues.prefix(remaining)
        self.others += max(0, issues.count - remaining)
    }

    package mutating func count() { self.others += 1 }

    /// The issues of several logs in the order of their lines, and one that counts those beyond the limit.
    package static func merged(_ logs: [IssueLog], with whole: [AdIssue], limit: Int) -> [AdIssue] {
        let located = logs.flatMap(\.listed).enumerated().sorted { left, right in
            (left.element.place.line, left.offset) < (right.element.place.line, right.offset)
        }
        var issues = whole + located.map(\.element)
        let others = logs.reduce(0) { $0 + $1.others } + max(0, issues.count - limit)
        guard others > 0 else { return issues }
        issues.removeLast(max(0, issues.count - limit))
        issues.append(AdIssue("html.issues.more", at: .whole, "\(others) more issues are not listed"))
        return issues
    }
}

extension AdIssue.Place {
    fileprivate var line: Int {
        if case .line(let line) = self { line } else { 0 }
    }
}
