/// A kind of line that `--json` prints: its name, its fields, and when it is printed.
///
/// The names `told` and `toldByPages` are kept for scripts that read these lines, although code says "sent by the page".
package struct EventRow: Sendable {
    package let name: String
    package let fields: [String]
    let summary: String

    fileprivate init(_ name: String, _ fields: String, _ summary: String) {
        self.name = name
        self.fields = fields.split(separator: " ").map(String.init)
        self.summary = summary
    }
}

// Rows whose lines are made from the table.
extension EventRow {
    static let simulated = EventRow(
        "simulated",
        "host bytes",
        "the engagement's page was loaded; the terminal does not run it, and simulates its messages to the app"
    )
    static let told = EventRow(
        "told",
        "what cid uid",
        "the page itself sent its server an impression, action or spin; the engagement"
    )
    static let ignored = EventRow("ignored", "input reason", "an input came too late, twice or out of order")

    static let socket = EventRow(
        "socket",
        "state url",
        "the connection: connecting, with the address without its secrets, or connected"
    )
    static let initialized = EventRow("initialized", "gamification products", "the server accepted the app")
    static let identified = EventRow("identified", "name avatar properties", "the server accepted the user")
    static let refused = EventRow(
        "refused",
        "step code message",
        "the server refused the app (initialize), the user (identify) or a push token"
    )
    static let disconnected = EventRow(
        "disconnected",
        "message retryIn",
        "the connection is closed; when the next attempt is made, or null"
    )
    static let pushTokenAccepted = EventRow("pushTaken", "", "the server accepted a push token")
    static let deepLink = EventRow("deepLink", "dp", "a page sends the app a deep link")
    static let publicProperties = EventRow(
        "publicProperties",
        "properties",
        "the user's public properties, as a page sent them"
    )
    static let gameOpening = EventRow(
        "gameOpening",
        "game providerGame context meta",
        "the user opens a game of the app's"
    )
    static let gamificationUnavailable = EventRow("gamificationUnavailable", "message", "the widget can't be opened")
}

/// Every line that `--json` prints.
///
/// Scripts rely on it.
package enum EventTable {
    /// The events of an ad; each has `t`, `ad`, `provider` and `event` besides its own fields.
    package static let ofAds = [
        EventRow("loadStarted", "", "an ad is being requested"),
        EventRow(
            "loaded",
            "kind size closeTimeout lifetime spots standIns duration skipOffset endCard",
            "the ad can be shown"
        ),
        EventRow("loadFailed", "code message url line vast", "there is no ad"),
        EventRow(
            "shown",
            "requested resolved rendered container containerRule",
            "the ad is on screen; the sizes, and what decided the container's: size, adSize, rootElement, image, mediaFile, screen"
        ),
        EventRow("showFailed", "code message url line vast", "the ad could not be shown"),
        EventRow("view", "policy", "the impression was recorded; at most once"),
        EventRow("click", "", "the click was recorded; at most once"),
        EventRow(
            "tap",
            "x y target outcome url reason",
            "the user tapped the ad; the outcome is click (recorded), link (opened only), creative or nothing, with the reason"
        ),
        EventRow(
            "linkOpened",
            "url opened mode",
            "a link was passed to the opener; once per click; mode: systemBrowser or inApp"
        ),
        EventRow("blocked", "kind detail", "an attempt of the creative was blocked"),
        EventRow("requestFailed", "url reason", "a request of the creative failed"),
        EventRow("scriptError", "message url line column", "a script of the creative threw an error or does not parse"),
        EventRow(
            "blank",
            "requests errors waiting",
            "nothing of the creative was visible; the failed requests, script errors and pending requests until then"
        ),
        EventRow("closeAvailable", "rule", "the user can close the ad from now on"),
        EventRow("quartile", "q spot", "this percentage of a spot was played: 0, 25, 50, 75, 100; the first spot is 1"),
        EventRow("skipAvailable", "", "the user can skip the video from now on"),
        EventRow("skipped", "", "the user skipped the video"),
        EventRow("rewarded", "", "the user earned the reward"),
        EventRow("closed", "reason rewarded rule", "the ad is off the screen; once after shown"),
        EventRow("expired", "", "the ad was loaded too long ago"),
        EventRow("issue", "code place message", "invalid input was repaired, or another problem was found"),
        EventRow("beaconRecorded", "key url", "a beacon was recorded: it will be delivered, once"),
        EventRow("beaconDelivered", "key attempts", "a beacon was delivered"),
        EventRow("beaconUnconfirmed", "key reason", "a beacon may have been delivered; it is not sent again"),
        EventRow("beaconDead", "key reason", "a beacon can't be delivered"),
        .simulated, .told, .ignored,
        EventRow(
            "offer",
            "kind size closeTimeout lifetime viewPolicy link beacons video card details issues",
            "load: the offer"
        ),
        EventRow("verdict", "of fired reason", "at the end: whether the tracker of an event fired, and why"),
    ]

    /// The events of a live session; each has `t`, `provider` and `event` besides its own fields.
    ///
    /// An `issue` of a session has the fields of an ad's, and null for the ad.
    package static let ofSessions: [EventRow] = [
        .socket, .initialized, .identified, .refused, .disconnected, .pushTokenAccepted, .deepLink, .publicProperties,
        .gameOpening, .gamificationUnavailable,
    ]

    /// The events of a whole run, or of no ad; each has `event` besides its own fields.
    package static let ofRuns = [
        EventRow(
            "chat",
            "t user assistant gate allows",
            "demo: a message, and the rule that allows a card after it or not"
        ),
        EventRow("request", "method url headers body", "--dry-run: the request that would be sent"),
        EventRow(
            "toldByPages",
            "impressions actions counted lost doubled unknown",
            "demo: the messages that pages sent to their server, compared with its bill; they are not beacons"
        ),
        EventRow("report", "path", "--report: where the page was written"),
        EventRow("summary", "asked filled fillRate p50 p95", "--repeat: at the end; the latencies in milliseconds"),
        EventRow(
            "reconciliation",
            "key of verdict cause hits url",
            "demo, reconcile: a beacon that does not match one hit, or with --all each beacon; yabbi-play help reconcile lists the verdicts"
        ),
        EventRow(
            "reconciled",
            "recorded delivered unconfirmed dead pending lost duplicates unknown failed matched late elsewhere dropped creatives",
            "demo, reconcile: at the end; the numbers of beacons; failed: ads that could not be shown; dropped: hits that the server dropped; creatives: hits of creatives"
        ),
        EventRow("trace", "by this", "replay: another version recorded the trace"),
        EventRow(
            "replayed",
            "same ads sessions inputs events unended line at ad session after then now message format by this",
            "replay: at the end; how many ads had not ended, the first difference, or why the trace can't be read"
        ),
        EventRow(
            "flushed",
            "pending delivered unconfirmed dead",
            "outbox flush: at the end; what the ledger contains now"
        ),
        EventRow("pruned", "forgotten pending delivered unconfirmed dead", "outbox prune: at the end"),
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

    private static func line(_ row: EventRow) -> String {
        let name = row.name + String(repeating: " ", count: max(1, 25 - row.name.count))
        return "  \(name)\(row.summary)\(row.fields.isEmpty ? "" : " (\(row.fields.joined(separator: ", ")))")"
    }
}
