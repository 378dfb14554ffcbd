import AdCore
import AdLint
package import PlayText
import WebStage

extension RunDocument {
    /// The document of a report's ads.
    init(command: String, madeAt: WallTime, stage: String, speed: Double, reporting ads: [ReportedAd]) {
        self.init(
            command: command,
            madeAt: CalendarText.iso8601(madeAt),
            stage: stage,
            speed: speed,
            ads: ads.enumerated().map { RunAd($1, number: $0 + 1) }
        )
    }
}

extension RunAd {
    /// An ad of a report; the number is its place in the page, from 1.
    init(_ ad: ReportedAd, number: Int) {
        self.init(id: ad.id.rawValue, provider: ad.provider.rawValue, name: ad.shortName, heading: ad.heading)
        self.events = RunAd.merged(ad.records, ad.activities)
        self.verdicts = ad.verdicts.map {
            RunVerdict(of: $0.event, outcome: $0.outcome.rawValue, reason: $0.reason)
        }
        self.beacons = ad.beacons.map(RunBeacon.init)
        self.requests = ad.requests.map { RunRequest($0) }
        self.lint = ad.lint.map { $0.groups.flatMap(RunFinding.all) }
        self.pictures = ad.scene.pictures.enumerated().map { index, picture in
            RunPicture(
                caption: picture.caption,
                t: picture.at.milliseconds,
                width: Int(picture.size.width),
                height: Int(picture.size.height),
                id: RunPicture.id(ad: number, picture: index + 1),
                bytes: picture.bytes
            )
        }
    }
}

extension RunAd {
    /// The events of an ad and the activities of its creative by time, as `--json` prints them.
    private static func merged(_ records: [AdRecord], _ activities: [ActivityRecord]) -> [AdJSON] {
        var events: [AdJSON] = []
        var others = activities[...]
        for record in records {
            let before = others.prefix { $0.at < record.at }
            events += before.map { EventLine($0).object }
            others = others[before.endIndex...]
            events.append(EventLine(record).object)
        }
        return events + others.map { EventLine($0).object }
    }
}

extension RunBeacon {
    /// A recorded beacon and its outcome.
    package init(_ beacon: BeaconHistory) {
        self.init(event: beacon.event, key: beacon.key.text, url: beacon.url, state: "recorded")
        switch beacon.outcome {
        case .delivered: self.state = "delivered"
        case .unconfirmed(let reason): (self.state, self.reason) = ("unconfirmed", reason)
        case .dead(let reason): (self.state, self.reason) = ("dead", reason)
        case .withheld: self.state = "withheld"
        case .pending: self.reason = beacon.record?.address.uncallableReason
        }
    }
}

extension RunRequest {
    fileprivate init(_ request: ReportRequest) {
        self.init(
            request.method,
            request.url,
            kind: request.label,
            initiator: request.isCreatives ? .creative : .runtime,
            start: Int(clamping: request.start.wholeMilliseconds),
            duration: Int(clamping: request.length.wholeMilliseconds)
        )
        switch request.outcome {
        case .answered(let status, let type, let bytes):
            (self.status, self.type) = (status, type)
            self.bytes = bytes < 0 ? nil : bytes
        case .failed(let failure): self.error = failure.text
        }
    }
}

extension RunFinding {
    /// The findings of a rule by message; those that are counted but not listed are one more.
    fileprivate static func all(_ group: LintGroup) -> [RunFinding] {
        var findings: [RunFinding] = []
        var indices: [String: Int] = [:]
        for finding in group.findings {
            if let index = indices[finding.message] {
                findings[index].count += 1
            } else {
                indices[finding.message] = findings.count
                findings.append(RunFinding(group, finding.message, line: finding.line, column: finding.column))
            }
        }
        let unlisted = group.count - group.findings.count
        if unlisted > 0 { findings.append(RunFinding(group, "not listed", count: unlisted)) }
        return findings
    }

    private init(_ group: LintGroup, _ message: String, line: Int? = nil, column: Int? = nil, count: Int = 1) {
        self.init(
            rule: group.rule.id,
            severity: group.rule.severity.rawValue,
            line: line,
            column: column,
            count: count,
            message: message,
            fix: group.rule.fix
        )
    }
}

extension Moment {
    fileprivate var milliseconds: Int { Int(clamping: self.sinceOrigin.wholeMilliseconds) }
}
