/// The texts of `help`, made from the table of options.
enum Help {
    static let version = "0.1.0"

    static let summaries: [(command: Settings.Command, usage: String, summary: String)] = [
        (.demo, "demo", "start the built-in server, show every bundled creative, reconcile the beacons"),
        (.show, "show [SOURCE]", "load an ad and show it, to its close; say what fired, what did not, and why"),
        (.load, "load [SOURCE]", "the same without showing: the offer, its beacons, sizes and rules"),
        (.sandbox, "sandbox", "run the built-in server until interrupted"),
        (.help, "help [COMMAND]", "this, or all about a command; help providers lists the providers"),
    ]

    static func text(_ topic: String?) throws(UsageError) -> String {
        guard let topic else { return self.overview }
        if topic == "providers" { return self.providers }
        guard let command = Settings.Command(rawValue: topic) else {
            let words = Settings.Command.allCases.map(\.rawValue) + ["providers"]
            let nearest = Suggestion.nearest(to: topic, among: words)
            let hint = nearest.map { "did you mean \($0)?" } ?? "topics: \(words.joined(separator: ", "))"
            throw UsageError("there is no help on \u{201C}\(topic)\u{201D}; \(hint)")
        }
        return self.text(of: command)
    }

    private static var overview: String {
        let lines = self.summaries.map { "  yabbi-play \(self.padded($0.usage, 18))\($0.summary)" }
        return """
            yabbi-play loads, shows and explains ads.

            \(lines.joined(separator: "\n"))

            Without a command it is yabbi-play demo. SOURCE is an .html or .json file, or the http(s) address of a tag;
            without one the provider is asked.

            \(self.exitCodes)
            """
    }

    private static func text(of command: Settings.Command) -> String {
        let entry = self.summaries.first { $0.command == command }
        let options = Option.all.filter { $0.commands.contains(command) }
        let rows = options.map { option -> String in
            let left = option.name + (option.placeholder.map { " " + $0 } ?? "")
            // A long placeholder gets a line of its own.
            return left.count > 26
                ? "  \(left)\n      \(String(repeating: " ", count: 24))\(option.summary)"
                : "  \(self.padded(left, 28))\(option.summary)"
        }
        var parts = ["usage: yabbi-play \(entry?.usage ?? command.rawValue)\(rows.isEmpty ? "" : " [OPTIONS]")"]
        parts.append(entry?.summary ?? "")
        if command == .show {
            parts.append(
                """
                The acts of --do: click, close, skip, back, mute, unmute, pause, resume, cover, uncover, background,
                foreground, rotate, scroll N. When the last one is done the ad is closed as soon as it can be.

                On a terminal show is live: it counts down to the close, and takes keys: c clicks, x closes, space
                covers and uncovers the ad, q quits. Without --do the ad then stays until a key ends it.
                """
            )
        }
        if !rows.isEmpty { parts.append("options:\n" + rows.joined(separator: "\n")) }
        if [.demo, .show, .load].contains(command) { parts.append(self.exitCodes) }
        return parts.joined(separator: "\n\n")
    }

    private static let exitCodes = """
        exit codes: 0 done, 2 usage, 3 no fill, 4 load failed, 5 show failed, 6 invalid creative,
        7 beacons pending, unconfirmed or dead. With several causes the worst wins: 5, 4, 7, 3.
        """

    private static let providers = """
        yabbi     POST of YABBI's own JSON. --endpoint is the whole address of the load call; --publisher, --unit,
                  --app-bundle, --app-name, --ifa, --geo fill the request; --format chooses the slot.
        openrtb   POST of an OpenRTB 2.6 BidRequest with the same options.

        Without --endpoint the built-in server answers both; --unit is then the name of a creative, or one of the
        server's special units: nofill, slow, broken, and the bad-… ones that yabbi-play sandbox lists.
        """

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
