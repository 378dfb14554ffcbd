package import AdCore
import PlayConsole

extension EventLine {
    /// An event of an ad.
    ///
    /// - Parameters:
    ///   - record: The event, its ad and its time.
    ///   - opensLinks: Whether `--open` opens links: decides the text for a link that was not opened.
    package init(_ record: AdRecord, opensLinks: Bool = false) {
        var row = record.event.row
        // A beacon that the run withholds is recorded and not sent.
        let isWithheld = record.detail.contains(BeaconHistory.withheldMark)
        if isWithheld { row = EventRow("beaconWithheld", row.summary, row.members, beacon: row.beacon) }
        self.init(
            at: record.at,
            provider: record.provider,
            subject: .ad(record.ad),
            name: row.name,
            data: row.members.map(EventLine.redacted) + (isWithheld ? [] : record.detail),
            text: EventPresentation.of(record, opensLinks: opensLinks).text
        )
    }

    /// An input that changed nothing, because it came too late, twice or out of order.
    init(_ ignored: IgnoredInput) {
        self.init(
            at: ignored.at,
            provider: ignored.provider,
            subject: .ad(ignored.ad),
            .ignored,
            ["input": .string(ignored.input), "reason": .string(ignored.reason)],
            .dim("ignored: \(ignored.input) (\(ignored.reason))")
        )
    }

    static func redacted(_ member: AdJSON.Member) -> AdJSON.Member {
        guard member.name == "url", let url = member.value.string else { return member }
        return AdJSON.Member("url", .string(Redaction.address(url)))
    }

    /// An issue of an ad or of a session.
    static func text(_ issue: AdIssue) -> StyledText {
        .yellow("issue", "  \(Style.printable(issue.description, upTo: 400))")
    }
}
