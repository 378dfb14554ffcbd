package import AdCore
import AdProviders
import AdRuntime
import AdTrace
import PlayConsole

extension EventLine {
    /// An event of an ad.
    ///
    /// - Parameters:
    ///   - record: The event, its ad and its time.
    ///   - opensLinks: Whether `--open` opens links: decides the text for a link that was not opened.
    package init(_ record: AdRecord, opensLinks: Bool = false) {
        self.init(
            at: record.at,
            provider: record.provider,
            subject: .ad(record.ad),
            name: record.event.name,
            data: record.event.members.map(EventLine.redacted) + record.detail,
            text: EventLine.text(record, opensLinks: opensLinks)
        )
    }

    /// An input that changed nothing, because it came too late, twice or out of order.
    init(_ ignored: IgnoredInput) {
        self.init(
            at: ignored.at,
            provider: ignored.provider,
            subject: .ad(ignored.ad),
            .ignored,
            [.string(ignored.input), .string(ignored.reason)],
            .dim("ignored: \(ignored.input) (\(ignored.reason))")
        )
    }

    private static func redacted(_ member: AdJSON.Member) -> AdJSON.Member {
        guard member.name == "url", let url = member.value.string else { return member }
        return AdJSON.Member("url", .string(Redaction.address(url)))
    }

    private static func text(_ record: AdRecord, opensLinks: Bool) -> StyledText {
        switch record.event {
        case .loadStarted:
            record.provider == SmarticoSession.provider
                ? .plain("engagement received from \(record.provider)")
                : .plain("requesting an ad from \(record.provider)")
        case .loaded: .bold("loaded", "  \(self.details(record))")
        case .loadFailed(let error): .red("load failed", "  \(Style.printable(error.description, upTo: 400))")
        case .shown: .bold("shown", "  \(self.details(record))")
        case .showFailed(let error): .red("show failed", "  \(Style.printable(error.description, upTo: 400))")
        case .view(let policy): .green("view", "  counted (\(policy))")
        case .click: .green("click", "  counted")
        case .linkOpened(let link, let result): self.text(link, result, opensLinks: opensLinks)
        case .tap(let tap): self.text(tap)
        case .diagnostic(let diagnostic): self.text(diagnostic)
        case .blocked(let attempt):
            .yellow("blocked", "  \(attempt.kind.rawValue): \(Style.printable(attempt.detail))")
        case .closeAvailable(let rule): .plain("can be closed  (\(rule.rawValue))")
        case .quartile(let percent, let spot): .plain("played \(percent) %" + (spot > 0 ? "  of spot \(spot + 1)" : ""))
        case .skipAvailable: .plain("can be skipped")
        case .skipped: .plain("skipped")
        case .rewarded: .green("reward earned")
        case .closed(let closing): self.text(closing)
        case .expired: .yellow("expired")
        case .issue(let issue): self.text(issue)
        case .beaconRecorded(let key, let address):
            .plain("beacon recorded  \(key.event)  \(Style.printable(Redaction.address(address.text)))")
        case .beaconDelivered(let key, let attempts):
            .plain("beacon delivered  \(key.event)" + (attempts > 1 ? "  at attempt \(attempts)" : ""))
        case .beaconUnconfirmed(let key, let reason):
            .yellow("beacon unconfirmed", "  \(key.event): \(Style.printable(reason))")
        case .beaconDead(let key, let reason): .red("beacon dead", "  \(key.event): \(Style.printable(reason))")
        }
    }

    /// An issue of an ad or of a session.
    static func text(_ issue: AdIssue) -> StyledText {
        .yellow("issue", "  \(Style.printable(issue.description, upTo: 400))")
    }

    private static func text(_ link: ClickThroughURL, _ result: LinkOpenResult, opensLinks: Bool) -> StyledText {
        let url = Style.printable(Redaction.address(link.text))
        return switch result {
        case .opened(.systemBrowser): .plain("link opened  \(url)")
        case .opened(.inApp): .plain("link opened  \(url)  (in the app)")
        case .notOpened:
            .plain("link  \(url)  (\(opensLinks ? "could not be opened" : "not opened; --open opens it"))")
        }
    }

    private static func text(_ tap: Tap) -> StyledText {
        var place = ""
        if let at = tap.place {
            place = "  at \(Int(at.x.rounded())),\(Int(at.y.rounded()))"
            if let target = at.target { place += " on \(Style.printable(target, upTo: 80))" }
        }
        return switch tap.outcome {
        case .click(let link), .link(let link):
            .plain("tap\(place)  → \(Style.printable(Redaction.address(link.text), upTo: 200))")
        case .creative(let did): .plain("tap\(place)  handled by the creative: \(Style.printable(did, upTo: 200))")
        case .nothing(let reason): .yellow("tap", "\(place)  no click-through: \(Style.printable(reason, upTo: 400))")
        }
    }

    private static func text(_ diagnostic: CreativeDiagnostic) -> StyledText {
        switch diagnostic {
        case .requestFailed(let request):
            .yellow("request failed", "  \(Style.printable(DiagnosticText.words(request), upTo: 400))")
        case .scriptError(let error):
            .yellow("script error", "  \(Style.printable(DiagnosticText.words(error), upTo: 400))")
        case .blank(let blank): .red("blank", "  \(Style.printable(DiagnosticText.words(blank), upTo: 600))")
        }
    }

    private static func text(_ closing: CloseDetails) -> StyledText {
        let cause = closing.reason == .stageGone ? "stage removed" : "by \(closing.reason.rawValue)"
        return .bold("closed", "  \(cause) (\(closing.rule.rawValue))\(closing.rewarded ? ", rewarded" : "")")
    }

    /// The details of the offer or the sizes, with units.
    private static func details(_ record: AdRecord) -> String {
        record.detail.filter { $0.value != .null }.map(self.detail).joined(separator: ", ")
    }

    private static func detail(_ member: AdJSON.Member) -> String {
        let value = member.value.string ?? member.value.text()
        if member.name == "containerRule" { return "from " + (ContainerSize.Rule(rawValue: value)?.text ?? value) }
        // Times are milliseconds in JSON.
        guard ["closeTimeout", "lifetime", "duration"].contains(member.name), let time = member.value.number else {
            return "\(member.name == "standIns" ? "fallback ads" : member.name) \(value)"
        }
        return "\(member.name) \(AdJSON.double(time / 1000).text()) s"
    }
}
