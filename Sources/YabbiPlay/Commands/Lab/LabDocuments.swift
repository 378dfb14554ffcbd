import AdCore
import AdLint
import AdMarkup
import PlayInspect
import PlayLab
import PlayText

/// The documents of a run for the tabs *source* and *structure*.
struct LabDocuments {
    private let documents: [DocumentLog.Document]
    /// The base URL of a document that was not fetched: files beside it are there.
    private let base: HTTPURL?

    /// How much of a document the page shows, in characters, and how many findings.
    private static let maxText = 1 << 20
    private static let maxFindings = 400

    init(_ documents: [DocumentLog.Document], base: HTTPURL?) {
        self.documents = documents
        self.base = base
    }

    func source() -> AdJSON { ["documents": .array(self.documents.map(self.json))] }

    private func json(_ document: DocumentLog.Document) -> AdJSON {
        let bytes = document.recorded.bytes
        let report = Lint.check(bytes, charset: "utf-8", from: document.recorded.url ?? self.base)
        let text = String(decoding: bytes.prefix(Self.maxText), as: UTF8.self)
        return [
            "name": .string(document.name), "url": .text(document.recorded.url.map { Redaction.address($0.text) }),
            "kind": .string(report.kind.rawValue), "text": .string(text),
            "truncated": .bool(bytes.count > Self.maxText),
            "findings": .array(Array(report.groups.flatMap(Self.findings).prefix(Self.maxFindings))),
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
            following: Follower(recorded: others)
        )
        return ["nodes": input.tree(of: first.name)]
    }
}
