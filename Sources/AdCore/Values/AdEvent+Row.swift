/// An event as data: its name, its fields and what it reports.
///
/// `--json`, the lines of a trace, the data of a report and the help's table of events are made from it. URLs are not
/// redacted here.
package struct EventRow: Sendable {
    /// The name in traces and in `--json`.
    package let name: String
    /// What the event reports, for the table of events.
    package let summary: String
    /// The fields in their order; unknown values are null.
    package let members: [AdJSON.Member]
    /// The beacon that the event is about.
    package let beacon: BeaconKey?

    package init(
        _ name: String,
        _ summary: String,
        _ members: KeyValuePairs<String, AdJSON> = [:],
        beacon: BeaconKey? = nil
    ) {
        self.init(name, summary, members.map { AdJSON.Member($0.key, $0.value) }, beacon: beacon)
    }

    package init(_ name: String, _ summary: String, _ members: [AdJSON.Member], beacon: BeaconKey? = nil) {
        self.name = name
        self.summary = summary
        self.members = members
        self.beacon = beacon
    }
}

extension AdEvent {
    /// The event's name in traces and in `--json`.
    public var name: String { self.row.name }

    /// The event as data.
    package var row: EventRow {
        switch self {
        case .loadStarted: EventRow("loadStarted", "an ad is being requested")
        case .loaded: EventRow("loaded", "the ad can be shown")
        case .loadFailed(let error): EventRow("loadFailed", "there is no ad", error.members)
        case .shown:
            EventRow(
                "shown",
                "the ad is on screen; the sizes, and what decided the container's: size, adSize, rootElement, image, mediaFile, screen"
            )
        case .showFailed(let error): EventRow("showFailed", "the ad could not be shown", error.members)
        case .view(let policy):
            EventRow("view", "the impression was recorded; at most once", ["policy": .string(policy.name)])
        case .paid(let revenue):
            EventRow("paid", "what the impression earned; once, right after view", revenue.members)
        case .auctionStarted: EventRow("auctionStarted", "the participants of the auction are being asked")
        case .bid(let bid):
            EventRow(
                "bid",
                "an offer of the auction, or a participant without one, and its outcome: won, lost, noBid, timeout, invalid or belowFloor",
                bid.members
            )
        case .auctionEnded(let result):
            EventRow("auctionEnded", "after the bids: the auction chose its offer, or found none", result.members)
        case .offerFailed(let error):
            EventRow(
                "offerFailed",
                "the offer could not be shown; the auction's next one takes its place",
                error.members
            )
        case .click: EventRow("click", "the click was recorded; at most once")
        case .linkOpened(let link, let result):
            EventRow(
                "linkOpened",
                "a link was passed to the opener; once per click; mode: systemBrowser or inApp",
                result.members(of: link)
            )
        case .tap(let tap):
            EventRow(
                "tap",
                "the user tapped the ad; the outcome is click (recorded), link (opened only), creative or nothing, with the reason",
                tap.members
            )
        case .blocked(let attempt):
            EventRow(
                "blocked",
                "an attempt of the creative was blocked",
                ["kind": .string(attempt.kind.rawValue), "detail": .string(attempt.detail)]
            )
        case .diagnostic(let diagnostic): EventRow(diagnostic.name, diagnostic.summary, diagnostic.members)
        case .closeAvailable(let rule):
            EventRow("closeAvailable", "the user can close the ad from now on", ["rule": .string(rule.rawValue)])
        case .quartile(let percent, let spot):
            EventRow(
                "quartile",
                "this percentage of a spot was played: 0, 25, 50, 75, 100; the first spot is 1",
                ["q": .int(percent), "spot": .int(spot + 1)]
            )
        case .skipAvailable: EventRow("skipAvailable", "the user can skip the video from now on")
        case .skipped: EventRow("skipped", "the user skipped the video")
        case .rewarded(let reward):
            EventRow("rewarded", "the user earned the reward, which the transaction identifies", reward.members)
        case .closed(let closing):
            EventRow(
                "closed",
                "the ad is off the screen; once after shown",
                [
                    "reason": .string(closing.reason.rawValue), "rewarded": .bool(closing.rewarded),
                    "rule": .string(closing.rule.rawValue),
                ]
            )
        case .expired: EventRow("expired", "the ad was loaded too long ago")
        case .issue(let issue):
            EventRow(
                "issue",
                "invalid input was repaired, or another problem was found",
                [
                    "code": .string(issue.code), "place": .string(issue.place.description),
                    "message": .string(issue.message),
                ]
            )
        case .beaconRecorded(let key, let address):
            EventRow(
                "beaconRecorded",
                "a beacon was recorded: it will be delivered, once",
                ["key": .string(key.text), "url": .string(address.text)],
                beacon: key
            )
        case .beaconDelivered(let key, let attempts):
            EventRow(
                "beaconDelivered",
                "a beacon was delivered",
                ["key": .string(key.text), "attempts": .int(attempts)],
                beacon: key
            )
        case .beaconUnconfirmed(let key, let reason):
            EventRow(
                "beaconUnconfirmed",
                "a beacon may have been delivered; it is not sent again",
                ["key": .string(key.text), "reason": .string(reason)],
                beacon: key
            )
        case .beaconDead(let key, let reason):
            EventRow(
                "beaconDead",
                "a beacon can't be delivered",
                ["key": .string(key.text), "reason": .string(reason)],
                beacon: key
            )
        }
    }
}

