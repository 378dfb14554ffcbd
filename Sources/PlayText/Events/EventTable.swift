import AdCore
import AdProviders

/// Every line that `--json` prints.
///
/// Scripts rely on it. The names `told` and `toldByPages` are kept for them, although the code has "sent by the page".
package enum EventTable {
    /// A kind of line: its name, its fields, and when it is printed.
    package struct Row: Sendable {
        package let name: String
        package let fields: [String]
        let summary: String

        fileprivate init(_ name: String, _ fields: String, _ summary: String) {
            self.name = name
            self.fields = fields.split(separator: " ").map(String.init)
            self.summary = summary
        }

        /// The line of an event, with further fields of its record.
        fileprivate init(_ event: AdEvent, and details: String = "") { self.init(event.row, and: details) }

        fileprivate init(_ row: EventRow, and details: String = "") {
            self.name = row.name
            self.fields = row.members.map(\.name) + details.split(separator: " ").map(String.init)
            self.summary = row.summary
        }
    }

    /// The events of an ad; each has `t`, `ad`, `provider` and `event` besides its own fields.
    package static let ofAds =
        [
            Row(.loadStarted),
            Row(.loaded, and: "kind size closeTimeout lifetime spots standIns duration skipOffset endCard"),
            Row(.loadFailed(sampleError)), Row(.shown, and: "requested resolved rendered container containerRule"),
        ] + samples.map { Row($0) } + [
            .simulated, .told, .ignored, .host,
        ] + activities.map { Row($0.row) } + [
            .fetch,
            Row(
                "offer",
                "kind size closeTimeout lifetime viewPolicy link beacons video card details issues",
                "load: the offer"
            ),
            Row(
                "verdict",
                "of outcome fired reason",
                "at the end: what became of an event, and why: fired (its tracker was), counted (it has none), withheld or notFired; of omid/<vendor>: measured or notMeasured"
            ),
        ]

    /// One of each activity of a creative.
    private static let activities: [CreativeActivity] = [
        .console(ConsoleMessage(.log, "")), .bridge(BridgeMessage(.mraid, .fromCreative, "", .null)),
        .bridge(BridgeMessage(.omid, .fromCreative, "", .null)),
        .layout(CreativePlace(.normal, x: 0, y: 0, width: 0, height: 0)), .scroll(x: 0, y: 0), .visible(ratio: 0),
        .longTask(.zero), .mediaStall(.zero, at: nil), .captions(CaptionActivity(.off, url: "", language: nil)),
        .painted(after: .zero), .call(ScriptCall(.storage, "")),
        .media(MediaStart(.video, isAudible: false, isAfterGesture: false)), .use(ResourceUse()), .withheld(url: ""),
        .omitted(""),
    ]

    private static let sampleError = AdError(.noFill, "")
    private static let sampleKey = BeaconKey(ad: AdID(bits: 0), event: .view)

    /// One of each further event of an ad.
    private static let samples: [AdEvent] = auctionSamples + showSamples + beaconSamples

    private static let auctionSamples: [AdEvent] = [
        .auctionStarted, .bid(AuctionBid(participant: "", price: nil, outcome: .noBid, reason: nil, time: nil)),
        .auctionEnded(AuctionResult([], in: .zero)), .offerFailed(sampleError),
    ]

    private static let showSamples: [AdEvent] =
        [
            .showFailed(sampleError), .view(.anyPixel),
            .paid(AdRevenue(amount: 0, currency: .usd, precision: .exact)), .click, .tap(Tap(.nothing(""))),
        ]
        + (ClickThroughURL("https://shop.example/").map { [.linkOpened($0, .notOpened)] } ?? []) + [
            .blocked(BlockedAttempt(.other, "")), .diagnostic(.requestFailed(FailedRequest(url: "", reason: ""))),
            .diagnostic(.scriptError(ScriptError(""))), .diagnostic(.blank(BlankCreative())),
            .closeAvailable(.immediate), .quartile(0, spot: 0), .skipAvailable, .skipped, .rewarded(AdReward()),
            .closed(CloseDetails(reason: .user, rewarded: false, rule: .immediate)), .expired,
        ]

    private static let beaconSamples: [AdEvent] = [
        .issue(AdIssue("", at: .whole, "")), .beaconRecorded(sampleKey, BeaconAddress("")),
        .beaconDelivered(sampleKey, attempts: 1), .beaconUnconfirmed(sampleKey, reason: ""),
        .beaconDead(sampleKey, reason: ""),
    ]

    /// The events of a live session; each has `t`, `provider` and `event` besides its own fields.
    ///
    /// An `issue` of a session has the fields of an ad's, and null for the ad.
    package static let ofSessions: [Row] = [.socket] + SmarticoEvent.samples.map { Row($0.row) }

    /// The events of a whole run, or of no ad; each has `event` besides its own fields.
    package static let ofRuns = [
        Row(
            "chat",
            "t user assistant gate allows",
            "demo: a message, and the rule that allows a card after it or not"
        ),
        Row("request", "method url headers body", "--dry-run: the request that would be sent"),
        Row(
            "toldByPages",
            "impressions actions counted lost doubled unknown",
            "demo: the messages that pages sent to their server, compared with its bill; they are not beacons"
        ),
        Row("report", "path", "--report: where the page was written"),
        Row("summary", "asked filled fillRate p50 p95", "--repeat: at the end; the latencies in milliseconds"),
        Row(
            "reconciliation",
            "key of verdict cause hits url",
            "demo, reconcile: a beacon that does not match one hit, or with --all each beacon; yabbi-play help reconcile lists the verdicts"
        ),
        Row(
            "reconciled",
            "recorded delivered unconfirmed dead pending lost duplicates unknown failed matched late elsewhere dropped creatives",
            "demo, reconcile: at the end; the numbers of beacons; failed: ads that could not be shown; dropped: hits that the server dropped; creatives: hits of creatives"
        ),
        Row("trace", "by this", "replay: another version recorded the trace"),
        Row(
            "replayed",
            "same ads sessions inputs events unended line at ad session after then now message format by this",
            "replay: at the end; how many ads had not ended, the first difference, or why the trace can't be read"
        ),
        Row("engine", "name", "show --stage chromium,webkit: the events of this browser follow"),
        Row(
            "difference",
            "kind name adA adB text a b",
            "compare, show --stage chromium,webkit: what differs; the ad's name, its numbers in both runs, and what each run has, null for nothing"
        ),
        Row(
            "compared",
            "differences failing notes",
            "compare, show --stage chromium,webkit: at the end; failing: differences of a kind that --policy names; notes: what could not be compared"
        ),
        Row(
            "verdict",
            "id source verdict reasons measures ms at kind title picture findings digest policy policyVersion",
            "scan: a creative was judged; reasons have rule, level, message, line and known; at: when it was scanned; scan --measures lists the measures"
        ),
        Row(
            "scanned",
            "total pass warn fail known resumed perCoreHour",
            "scan: at the end; known: better by the baseline; resumed: scanned before; perCoreHour: creatives for an hour of one processor"
        ),
        Row(
            "submitted",
            "label total new judged policy policyVersion",
            "scan submit: at the end; new: those that the queue did not have; judged: those with a verdict already"
        ),
        Row("metrics", "url", "scan work --metrics: where the metrics are"),
        Row(
            "queue",
            "label total waiting inProgress pass warn fail setAside suspects lastMinute oldestMs",
            "scan status: the creatives of a submission or of all; suspects: those whose worker ended"
        ),
        Row("submission", "label total open", "scan status: one of the last submissions; open: without a verdict"),
        Row(
            "worker",
            "name version lanes inProgress judged seenMs startedMs",
            "scan status: a worker, and how long ago it was seen and started"
        ),
        Row("setAside", "id reason", "scan status: a creative that ended several workers"),
        Row("retried", "count", "scan retry: how many creatives will be scanned again"),
        Row(
            "flushed",
            "pending delivered unconfirmed dead",
            "outbox flush: at the end; what the ledger contains now"
        ),
        Row("pruned", "forgotten pending delivered unconfirmed dead", "outbox prune: at the end"),
    ]

    package static var text: String {
        """
        --json prints one JSON object per line. An event of an ad has t (milliseconds), ad, provider and event, and
        fields of its own; unknown values are null.

        \(self.ofAds.map(self.line).joined(separator: "\n"))

        An event of a connection has t, provider and event, and fields of its own.

        \(self.ofSessions.map(self.line).joined(separator: "\n"))

        An event of a whole run, or of no ad, has event and fields of its own.

        \(self.ofRuns.map(self.line).joined(separator: "\n"))
        """
    }

    private static func line(_ row: Row) -> String {
        let name = row.name + String(repeating: " ", count: max(1, 25 - row.name.count))
        return "  \(name)\(row.summary)\(row.fields.isEmpty ? "" : " (\(row.fields.joined(separator: ", ")))")"
    }
}

// Rows whose lines are made from the table.
extension EventTable.Row {
    static let simulated = EventTable.Row(
        "simulated",
        "host bytes",
        "the engagement's page was loaded; the terminal does not run it, and simulates its messages to the app"
    )
    static let told = EventTable.Row(
        "told",
        "what cid uid",
        "the page sent an impression, action or spin to its server; uid is the engagement"
    )
    static let ignored = EventTable.Row("ignored", "input reason", "an input came too late, twice or out of order")

    package static let fetch = EventTable.Row(
        "fetch",
        "what kind method url status type bytes at ms redirects reason",
        "an HTTP request is over; what: tag, load, wrapper, media, creative or beacon; at and ms: its start since the run's and its duration in real milliseconds, at any --speed"
    )
    package static let host = EventTable.Row(
        "host",
        "what",
        "something of the app covers or uncovers the ad, the app goes to the background or the foreground, or offline or online"
    )
    static let socket = EventTable.Row(
        "socket",
        "state url",
        "the connection: connecting, with the address without its secrets, or connected"
    )
}
