/// What became of a video's captions.
package struct CaptionActivity: Hashable, Sendable {
    package enum State: String, Hashable, Sendable, CaseIterable {
        /// They are shown from now on.
        case shown
        /// The user has switched them off.
        case off
        /// The file can't be shown.
        case failed
    }

    package let state: State
    /// The URL of the file, redacted.
    package let url: String
    /// Its language; nil if the markup has none.
    package let language: String?
    /// The format of its content; nil if it was not read.
    package let format: String?
    /// The number of its cues; nil if it was not read.
    package var cues: Int?
    /// What is wrong with it.
    package let issues: [String]

    package init(_ state: State, url: String, language: String?, format: String? = nil, issues: [String] = []) {
        self.state = state
        self.url = url
        self.language = language
        self.format = format
        self.issues = issues
    }

    /// For `--json`, traces and the report.
    var members: KeyValuePairs<String, AdJSON> {
        [
            "state": .string(self.state.rawValue), "language": .text(self.language), "url": .string(self.url),
            "format": .text(self.format), "cues": self.cues.map { .int($0) } ?? .null,
            "issues": .array(self.issues.map { .string($0) }),
        ]
    }
}