extension AdError {
    fileprivate var members: [AdJSON.Member] {
        [
            .init("code", .string(self.code.description)), .init("message", .string(self.message)),
            .init("url", .text(self.place.url)), .init("line", self.place.line.map { .int($0) } ?? .null),
            .init("vast", self.vastCode.map { .int($0) } ?? .null),
        ]
    }
}

extension LinkOpenResult {
    /// The members of a link and how it was opened.
    package func members(of link: ClickThroughURL) -> [AdJSON.Member] {
        [
            .init("url", .string(link.text)), .init("opened", .bool(self.isOpened)),
            .init("mode", .text(self.mode?.rawValue)),
        ]
    }
}

extension Tap {
    fileprivate var members: [AdJSON.Member] {
        var url: String?
        var reason: String?
        switch self.outcome {
        case .click(let link), .link(let link): url = link.text
        case .creative(let text), .nothing(let text): reason = text
        }
        return [
            .init("x", self.place.map { .double($0.x) } ?? .null),
            .init("y", self.place.map { .double($0.y) } ?? .null),
            .init("target", .text(self.place?.target)), .init("outcome", .string(self.outcome.name)),
            .init("url", .text(url)), .init("reason", .text(reason)),
        ]
    }
}

extension CreativeDiagnostic {
    fileprivate var summary: String {
        switch self {
        case .requestFailed: "a request of the creative failed"
        case .scriptError: "a script of the creative threw an error or does not parse"
        case .blank:
            "nothing of the creative was visible; the failed requests, script errors and pending requests until then"
        }
    }

    package var members: [AdJSON.Member] {
        switch self {
        case .requestFailed(let request): request.members
        case .scriptError(let error): error.members
        case .blank(let blank):
            [
                .init("requests", .array(blank.requests.map { .object($0.members) })),
                .init("errors", .array(blank.errors.map { .object($0.members) })),
                .init("waiting", .array(blank.waiting.map { .string($0) })),
            ]
        }
    }
}

extension FailedRequest {
    fileprivate var members: [AdJSON.Member] {
        [.init("url", .string(self.url)), .init("reason", .string(self.reason))]
    }
}

extension ScriptError {
    fileprivate var members: [AdJSON.Member] {
        [
            .init("message", .string(self.message)), .init("url", .text(self.url)),
            .init("line", self.line.map { .int($0) } ?? .null), .init("column", self.column.map { .int($0) } ?? .null),
        ]
    }
}
