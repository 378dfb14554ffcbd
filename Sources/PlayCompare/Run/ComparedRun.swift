package import PlayReport

/// A run as it is compared: that of a report, or the events of a trace.
package struct ComparedRun: Hashable, Sendable {
    /// What is known of a run.
    package enum Source: Hashable, Sendable {
        case report
        /// A trace has no verdicts, pictures and findings, and its requests are events.
        case trace
    }

    package let source: Source
    /// What was run, when and where, as far as it is known.
    package let title: String
    let ads: [ComparedAd]

    init(_ source: Source, title: String, ads: [ComparedAd]) {
        self.source = source
        self.title = title
        self.ads = ads
    }

    /// The run of a report.
    package init(_ document: RunDocument) {
        let facts = [document.command, document.madeAt, document.stage].filter { !$0.isEmpty }
        self.init(.report, title: facts.joined(separator: ", "), ads: document.ads.map(ComparedAd.init))
    }
}
