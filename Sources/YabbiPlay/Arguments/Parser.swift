import AdCore

extension Settings {
    /// Reads the words behind the command's name.
    init(parsing words: [String]) throws(UsageError) {
        do throws(UsageError) {
            try self.init(reading: words)
        } catch {
            guard let asked = Settings.askedForHelp(words) else { throw Settings.misplacedCommand(in: words) ?? error }
            self = asked
        }
    }

    /// Who asks for help or the version gets it, whatever else is wrong.
    private static func askedForHelp(_ words: [String]) -> Settings? {
        let options = words.prefix { $0 != "--" }
        let wishesVersion = options.contains("--version")
        guard wishesVersion || options.contains("-h") || options.contains("--help"), let first = options.first,
            let command = first.hasPrefix("-") ? Command.demo : Command(rawValue: first)
        else { return nil }
        var settings = Settings()
        settings.command = command
        settings.isVersion = wishesVersion
        settings.isHelp = !wishesVersion
        return settings
    }

    /// What to say where options stand before the command, which is the demo then, and can't be meant.
    private static func misplacedCommand(in words: [String]) -> UsageError? {
        guard words.first?.hasPrefix("-") ?? false,
            let place = words.firstIndex(where: { Command(rawValue: $0) != nil })
        else { return nil }
        let right = [words[place]] + words[..<place] + words[(place + 1)...]
        let line = right.map(Redaction.address).map { $0.contains(" ") ? "\"\($0)\"" : $0 }.joined(separator: " ")
        return UsageError("the command comes first: yabbi-play \(line)")
    }

    private init(reading words: [String]) throws(UsageError) {
        self.init()
        var rest = words[...]
        self.command = try Settings.takeCommand(&rest)
        // Nobody else stays connected.
        if self.command == .watch { self.provider = .smartico }
        var isOptionsOver = false
        var given: [String: String] = [:]
        while let word = rest.popFirst() {
            if isOptionsOver || !word.hasPrefix("-") || word == "-" {
                try self.takeSource(word)
            } else if word == "--" {
                isOptionsOver = true
            } else {
                try self.takeOption(word, &rest, &given)
            }
        }
        if !self.isHelp, !self.isVersion { try self.check() }
    }

    private static func takeCommand(_ rest: inout ArraySlice<String>) throws(UsageError) -> Command {
        guard let first = rest.first, !first.hasPrefix("-") else { return .demo }
        rest.removeFirst()
        if let command = Command(rawValue: first) { return command }
        throw UsageError("there is no command \u{201C}\(first)\u{201D}; \(self.hint(for: first))")
    }

    /// What somebody may have meant whose command is none.
    private static func hint(for word: String) -> String {
        if let nearest = Suggestion.nearest(to: word, among: Command.allCases.map(\.rawValue)) {
            return "did you mean \(nearest)?"
        }
        if let option = Help.everywhere.flatMap(\.names).first(where: { $0 == "--" + word }) {
            return "did you mean \(option)?"
        }
        // A file or an address.
        if word.contains(".") || word.contains("/") {
            return "did you mean yabbi-play show \(Redaction.address(word))?"
        }
        return "yabbi-play help lists them"
    }

    private mutating func takeSource(_ word: String) throws(UsageError) {
        if self.command == .inspect || self.command == .lint { return self.inputs.append(word) }
        if self.command == .outbox, self.outboxAct == nil { return try self.takeOutboxAct(word) }
        if self.command == .completions, self.shell == nil { return try self.takeShell(word) }
        guard [.show, .load, .replay, .help].contains(self.command) else {
            throw UsageError(
                "\(self.command.rawValue) takes no \u{201C}\(word)\u{201D}; see yabbi-play help \(self.command.rawValue)"
            )
        }
        guard self.source == nil else {
            let what = self.command == .help ? "topic" : self.command == .replay ? "trace" : "source"
            let both =
                "\u{201C}\(Redaction.address(self.source ?? ""))\u{201D} or \u{201C}\(Redaction.address(word))\u{201D}"
            throw UsageError("one \(what) at a time: \(both)")
        }
        guard !word.isEmpty else { throw UsageError("a file or an address has a name, and this one has none") }
        self.source = word
    }

    private func checkTrace() throws(UsageError) {
        if self.tracesSecrets, self.trace == nil {
            throw UsageError("--trace-secrets says what stands in a trace; say where it goes: --trace FILE")
        }
    }

    private mutating func takeOutboxAct(_ word: String) throws(UsageError) {
        if word == "help" { return self.isHelp = true }
        guard let act = OutboxAct(rawValue: word) else {
            let words = OutboxAct.allCases.map(\.rawValue)
            let hint = Suggestion.nearest(to: word, among: words).map { "; did you mean \($0)?" } ?? ""
            throw UsageError("outbox takes \(words.joined(separator: ", ")), not \u{201C}\(word)\u{201D}\(hint)")
        }
        self.outboxAct = act
    }

