import AdCore
import AdLint
import AdMarkup
import PlayInspect
import PlayLab
import PlayReport
import PlayText

/// The documents of a run for the tabs *source* and *structure*.
struct LabDocuments {
    private let documents: [DocumentLog.Document]
    private let omitted: Int
    private let failures: [(url: HTTPURL, reason: String)]
    /// The base URL of a document that was not fetched: files beside it are there.
    private let base: HTTPURL?

    /// How much of a document the page shows, in bytes, and how many findings.
    private static let maxText = 1 << 20
    private static let maxFindings = 400
    /// How many trackers of an ad that failed to load are listed.
    private static let maxTrackers = 500

    init(_ log: DocumentLog, base: HTTPURL?) {
        self.documents = log.all
        self.omitted = log.omitted
        self.failures = log.failures
        self.base = base
    }

    func source() -> AdJSON {
        ["documents": .array(self.documents.flatMap(self.parts)), "omitted": .int(self.omitted)]
    }

    /// A document, and the markup in it.
    private func parts(of document: DocumentLog.Document) -> [AdJSON] {
        let bytes = document.recorded.bytes
        let isChecked = document.purpose != .creative || MarkupKind(sniffing: bytes) == .html
        guard isChecked else { return [self.json(document, nil, bytes, nil)] }
        let parts = Lint.parts(bytes, charset: "utf-8", from: document.recorded.url ?? self.base)
        return parts.map { part in
            // A provider of cards has responded as it should.
            let report = document.purpose == .load ? part.report.ignoring([.answerForeign]) : part.report
            return self.json(document, part.name, part.bytes, report)
        }
    }

    /// Without a report it is a script, style or text beside the ad's page, which the linter does not check.
    private func json(
        _ document: DocumentLog.Document,
        _ part: String?,
        _ bytes: [UInt8],
        _ report: LintReport?
    ) -> AdJSON {
        let text = String(decoding: bytes.prefix(Self.maxText), as: UTF8.self)
        let findings = report.map { Array($0.groups.flatMap(Self.findings).prefix(Self.maxFindings)) }
        return [
            "name": .string(Self.name(part, in: document)),
            "url": part != nil ? .null : .text(document.recorded.url.map { Redaction.address($0.text) }),
            "kind": .string(report?.kind.rawValue ?? "file"), "text": .string(text),
            "truncated": .bool(bytes.count > Self.maxText),
            "findings": findings.map { .array($0) } ?? .null,
        ]
    }

    private static func findings(_ group: LintGroup) -> [AdJSON] {
        group.findings.map { finding in
            [
                "rule": .string(group.rule.id), "severity": .string(group.rule.severity.rawValue),
                "line": finding.line.map { .int($0) } ?? .null, "column": finding.column.map { .int($0) } ?? .null,
                "count": .int(1), "title": .string(group.rule.title), "message": .string(finding.message),
                "fix": .string(group.rule.fix),
            ]
        }
    }

    /// The trackers that the documents of an ad name that failed to load.
    func trackers(of ad: ReportedAd) -> [TrackerRow] {
        guard ad.hasFailedToLoad else { return [] }
        var rows: [TrackerRow] = []
        for document in self.documents where document.purpose != .creative {
            for (name, bytes) in ResponseMarkup.documents(in: document.recorded.bytes) {
                let origin = Self.name(name, in: document)
                rows += ad.unloadedTrackers(NamedTracker.all(in: bytes), from: origin)
                if rows.count >= Self.maxTrackers { return Array(rows.prefix(Self.maxTrackers)) }
            }
        }
        return rows
    }

    /// The name of markup in a document, or of the document.
    private static func name(_ part: String?, in document: DocumentLog.Document) -> String {
        part.map { "\($0) in \(document.name)" } ?? document.name
    }

    func structure() async -> AdJSON {
        guard
            let first = self.documents.first(where: { $0.purpose == .tag || $0.purpose == .load })
                ?? self.documents.first
        else { return ["nodes": []] }
        // The responses of wrappers, in the order of the run's requests.
        let others = self.documents.filter { $0.purpose == .wrapper }.map(\.recorded)
        let input = await InspectedInput(
            first.recorded.bytes,
            charset: "utf-8",
            from: first.recorded.url,
            following: Follower(recorded: others, failures: self.failures)
        )
        return ["nodes": input.tree(of: first.name)]
    }
}
