import AdCore
import AdMarkup

extension Option {
    /// Every option there is, in the order of the help.
    static let all: [Option] = whom + what + how + run + keeping + linting + reconciling

    private static let defaults = Settings()

    private static let whom: [Option] = [
        .choice(
            "--provider",
            "whom to ask, yabbi by default (watch: smartico); without --endpoint a built-in server answers",
            asking + connecting
        ) {
            $0.provider = $1
        },
        .value(
            "--set",
            .parameter,
            "what the provider is told, by its own names; yabbi-play help providers",
            asking + connecting
        ) {
            (settings, text) throws(UsageError) in try settings.parameters.add(text)
        }.addingUp,
        .value(
            "--endpoint",
            "URL",
            "the address of the load call, of a card provider's API, or of smartico's socket (wss://…)",
            asking + connecting
        ) {
            (settings, text) throws(UsageError) in
            settings.socket = SocketURL(text)
            settings.endpoint = settings.socket == nil ? try address(text, of: "--endpoint") : nil
        },
        .value("--publisher", "ID", "the publisher's id; \(defaults.publisher) by default", playing) {
            $0.publisher = $1
        },
        .value("--unit", "ID", "the placement's id; with the built-in server, the name of a creative", asking) {
            $0.unit = $1
        },
        .value("--app-bundle", "NAME", "the app's technical name; \(defaults.bundle) by default", playing + connecting)
        {
            $0.bundle = $1
        },
        .value("--app-name", "NAME", "the app's name; \(defaults.appName) by default", playing) { $0.appName = $1 },
        .value("--ifa", "ID", "the advertising identifier; none is sent by default", playing) { $0.ifa = $1 },
        .value("--geo", "LAT,LON,PRECISION", "where the device is; null is sent by default", playing) {
            (settings, text) throws(UsageError) in settings.location = try location(text)
        },
    ]

    private static let what: [Option] = [
        .value(
            "--format",
            .word([AdFormat.banner, .interstitial, .rewarded].map(\.rawValue)),
            "what the app asks for; by default what the creative is made for, or banner",
            asking
        ) {
            (settings, text) throws(UsageError) in
            guard let format = AdFormat(rawValue: text), [.banner, .interstitial, .rewarded].contains(format) else {
                let words = [AdFormat.banner, .interstitial, .rewarded].map(\.rawValue)
                let nearest = Suggestion.nearest(to: text, among: words).map { "; did you mean \($0)?" } ?? ""
                throw UsageError(
                    "--format takes banner, interstitial or rewarded, not \u{201C}\(text)\u{201D}\(nearest)"
                )
            }
            settings.format = format
        },
        .value("--size", "WxH", "the container in points; 390 wide by default", playing + connecting) {
            (settings, text) throws(UsageError) in settings.container = try size(text)
        },
        .value("--creatives", .folder, "the folder of the built-in server's creatives", playing + [.sandbox, .doctor]) {
            $0.creatives = $1
        },
    ]

    private static let how: [Option] = [
        .choice(
            "--stage",
            "where to show: terminal by default; chromium is a real browser; none shows without a picture",
            [.show, .demo, .doctor] + connecting
        ) {
            $0.chosenStage = $1
        },
        .value("--screenshot", .file, "a picture of the ad in a browser, as PNG, before it closes", [.show]) {
            $0.picture = $1
        },
        .value(
            "--report",
            .folder,
            "write DIR/report.html: pictures, timeline, beacons, requests; in a browser where one is found",
            playing
        ) { (settings, text) throws(UsageError) in
            guard !text.isEmpty else { throw UsageError("--report takes a folder, and this one has no name") }
            settings.report = text
        },
        .value(
            "--trace",
            .file,
            "write down what happens, to be run again by replay: a bug report",
            playing + connecting
        ) {
            $0.trace = $1
        },
        .flag(
            "--trace-secrets",
            "write identifiers, places, keys and tokens into the trace as well",
            playing + connecting
        ) {
            $0.tracesSecrets = true
        },
        .value(
            "--neighbour",
            "URL",
            "a server on this machine or its network that an ad in a browser may ask; may be given again",
            [.show] + connecting
        ) {
            (settings, text) throws(UsageError) in
            guard let url = HTTPURL(text) else {
                let shown = Redaction.address(text)
                throw UsageError(
                    "--neighbour takes the http or https address of a server, not \u{201C}\(shown)\u{201D}"
                )
            }
            settings.neighbours.append(url)
        }.addingUp,
        .flag("--headful", "let the browser open a window, for people", [.show]) { $0.hasWindow = true },
        .value(
            "--scale",
            "N",
            "pixels for each point of the browser's screen, as ads see it, from 1 to 4; otherwise 1, or 2 where pictures are made",
            [.show]
        ) { (settings, text) throws(UsageError) in
            guard let scale = Double(text), (1...4).contains(scale) else {
                throw UsageError("--scale takes a number from 1 to 4, not \u{201C}\(text)\u{201D}")
            }
            settings.scale = scale
        },
        .flag(
            "--allow-blank",
            "accept an ad of which nothing was visible; otherwise that ends with exit code 5",
            [.show]
        ) {
            $0.allowsBlank = true
        },
        .flag(
            "--no-sandbox",
            "run the browser without its own sandbox, where it can't have one",
            [.show] + connecting
        ) {
            $0.isSandboxed = false
        },
        .choice(
            "--clock",
            "real by default, virtual for demo; virtual time jumps over every wait",
            playing + connecting
        ) {
            $0.clock = $1
        },
        .value("--speed", "N", "real time N times as fast, videos too; from 1 to 16", [.show, .demo]) {
            (settings, text) throws(UsageError) in
            guard let speed = Double(text), (1...16).contains(speed) else {
                throw UsageError("--speed takes a number from 1 to 16, not \u{201C}\(text)\u{201D}")
            }
            settings.chosenSpeed = speed
        },
        .value(
            "--do",
            .steps(Script.Act.simple.map { "\($0.word)@" }, placeholder: "STEPS"),
            "a scripted user: \"click@2s,close@6s\", each time after the reveal",
            [.show] + connecting
        ) {
            (settings, text) throws(UsageError) in settings.script = try Script(parsing: text)
        },
        .flag("--open", "open links for real, with xdg-open", [.show]) { $0.opensLinks = true },
        .flag("--resend", "send beacons again when in doubt, for servers that take each key once", playing) {
            $0.resends = true
        },
    ]

