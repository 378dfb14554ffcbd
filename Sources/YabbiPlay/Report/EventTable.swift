/// Every line that `--json` prints: its name, its fields and when it comes.
///
/// It is what scripts rely on.
enum EventTable {
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
        Row("shown", "requested resolved rendered", "the ad is on screen; the sizes"),
        Row("showFailed", "code message url line vast", "the ad could not be shown"),
        Row("view", "policy", "the view was counted; at most once"),
        Row("click", "", "the click was counted; at most once"),
        Row("linkOpened", "url opened", "a link was given to the opener; once for each click"),
        Row("blocked", "kind detail", "something the creative tried was stopped"),
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
        Row("ignored", "input reason", "something came too late, twice or out of order"),
        Row(
            "offer",
            "kind size closeTimeout lifetime viewPolicy link beacons video card details issues",
            "load: what was offered"
        ),
        Row("verdict", "of fired reason", "at the end, of view, of click, and of each VAST tracker"),
    ]

    /// What is said of a whole run, or of no ad at all; each has `event` besides its own fields.
    static let ofRuns = [
        Row("chat", "t user assistant gate allows", "demo: a message, and by which rule a card may follow it or not"),
        Row("request", "method url headers body", "--dry-run: what would be sent"),
        Row("summary", "asked filled fillRate p50 p95", "--repeat: at the end; the latencies in milliseconds"),
        Row(
            "reconciliation",
            "key of verdict cause hits url",
            "demo, reconcile: a beacon that did not simply arrive; lost, doubled, unconfirmed, dead, pending, unknown, late"
        ),
        Row(
            "reconciled",
            "recorded delivered unconfirmed dead pending lost duplicates unknown failed matched late elsewhere dropped",
            "demo, reconcile: at the end; beacons, in failed the ads that could not be shown, in dropped the hits given up"
        ),
    ]

    static var text: String {
        """
        --json prints one JSON object per line. What happens to an ad has t (milliseconds), ad, provider and event,
        and fields of its own; what is not known is null.

        \(self.ofAds.map(self.line).joined(separator: "\n"))

        What is said of a whole run, or of no ad, has event and fields of its own.

        \(self.ofRuns.map(self.line).joined(separator: "\n"))
        """
    }

    private static func line(_ row: Row) -> String {
        let name = row.name + String(repeating: " ", count: max(1, 19 - row.name.count))
        let fields =
            row.fields.isEmpty ? "" : "\n" + String(repeating: " ", count: 21) + row.fields.joined(separator: ", ")
        return "  \(name)\(row.summary)\(fields)"
    }
}
