package import AdCore

/// What a scan has found out about one creative, without a verdict: other policies can judge it again.
package struct ScanRecord: Hashable, Sendable {
    package private(set) var id: String
    /// The path, the URL without secrets, or where it is in a list.
    package private(set) var source: String
    /// The checksum of its source, by which a changed creative is scanned again; a URL's is that of the URL.
    package let digest: String
    /// Nil if there was no ad.
    package var kind: ScanKind?
    package var title: String?
    package var measures: CreativeMeasures
    package var findings: [ScannedFinding] = []
    /// The file of its picture in the report's folder; nil for none.
    package var picture: String?
    /// The real time of its scan.
    package var time = Duration.zero
    /// When it was scanned, as in `2026-03-09T07:05:04.012Z`; such texts have the order of times.
    package var scannedAt: String?

    package init(id: String, source: String, digest: String, measures: CreativeMeasures) {
        self.id = id
        self.source = source
        self.digest = digest
        self.measures = measures
    }
}

/// A record with the verdict of a policy.
package struct JudgedRecord: Hashable, Sendable {
    package var record: ScanRecord
    package let verdict: ScanVerdict
    /// The name and version of the policy.
    package let policy: (name: String, version: String)

    package init(_ record: ScanRecord, _ policy: ScanPolicy, today: String, baseline: [String: ScanLevel] = [:]) {
        self.record = record
        let verdict = policy.verdict(on: record.measures, record.findings, record.kind, called: record.id, today: today)
        self.verdict = verdict.comparing(with: baseline)
        self.policy = (policy.name, policy.version)
    }

    /// A creative that fails by every policy, because it could not be judged.
    package init(_ record: ScanRecord, failing reason: ScanReason, _ policy: ScanPolicy) {
        self.record = record
        self.verdict = ScanVerdict([reason])
        self.policy = (policy.name, policy.version)
    }

    /// Reads the verdict of a line of `--json`; nil if it has none.
    package init?(_ record: ScanRecord, _ json: AdJSON, baseline: [String: ScanLevel] = [:]) {
        guard let name = json["policy"]?.string, let version = json["policyVersion"]?.string,
            let reasons = json["reasons"]?.array
        else { return nil }
        self.record = record
        self.verdict = ScanVerdict(reasons.compactMap(ScanReason.init)).comparing(with: baseline)
        self.policy = (name, version)
    }

    package static func == (left: JudgedRecord, right: JudgedRecord) -> Bool {
        left.record == right.record && left.verdict == right.verdict && left.policy == right.policy
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(self.record)
        hasher.combine(self.verdict)
    }

    /// The line of the journal, without its end.
    package var line: [UInt8] { Array(self.json.text().utf8) }

    /// The line of `--json`, which is also that of the journal.
    package var json: AdJSON {
        [
            "event": "verdict", "id": .string(self.record.id), "source": .string(self.record.source),
            "verdict": .string(self.verdict.newLevel.rawValue), "reasons": .array(self.verdict.reasons.map(\.json)),
            "measures": self.record.measures.json, "ms": .int(self.record.time.wholeMilliseconds),
            "at": .text(self.record.scannedAt),
            "kind": .text(self.record.kind?.rawValue), "title": .text(self.record.title),
            "picture": .text(self.record.picture), "findings": .array(self.record.findings.map(\.json)),
            "digest": .string(self.record.digest), "policy": .string(self.policy.name),
            "policyVersion": .string(self.policy.version),
        ]
    }
}

extension ScanRecord {
    /// The record of a creative that could not be shown.
    package init(_ item: ScanItem, failure: String) {
        var measures = CreativeMeasures()
        measures["failure"] = .list([failure])
        self.init(id: item.id, source: item.source, digest: item.digest, measures: measures)
    }

    /// The record of the same content under another name.
    package func renamed(_ id: String, from source: String) -> ScanRecord {
        var record = self
        record.id = id
        record.source = source
        return record
    }

    /// Whether it could not be shown: a server may respond, and a browser be there, the next time.
    package var isWithoutMeasures: Bool {
        ["failure", "ended"].contains { name in
            if case .list(let texts)? = self.measures[name] { !texts.isEmpty } else { false }
        }
    }

    /// Adds a reason for which the browser ended it, or would have.
    package mutating func end(_ reason: String) {
        var reasons: [String] = []
        if case .list(let texts)? = self.measures["ended"] { reasons = texts }
        self.measures["ended"] = .list(reasons + [reason])
    }

    /// Whether the browser did not tell what a page has used, as it does at the end of one that it did not end.
    package var isIncomplete: Bool {
        self.kind == .html && !self.isWithoutMeasures
            && (self.measures["cpu"] == nil || self.measures["cookies"] == nil)
    }

    /// Reads a line of `--json` or of a journal; nil if it is another line.
    package init?(_ json: AdJSON) {
        guard json["event"] == "verdict", let id = json["id"]?.string, let source = json["source"]?.string,
            let digest = json["digest"]?.string, let measures = json["measures"]
        else { return nil }
        self.init(id: id, source: source, digest: digest, measures: CreativeMeasures(measures))
        self.kind = json["kind"]?.string.flatMap(ScanKind.init(rawValue:))
        self.title = json["title"]?.string
        self.findings = (json["findings"]?.array ?? []).compactMap(ScannedFinding.init)
        self.picture = json["picture"]?.string
        self.scannedAt = json["at"]?.string
        self.time = json["ms"]?.number.flatMap { $0 >= 0 && $0 < 1e9 ? .milliseconds(Int64($0)) : nil } ?? .zero
    }
}
