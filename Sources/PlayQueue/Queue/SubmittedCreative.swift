/// What a creative in the queue is made of.
package struct SubmittedCreative: Hashable, Sendable {
    /// What its bytes are.
    package enum Kind: Int64, Hashable, Sendable {
        /// A document, or a zip file.
        case markup = 0
        /// A URL to fetch.
        case url = 1
        /// Why the line of a list names no creative.
        case invalid = 2
    }

    /// The name in verdicts, unique in its submission.
    package let name: String
    /// The path, the URL without secrets, or the place in a list.
    package let source: String
    package let kind: Kind
    package let bytes: [UInt8]
    /// How it is shown and measured.
    package let settings: String

    package init(_ name: String, from source: String, _ kind: Kind, _ bytes: [UInt8], settings: String) {
        self.name = name
        self.source = source
        self.kind = kind
        self.bytes = bytes
        self.settings = settings
    }
}

/// What is the same for all creatives of a submission.
package struct Submission: Hashable, Sendable {
    /// The name of the submission, by which its verdicts are selected.
    package let label: String
    /// The number of the policy in the queue.
    package let policy: Int64
    /// Creatives with a higher one are scanned first.
    package let priority: Int
    /// How long results and pictures are kept, in days.
    package let keptDays: Int
    package let keptPictureDays: Int

    package init(
        _ label: String,
        by policy: Int64,
        priority: Int,
        keptDays: Int,
        keptPictureDays: Int
    ) {
        self.label = label
        self.policy = policy
        self.priority = priority
        self.keptDays = keptDays
        self.keptPictureDays = keptPictureDays
    }
}

/// A policy with the files that it was read from, so that workers need none.
package struct QueuedPolicy: Hashable, Sendable {
    package let name: String
    package let version: String
    /// The texts of its files, as JSON.
    package let files: String

    package init(_ name: String, version: String, files: String) {
        self.name = name
        self.version = version
        self.files = files
    }
}

/// What became of submitted creatives.
package struct SubmittedCounts: Hashable, Sendable {
    /// Those that the queue did not have.
    package var new = 0
    /// Those that have a verdict by this version of the policy.
    package var judged = 0
    /// Those that wait, are in progress, or were set aside.
    package var known = 0

    package init() {}

    package var total: Int { self.new + self.judged + self.known }

    package static func += (left: inout SubmittedCounts, right: SubmittedCounts) {
        left.new += right.new
        left.judged += right.judged
        left.known += right.known
    }
}