    private static let run: [Option] = [
        .flag(
            "--follow",
            "follow wrappers to their ends: who is asked, what is played, who is told of what",
            [.inspect]
        ) {
            $0.follows = true
        },
        .value("--map", .file, "follow wrappers without a network: a JSON object from addresses to files", [.inspect]) {
            $0.map = $1
        },
        .flag(
            "--json",
            "one JSON object per line instead of text",
            playing + connecting + [.inspect, .lint, .outbox, .reconcile, .replay, .doctor]
        ) {
            $0.isJSON = true
        },
        .flag("--dry-run", "print the exact request, headers included, and stop", asking) { $0.isDryRun = true },
        .value("--repeat", "N", "do it N times; fill rate and latency at the end, and no list for each", asking) {
            (settings, text) throws(UsageError) in settings.repeats = try count(text, of: "--repeat", upTo: 100_000)
        },
        .value(
            "--timeout",
            "S",
            "how long a load may take, and its beacons are waited for; 10",
            playing + connecting,
            timeout
        ),
        .value("--timeout", "S", "how long a server may take to send a document; 10", [.inspect, .lint], timeout),
        .value("--timeout", "S", "how long the server may take to tell its hits; 10", [.reconcile], timeout),
        .value("--timeout", "S", "flush: after it no new attempt begins; 10", [.outbox], timeout),
        .value(
            "--seed",
            "N",
            "makes ids the same in every run, and in virtual time every line but for ports",
            playing + connecting
        ) { (settings, text) throws(UsageError) in
            guard let seed = UInt64(text) else {
                throw UsageError("--seed takes a whole number from 0 to \(UInt64.max), not \u{201C}\(text)\u{201D}")
            }
            settings.seed = seed
        },
        .value("--for", "S", "how long to watch; until q, Ctrl-C or a signal by default", connecting) {
            (settings, text) throws(UsageError) in settings.watchFor = try seconds(text, of: "--for")
        },
        .value("--port", "N", "the port to listen on; the system chooses by default", [.sandbox]) {
            (settings, text) throws(UsageError) in
            settings.port = UInt16(try count(text, of: "--port", from: 0, upTo: Int(UInt16.max)))
        },
    ]

    private static let keeping: [Option] = [
        .value(
            "--ledger",
            .file,
            "keep the beacons in this file: they survive the process, and are sent by the next one",
            playing,
            ledger
        ),
        .value(
            "--ledger",
            .file,
            "the file in which beacons are kept, or its folder",
            [.outbox, .reconcile, .doctor],
            ledger
        ),
        .value(
            "--state",
            .words(OutboxText.states, placeholder: "STATE,STATE"),
            "list only these: recorded, inFlight, delivered, unconfirmed, dead",
            [.outbox]
        ) {
            (settings, text) throws(UsageError) in
            let states = text.split(separator: ",").map(\.trimmed)
            guard !states.isEmpty else {
                throw UsageError("--state takes some of \(OutboxText.states.joined(separator: ", ")); none was given")
            }
            for state in states {
                guard OutboxText.states.contains(state) else {
                    let hint = Suggestion.nearest(to: state, among: OutboxText.states).map { "; did you mean \($0)?" }
                    let known = OutboxText.states.joined(separator: ", ")
                    throw UsageError("--state takes \(known), not \u{201C}\(state)\u{201D}\(hint ?? "")")
                }
                settings.states = (settings.states ?? []).union([state])
            }
        }.addingUp,
        .flag("--all", "with prune: also what never arrived, and what may not have", [.outbox]) {
            $0.forgetsAll = true
        },
        .value("--older-than", "DAYS", "with prune: only what has been over for so long", [.outbox]) {
            (settings, text) throws(UsageError) in
            guard let days = Double(text), days >= 0, days <= 36_500 else {
                throw UsageError("--older-than takes a number of days, not \u{201C}\(text)\u{201D}")
            }
            settings.age = .seconds(days * 86_400)
        },
    ]

