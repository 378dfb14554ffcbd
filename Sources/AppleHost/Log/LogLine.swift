import AdCore

/// A line for the system's log.
struct LogLine: Hashable, Sendable {
    /// How important it is.
    enum Level: Hashable, Sendable {
        /// Kept in memory only.
        case debug
        case info
        /// Kept on disk.
        case notice, error
    }

    let level: Level
    /// What happened; it has nothing of a creative, a URL or the user.
    let text: String
    /// The details, which the log hides unless a debugger is attached; URLs are redacted.
    let detail: String

    init(_ record: AdRecord) {
        let row = record.event.row
        self.level = LogLine.level(of: record.event)
        self.text = "\(record.provider) \(record.ad) \(row.name)"
        let members = row.members + record.detail
        self.detail = members.isEmpty ? "" : LogLine.redacted(.object(members)).text()
    }

    init(_ input: IgnoredInput) {
        self.level = .debug
        self.text = "\(input.provider) \(input.ad) ignored \(input.input)"
        self.detail = input.reason
    }

    init?(_ record: SessionRecord) {
        let (level, name, detail): (Level, String, String)
        switch record.event {
        case .connecting: (level, name, detail) = (.info, "connecting", "")
        case .opened: (level, name, detail) = (.info, "opened", "")
        case .received(let bytes): (level, name, detail) = (.debug, "received \(bytes) bytes", "")
        case .closed: (level, name, detail) = (.info, "closed", "")
        case .issue(let issue): (level, name, detail) = (.notice, "issue \(issue.code)", issue.message)
        // Its type is the session's own.
        case .machineEvent: return nil
        }
        (self.level, self.text, self.detail) = (level, "\(record.provider) session \(name)", detail)
    }

    /// Errors are what a developer must mend, or what is not billed; notices what explains it later.
    private static func level(of event: AdEvent) -> Level {
        switch event {
        case .loadFailed(let error): error.code == .noFill ? .notice : .error
        case .showFailed, .offerFailed, .beaconDead: .error
        case .view, .click, .rewarded, .issue, .blocked, .diagnostic, .beaconUnconfirmed: .notice
        case .beaconRecorded, .beaconDelivered, .tap, .quartile, .bid: .debug
        default: .info
        }
    }

    /// The texts of a value with redacted URLs.
    private static func redacted(_ value: AdJSON) -> AdJSON {
        switch value {
        case .string(let text): .string(Redaction.address(text))
        case .array(let elements): .array(elements.map(self.redacted))
        case .object(let members): .object(members.map { .init($0.name, self.redacted($0.value)) })
        default: value
        }
    }
}
