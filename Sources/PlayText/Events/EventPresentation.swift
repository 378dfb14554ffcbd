package import AdCore
import AdProviders
import PlayConsole

/// How an event of an ad is presented: its text, and its mark on the chart of a report.
package struct EventPresentation: Sendable {
    /// A mark on a chart.
    package struct Mark: Sendable {
        package let rating: Rating
        package let label: String
    }

    let text: StyledText
    /// The mark; nil if the event is not drawn.
    package let mark: Mark?

    private init(_ text: StyledText, _ rating: Rating, _ label: String) {
        self.text = text
        self.mark = Mark(rating: rating, label: label)
    }

    private init(_ text: StyledText) {
        self.text = text
        self.mark = nil
    }

    /// The presentation of a record.
    ///
    /// - Parameters:
    ///   - record: The event and its details.
    ///   - opensLinks: Whether `--open` opens links: decides the text for a link that was not opened.
    /// - Returns: Its text and its mark.
    package static func of(_ record: AdRecord, opensLinks: Bool = false) -> EventPresentation {
        switch record.event {
        case .loadStarted:
            .init(
                .plain(
                    record.provider == SmarticoSession.provider
                        ? "engagement received from \(record.provider)" : "requesting an ad from \(record.provider)"
                )
            )
        case .loaded: .init(.bold("loaded", "  \(self.details(record))"))
        case .loadFailed(let error):
            .init(.red("load failed", "  \(Style.printable(error.description, upTo: 400))"), .bad, "load failed")
        case .shown: .init(.bold("shown", "  \(self.details(record))"))
        case .showFailed(let error):
            .init(.red("show failed", "  \(Style.printable(error.description, upTo: 400))"), .bad, "show failed")
        case .view(let policy): .init(.green("view", "  counted (\(policy))"), .good, "view")
        case .paid(let revenue): .init(.plain(AuctionText.text(revenue)), .plain, "paid")
        case .auctionStarted: .init(.plain("auction started"))
        case .bid(let bid): .init(.plain(AuctionText.text(bid)))
        case .auctionEnded(let result):
            .init(.bold("auction ended", "  \(AuctionText.text(result))"), .plain, "auction")
        case .offerFailed(let error):
            .init(
                .yellow(
                    "offer failed",
                    "  \(Style.printable(error.description, upTo: 400)); the next one takes its place"
                ),
                .bad,
                "offer failed"
            )
        case .click: .init(.green("click", "  counted"), .good, "click")
        case .linkOpened(let link, let result):
            .init(self.text(link, result, opensLinks: opensLinks), .plain, "link")
        case .tap(let tap): self.of(tap)
        case .diagnostic(let diagnostic): self.of(diagnostic)
        case .blocked(let attempt):
            .init(
                .yellow("blocked", "  \(attempt.kind.rawValue): \(Style.printable(attempt.detail))"),
                .bad,
                "blocked \(attempt.kind.rawValue)"
            )
        case .closeAvailable(let rule): .init(.plain("can be closed  (\(rule.rawValue))"), .plain, "closable")
        case .quartile(let percent, let spot): self.of(percent, spot)
        case .skipAvailable: .init(.plain("can be skipped"), .plain, "skippable")
        case .skipped: .init(.plain("skipped"), .plain, "skipped")
        case .rewarded(let reward): .init(.green("reward earned", self.text(reward)), .good, "reward")
        case .closed(let closing): .init(self.text(closing), .plain, "closed: \(closing.reason.rawValue)")
        case .expired: .init(.yellow("expired"), .bad, "expired")
        case .issue(let issue): .init(EventLine.text(issue), .warn, "issue")
        case .beaconRecorded(let key, let address):
            .init(
                .plain(
                    "beacon \(record.detail.contains(BeaconHistory.withheldMark) ? "withheld" : "recorded")  \(key.event)  "
                        + Style.printable(Redaction.address(address.text))
                )
            )
        case .beaconDelivered(let key, let attempts):
            .init(.plain("beacon delivered  \(key.event)" + (attempts > 1 ? "  at attempt \(attempts)" : "")))
        case .beaconUnconfirmed(let key, let reason):
            .init(.yellow("beacon unconfirmed", "  \(key.event): \(Style.printable(reason))"))
        case .beaconDead(let key, let reason):
            .init(.red("beacon dead", "  \(key.event): \(Style.printable(reason))"))
        }
    }

    private static func text(_ reward: AdReward) -> String {
        let parts = [reward.amount?.description, reward.type.map { Style.printable($0) }].compactMap { $0 }
        return parts.isEmpty ? "" : "  \(parts.joined(separator: " "))"
    }

    private static func of(_ percent: Int, _ spot: Int) -> EventPresentation {
        let label =
            switch percent {
            case 0: "start"
            case 100: "end of video"
            default: "\(percent) %"
            }
        return EventPresentation(
            .plain("played \(percent) %" + (spot > 0 ? "  of spot \(spot + 1)" : "")),
            .plain,
            label
        )
    }

    private static func of(_ tap: Tap) -> EventPresentation {
        var place = ""
        if let at = tap.place {
            place = "  at \(Int(at.x.rounded())),\(Int(at.y.rounded()))"
            if let target = at.target { place += " on \(Style.printable(target, upTo: 80))" }
        }
        return switch tap.outcome {
        case .click(let link), .link(let link):
            .init(.plain("tap\(place)  → \(Style.printable(Redaction.address(link.text), upTo: 200))"))
        case .creative(let did):
            .init(
                .plain("tap\(place)  handled by the creative: \(Style.printable(did, upTo: 200))"),
                .plain,
                "tap"
            )
        case .nothing(let reason):
            .init(
                .yellow("tap", "\(place)  no click-through: \(Style.printable(reason, upTo: 400))"),
                .warn,
                "tap: no link"
            )
        }
    }

    private static func of(_ diagnostic: CreativeDiagnostic) -> EventPresentation {
        switch diagnostic {
        case .requestFailed(let request):
            .init(
                .yellow("request failed", "  \(Style.printable(DiagnosticText.text(request), upTo: 400))"),
                .bad,
                "request failed"
            )
        case .scriptError(let error):
            .init(
                .yellow("script error", "  \(Style.printable(DiagnosticText.text(error), upTo: 400))"),
                .bad,
                "script error"
            )
        case .blank(let blank):
            .init(.red("blank", "  \(Style.printable(DiagnosticText.text(blank), upTo: 600))"), .bad, "blank")
        }
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