    private static let linting: [Option] = [
        .flag("--sarif", "one SARIF 2.1.0 log of all inputs, for code hosts and editors", [.lint]) {
            $0.isSARIF = true
        },
        .flag("--strict", "warnings count as errors do", [.lint]) { $0.isStrict = true },
        .value(
            "--ignore",
            .words(LintRule.all.map(\.id), placeholder: "ID,ID"),
            "rules that are passed over",
            [.lint]
        ) { (settings, text) throws(UsageError) in
            for id in text.split(separator: ",").map(\.trimmed) {
                try LintCommand.checkRule(id, of: "--ignore")
                settings.ignoredRules.append(id)
            }
        }.addingUp,
        .flag("--rules", "list the rules, or explain those that are named; --json, --markdown", [.lint]) {
            $0.listsRules = true
        },
        .flag("--markdown", "with --rules: the catalogue as a page", [.lint]) { $0.isMarkdown = true },
    ]

    private static let reconciling: [Option] = [
        .value(
            "--hits",
            .file(placeholder: "FILE|URL"),
            "what the server saw: the answer of GET /sandbox/hits, the address of a sandbox, or - for standard input",
            [.reconcile]
        ) { $0.hits = $1 },
        .value("--late", "S", "how long after it was recorded a beacon is late; 60 by default", [.reconcile]) {
            (settings, text) throws(UsageError) in
            settings.lateAfter = try seconds(text, of: "--late")
        },
        .flag("--all", "list also what matched", [.reconcile]) { $0.listsAll = true },
    ]

    private static func timeout(_ settings: inout Settings, _ text: String) throws(UsageError) {
        settings.timeout = try self.seconds(text, of: "--timeout")
    }

    private static func ledger(_ settings: inout Settings, _ text: String) throws(UsageError) {
        guard !text.isEmpty else { throw UsageError("--ledger takes a file, and this one has no name") }
        settings.ledger = text
    }

    private static func address(_ text: String, of name: String) throws(UsageError) -> HTTPURL {
        do throws(HTTPURL.Fault) {
            return try HTTPURL(parsing: text)
        } catch {
            // A socket's address is one of the web with another scheme, and has the same faults.
            if error == .hasUserName || self.socketFault(text) == .hasUserName {
                throw UsageError("\(name) can't be called: \(HTTPURL.Fault.hasUserName.reason); leave it out")
            }
            throw UsageError(
                "\(name) takes an http or https address, for smartico ws or wss, not \u{201C}\(Redaction.address(text))\u{201D}"
            )
        }
    }

    /// What is wrong with the address of a socket; nil for what is none, or nothing is wrong with.
    private static func socketFault(_ text: String) -> HTTPURL.Fault? {
        guard ["ws:", "wss:"].contains(where: { text.trimmed.utf8.startsIgnoringCase($0) }) else { return nil }
        do throws(HTTPURL.Fault) {
            _ = try HTTPURL(parsing: "http" + text.trimmed.dropFirst(2))
            return nil
        } catch {
            return error
        }
    }

    private static func count(
        _ text: String,
        of name: String,
        from least: Int = 1,
        upTo most: Int
    ) throws(UsageError) -> Int {
        guard let count = Int(text), (least...most).contains(count) else {
            throw UsageError("\(name) takes a whole number from \(least) to \(most), not \u{201C}\(text)\u{201D}")
        }
        return count
    }

    private static func seconds(_ text: String, of name: String) throws(UsageError) -> Duration {
        // With the unit or without, as times of --do have one.
        guard let seconds = Double(text.hasSuffix("s") ? String(text.dropLast()) : text), seconds >= 0.001,
            seconds <= 86_400
        else {
            throw UsageError("\(name) takes seconds, from 0.001 up to a day, not \u{201C}\(text)\u{201D}")
        }
        return .milliseconds(Int64(seconds * 1000))
    }

    private static func size(_ text: String) throws(UsageError) -> Size {
        let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Double($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1], (1...100_000).contains(width),
            (1...100_000).contains(height)
        else { throw UsageError("--size takes a width and a height as in 320x480, not \u{201C}\(text)\u{201D}") }
        return Size(width: width, height: height)
    }

    private static func location(_ text: String) throws(UsageError) -> AdContext.Location {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0.trimmed) }
        guard numbers.count == 3, let latitude = numbers[0], let longitude = numbers[1], let precision = numbers[2],
            let location = AdContext.Location(latitude: latitude, longitude: longitude, precision: precision)
        else {
            throw UsageError("--geo takes LAT,LON,PRECISION as in 42.7,23.3,100, not \u{201C}\(text)\u{201D}")
        }
        return location
    }
}