    private mutating func takeShell(_ word: String) throws(UsageError) {
        guard let shell = Shell(rawValue: word) else {
            let words = Shell.allCases.map(\.rawValue)
            let hint = Suggestion.nearest(to: word, among: words).map { "; did you mean \($0)?" } ?? ""
            throw UsageError("completions takes \(words.joined(separator: ", ")), not \u{201C}\(word)\u{201D}\(hint)")
        }
        self.shell = shell
    }

    private mutating func takeOption(
        _ word: String,
        _ rest: inout ArraySlice<String>,
        _ given: inout [String: String]
    ) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = parts[0]
        switch name {
        case "-h", "--help":
            self.isHelp = true
            return
        case "--version":
            self.isVersion = true
            return
        default: break
        }
        let known = Option.all.filter { $0.commands.contains(self.command) }
        guard let option = known.first(where: { $0.name == name }) else { throw self.unknown(name, known) }
        var value = ""
        if let placeholder = option.placeholder {
            if ["-h", "--help"].contains(rest.first), parts.count == 1 { return }
            value = try Settings.value(of: name, placeholder, parts.dropFirst().first, &rest)
        } else if parts.count > 1 {
            throw UsageError("\(name) is a switch and takes no value")
        }
        if let before = given.updateValue(value, forKey: name), before != value, !option.addsUp {
            let both = "\u{201C}\(Redaction.address(before))\u{201D} and \u{201C}\(Redaction.address(value))\u{201D}"
            throw UsageError("\(name) was given twice, with \(both); give it once")
        }
        try option.apply(&self, value)
        guard !value.isEmpty || !option.takes.isPath else {
            throw UsageError("\(name) needs a value: \(name) \(option.placeholder ?? "")")
        }
    }

    /// The value of an option: what stands behind its equals sign, or the next word.
    private static func value(
        of name: String,
        _ placeholder: String,
        _ attached: String?,
        _ rest: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        if let attached { return attached }
        guard let next = rest.first else { throw UsageError("\(name) needs a value: \(name) \(placeholder)") }
        // The next option is hardly meant; whatever else begins with a hyphen may be.
        let word = String(next.prefix { $0 != "=" })
        if (Option.all.map(\.name) + Help.everywhere.flatMap(\.names)).contains(word) {
            let cure = "write \(name) \(placeholder), or \(name)=\(next) where that is meant"
            throw UsageError("\(name) needs a value, and \(word) is an option; \(cure)")
        }
        rest.removeFirst()
        return next
    }

    private func unknown(_ name: String, _ known: [Option]) -> UsageError {
        let command = self.command.rawValue
        let elsewhere = Settings.commands(with: name)
        if !elsewhere.isEmpty {
            return UsageError("\(name) is no option of \(command), but of \(elsewhere)")
        }
        // What the command knows goes first, unless something else is nearer.
        let names = known.map(\.name) + Help.everywhere.flatMap(\.names).filter { $0.hasPrefix("--") }
        guard let nearest = Suggestion.nearest(to: name, among: names + Option.all.map(\.name)) else {
            return UsageError("there is no option \(name); yabbi-play help \(command) lists them")
        }
        guard names.contains(nearest) else {
            return UsageError(
                "there is no option \(name); \(nearest) is an option of \(Settings.commands(with: nearest))"
            )
        }
        return UsageError("there is no option \(name); did you mean \(nearest)?")
    }

    /// The commands that know an option, in words.
    private static func commands(with name: String) -> String {
        let known = Option.all.filter { $0.name == name }.flatMap(\.commands)
        return Command.allCases.filter(known.contains).map(\.rawValue).joined(separator: ", ")
    }

    /// What each word allows and together they don't.
    private func check() throws(UsageError) {
        try self.checkTrace()
        switch self.command {
        case .watch:
            try self.checkConnected()
            try self.checkStage()
        case .show, .load:
            if self.source != nil, self.endpoint != nil || self.socket != nil {
                throw UsageError("a source and --endpoint are two places to get an ad from; give one of them")
            }
            if self.creatives != nil, self.endpoint != nil || self.socket != nil {
                throw UsageError(
                    "--creatives is for the built-in server, and --endpoint asks another; give one of them"
                )
            }
            if self.provider.hasUnits, self.endpoint != nil, self.unit == nil {
                throw UsageError("--endpoint needs --unit: whose placement is it?")
            }
            try self.checkProvider()
            if self.isDryRun, let source = self.source {
                throw UsageError(
                    "--dry-run prints a request, and \u{201C}\(source)\u{201D} needs none; leave one of them out"
                )
            }
            if self.isDryRun, self.repeats > 1 {
                throw UsageError("--dry-run prints one request and stops; leave out --repeat")
            }
            if self.clock == .virtual, self.opensLinks {
                throw UsageError("--open takes real time; leave out --clock virtual")
            }
            try self.checkStage()
            if self.clock == .virtual, self.ledger != nil, let endpoint = self.endpoint, !endpoint.isLoopback {
                throw UsageError(Settings.needsRealTime)
            }
        case .inspect:
            if self.inputs.isEmpty {
                throw UsageError("say what to inspect: files, addresses, or - for the standard input")
            }
        case .lint: try self.checkLint()
        case .replay:
            guard self.source != nil else {
                throw UsageError("say which trace to replay: a FILE that --trace wrote, or -")
            }
        case .reconcile:
            guard self.ledger != nil else { throw UsageError("say which ledger to reconcile: --ledger FILE") }
            guard self.hits != nil else {
                throw UsageError("say what to hold the ledger against: --hits FILE, or the address of a sandbox")
            }
        case .outbox: try self.checkOutbox()
        case .demo: try self.checkStage()
        case .completions:
            guard self.shell != nil else {
                throw UsageError("say which shell is to complete words: bash, zsh or fish")
            }
        case .sandbox, .doctor, .manual, .help: break
        }
    }

    private func checkProvider() throws(UsageError) {
        try self.parameters.check(for: self.provider)
        try self.checkConnected()
        guard !self.provider.hasUnits else { return }
        if let source {
            throw UsageError(
                "\(self.provider.rawValue) has no use for \u{201C}\(source)\u{201D}; leave one of them out"
            )
        }
        if self.unit != nil {
            throw UsageError("\(self.provider.rawValue) has no units; --set NAME=VALUE says what it wants to know")
        }
        if self.format != nil {
            let what = self.provider.isConnected ? "pages" : "cards"
            throw UsageError("\(self.provider.rawValue) has \(what) and nothing else; leave out --format")
        }
    }

    /// What a provider that stays connected allows, and the others don't.
    private func checkConnected() throws(UsageError) {
        guard self.provider.isConnected else {
            if self.command == .watch {
                throw UsageError("nothing comes from \(self.provider.rawValue) by itself: watch is for smartico")
            }
            guard let socket = self.socket else { return }
            throw UsageError("--endpoint takes an http or https address here, not \u{201C}\(socket)\u{201D}")
        }
        if self.command == .watch { try self.parameters.check(for: self.provider) }
        if self.clock == .virtual { throw UsageError(Settings.connectionNeedsRealTime) }
        if let endpoint = self.endpoint {
            let shown = Redaction.address(endpoint.text)
            throw UsageError("--endpoint takes a ws or wss address here, not \u{201C}\(shown)\u{201D}")
        }
        if let socket = self.socket, socket.http.target.contains("?") {
            throw UsageError("--endpoint takes the socket's address without a query: what belongs there is added")
        }
        try EngagementPlan.check(self)
    }

    private func checkStage() throws(UsageError) {
        if self.report != nil, self.repeats > 1 {
            throw UsageError("--report tells of each ad; leave out --repeat")
        }
        if self.chosenSpeed != nil, self.ledger != nil { throw UsageError(Settings.ledgerNeedsRealTime) }
        if self.chosenSpeed != nil, self.clock == .virtual || self.isVirtual && self.command != .demo {
            throw UsageError(Settings.speedNeedsRealTime)
        }
        guard self.stage == .chromium else {
            let wants: [(Bool, String)] = [
                (self.picture != nil, "--screenshot"), (self.hasWindow, "--headful"),
                (!self.isSandboxed, "--no-sandbox"), (self.allowsBlank, "--allow-blank"),
                (self.scale != nil, "--scale"),
                (!self.neighbours.isEmpty && self.report == nil, "--neighbour"),
            ]
            guard let name = wants.first(where: \.0)?.1 else { return }
            throw UsageError("\(name) is for a browser; write --stage chromium")
        }
        if self.clock == .virtual { throw UsageError(Settings.browserNeedsRealTime) }
        if self.picture != nil, self.repeats > 1 {
            throw UsageError("--screenshot makes one picture; leave out --repeat")
        }
    }

    private func checkOutbox() throws(UsageError) {
        guard let act = self.outboxAct else {
            throw UsageError("say what to do with the outbox: list, flush or prune")
        }
        guard self.ledger != nil else {
            throw UsageError(
                "outbox \(act.rawValue) needs --ledger: the file in which the beacons are kept, or its folder"
            )
        }
        if self.states != nil, act != .list { throw UsageError("--state is for outbox list") }
        if self.forgetsAll, act != .prune { throw UsageError("--all is for outbox prune") }
        if self.age != nil, act != .prune { throw UsageError("--older-than is for outbox prune") }
    }

    private func checkLint() throws(UsageError) {
        if self.listsRules {
            if self.isSARIF { throw UsageError("--sarif is for findings; leave out --rules") }
            for id in self.inputs { try LintCommand.checkRule(id, of: "--rules") }
            return
        }
        if self.isMarkdown { throw UsageError("--markdown is for the catalogue: yabbi-play lint --rules --markdown") }
        if self.isJSON, self.isSARIF {
            throw UsageError("--json and --sarif are two forms of one output; give one of them")
        }
        if self.inputs.isEmpty {
            throw UsageError("say what to lint: files, addresses, or - for the standard input")
        }
    }
}
