/// Every line that `--json` prints: its name, its fields and when it comes.
///
/// It is what scripts rely on.
package enum EventTable {
    struct Row: Sendable {
        let name: String
        let fields: [String]
        let summary: String

        fileprivate init(_ name: String, _ fields: String, _ summary: String) {
            self.name = name
            self.fields = fields.split(separator: " ").map(String.init)
            self.summary = summary
        }
    }

    /// What happens to an ad; each has `t`, `ad`, `provider` and `event` besides its own fields.
    static let ofAds = [
        Row("loadStarted", "", "the provider is being asked"),
        Row(
            "loaded",
            "kind size closeTimeout lifetime spots standIns duration skipOffset endCard",
            "the ad can be shown"
        ),
        Row("loadFailed", "code message url line vast", "there will be no ad"),
        Row(
            "shown",
            "requested resolved rendered container containerRule",
            "the ad is on screen; the sizes, and what decided the container's: size, adSize, rootElement, image, mediaFile, screen"
        ),
        Row("showFailed", "code message url line vast", "the ad could not be shown"),
        Row("view", "policy", "the view was counted; at most once"),
        Row("click", "", "the click was counted; at most once"),
        Row(
            "tap",
            "x y target outcome url reason",
            "the user pressed the ad; the outcome is click (recorded), link (opened only), creative or nothing, with the reason"
        ),
        Row(
            "linkOpened",
            "url opened mode",
            "a link was given to the opener; once for each click; mode: systemBrowser or inApp"
        ),
        Row("blocked", "kind detail", "something the creative tried was stopped"),
        Row("requestFailed", "url reason", "a request of the creative failed"),
        Row("scriptError", "message url line column", "a script of the creative threw an error or does not parse"),
        Row(
            "blank",
            "requests errors waiting",
            "nothing of the creative was visible; what had failed by then, and what had not answered"
        ),
        Row("closeAvailable", "rule", "the user can close the ad from now on"),
        Row("quartile", "q spot", "so many hundredths of a spot were played: 0, 25, 50, 75, 100; the first spot is 1"),
        Row("skipAvailable", "", "the user can skip the video from now on"),
        Row("skipped", "", "the user skipped the video"),
        Row("rewarded", "", "the user earned the reward"),
        Row("closed", "reason rewarded rule", "the ad is off the screen; once after shown"),
        Row("expired", "", "the ad was loaded too long ago"),
        Row("issue", "code place message", "bad input was repaired, or something else is wrong"),
        Row("beaconRecorded", "key url", "a beacon was written down: it will be sent, once"),
        Row("beaconDelivered", "key attempts", "a beacon arrived"),
        Row("beaconUnconfirmed", "key reason", "a beacon may have arrived; it is not sent again"),
        Row("beaconDead", "key reason", "a beacon will never arrive"),
        Row(
            "simulated",
            "host bytes",
            "the page was asked for, and none of it runs here: what the app hears of it is made by the terminal stage"
        ),
        Row(
            "told",
            "what cid uid",
            "the page told its server of an impression, action or spin by itself; the engagement"
        ),
        Row("ignored", "input reason", "something came too late, twice or out of order"),
        Row(
            "offer",
            "kind size closeTimeout lifetime viewPolicy link beacons video card details issues",
            "load: what was offered"
        ),
        Row("verdict", "of fired reason", "at the end, of view, of click, and of each VAST tracker"),
    ]

    /// What happens to a live session; each has `t`, `provider` and `event` besides its own fields.
    ///
    /// An `issue` of a session has the fields of one of an ad, and null for the ad.
    static let ofSessions = [
        Row("socket", "state url", "the connection: connecting, to the address without its secrets, or connected"),
        Row("initialized", "gamification products", "the server knows the app"),
        Row("identified", "name avatar properties", "the server knows the user"),
        Row(
            "refused",
            "step code message",
            "the server refused the app (initialize), the user (identify) or a push token"
        ),
        Row("disconnected", "message retryIn", "the connection is gone; when it is tried again, or null"),
        Row("pushTaken", "", "the server has taken a push token"),
        Row("deepLink", "dp", "a page wants the app to do something"),
        Row("publicProperties", "properties", "the user's public properties, as a page tells them"),
        Row("gameOpening", "game providerGame context meta", "the user wants to play a game of the app's"),
        Row("gamificationUnavailable", "message", "the widget can't be opened"),
    ]

    /// The events of a whole run, or of no ad; each has `event` besides its own fields.
    static let ofRuns = [
        Row("chat", "t user assistant gate allows", "demo: a message, and by which rule a card may follow it or not"),
        Row("request", "method url headers body", "--dry-run: what would be sent"),
        Row(
            "toldByPages",
            "impressions actions counted lost doubled unknown",
            "demo: what pages told their server by themselves, held against its bill; none of it is a beacon"
        ),
        Row("report", "path", "--report: the page was written there"),
        Row("summary", "asked filled fillRate p50 p95", "--repeat: at the end; the latencies in milliseconds"),
        Row(
            "reconciliation",
            "key of verdict cause hits url",
            "demo, reconcile: a beacon that did not simply arrive, and with --all each; its verdict is one of those in yabbi-play help reconcile"
        ),
        Row(
            "reconciled",
            "recorded delivered unconfirmed dead pending lost duplicates unknown failed matched late elsewhere dropped creatives",
            "demo, reconcile: at the end; beacons, in failed the ads that could not be shown, in dropped the hits given up, in creatives their own hits"
        ),
        Row("trace", "by this", "replay: another version recorded the trace"),
        Row(
            "replayed",
            "same ads sessions inputs events unended line at ad session after then now message format by this",
            "replay: at the end; how many ads had not ended there; where it came out otherwise, or why it can't be read"
        ),
        Row("flushed", "pending delivered unconfirmed dead", "outbox flush: at the end; what the ledger holds now"),
        Row("pruned", "forgotten pending delivered unconfirmed dead", "outbox prune: at the end"),
    ]

    package static var text: String {
        """
        --json prints one JSON object per line. What happens to an ad has t (milliseconds), ad, provider and event,
        and fields of its own; what is not known is null.

        \(self.ofAds.map(self.line).joined(separator: "\n"))

        What happens to a connection has t, provider and event, and fields of its own.

        \(self.ofSessions.map(self.line).joined(separator: "\n"))

        What is said of a whole run, or of no ad, has event and fields of its own.

        \(self.ofRuns.map(self.line).joined(separator: "\n"))
        """
    }

    private static func line(_ row: Row) -> String {
        let name = row.name + String(repeating: " ", count: max(1, 25 - row.name.count))
        return "  \(name)\(row.summary)\(row.fields.isEmpty ? "" : " (\(row.fields.joined(separator: ", ")))")"
    }
}
