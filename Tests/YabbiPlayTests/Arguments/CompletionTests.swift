import PlaySupport
import TestSupport
import Testing

@testable import PlayConsole
@testable import YabbiPlay

@Suite("Shell completion")
struct CompletionTests {
    private let table = CompletionTable()

    @Test(
        "every script contains every command, option, choice, provider, topic and name of --set",
        arguments: CompletionsCommand.Shell.allCases
    )
    func whole(shell: CompletionsCommand.Shell) async throws {
        let (code, console) = await play("completions", shell.rawValue)
        #expect(code == .done)
        let script = console.out.joined(separator: "\n")
        #expect(script == self.table.script(for: shell))
        for word in Help.words { #expect(script.contains(word), "\(word)") }
        for option in self.table.options.map(\.option) {
            // In fish, long options have no hyphens.
            let name = shell == .fish ? " -l \(option.name.dropFirst(2)) " : option.name
            #expect(script.contains(name), "\(option.name)")
            switch option.argument {
            case .word(let words), .words(let words, _), .steps(let words, _):
                #expect(script.contains(words.joined(separator: " ")), "\(option.name)")
            case .nothing, .optionalWord, .file, .folder, .parameter, .other: break
            }
        }
        for value in ProviderChoice.allCases.flatMap(\.values) { #expect(script.contains(value.name), "\(value.name)") }
    }

    @Test("bash parses its script", .enabled(if: Shell.has("bash"), "bash is not installed"))
    func bash() throws { try self.check(.bash) }

    @Test("zsh parses its script", .enabled(if: Shell.has("zsh"), "zsh is not installed"))
    func zsh() throws { try self.check(.zsh) }

    @Test("fish parses its script", .enabled(if: Shell.has("fish"), "fish is not installed"))
    func fish() throws { try self.check(.fish) }

    private func check(_ shell: CompletionsCommand.Shell) throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let file = try #require(folder.write(self.table.script(for: shell) + "\n", "script"))
        let result = Shell.run("\(shell.rawValue) -n \(file)")
        #expect(result.output == "")
        #expect(result.status == 0)
    }

    /// The completions of bash for the last word, in a folder with two files, one with a space in its name, and a folder.
    private func offers(_ words: [String]) throws -> [String] {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let script = try #require(folder.write(self.table.bash + "\n", "script"))
        for name in ["tag.xml", "tag two.html"] { try #require(folder.write("x", name) != nil) }
        let quoted = words.map { "'\($0)'" }.joined(separator: " ")
        let attempt = """
            source \(script); mkdir \(folder.path)/tags; cd \(folder.path)
            COMP_WORDS=(yabbi-play \(quoted)); COMP_CWORD=\(words.count)
            _yabbi_play
            for word in "${COMPREPLY[@]}"; do echo "$word"; done
            """
        let file = try #require(folder.write(attempt, "attempt"))
        return Shell.run("bash \(file)").output.split(separator: "\n").map(String.init).sorted()
    }

    @Test(
        "bash completes commands, options, choices, names of --set and lists",
        .enabled(if: Shell.has("bash"), "bash is not installed"),
        arguments: [
            (["rec"], ["reconcile"]),
            (["outbox", ""], ["flush", "list", "prune"]),
            (["completions", "z"], ["zsh"]),
            (["help", "ev"], ["events"]),
            (["--rep"], ["--report"]),
            (["show", "--rep"], ["--repeat", "--report"]),
            (["inspect", "--rep"], []),
            (["show", "--provider", "cee"], ["ceedads"]),
            (["show", "--provider", "=", "cee"], ["ceedads"]),
            (["show", "--provider=cee"], ["--provider=ceedads"]),
            (["show", "--stage", "="], ["chromium", "none", "terminal", "webkit"]),
            (["show", "--stage", "chromium,w"], ["chromium,webkit"]),
            (["watch", "--provider", "s"], ["smartico"]),
            (["watch", "--provider", "c"], []),
            (["show", "--unit", ""], []),
            (["outbox", "list", "--state", "dead,re"], ["dead,recorded"]),
            (["show", "--do", "click@2s,un"], ["click@2s,uncover@", "click@2s,unmute@"]),
            (["watch", "--set", "brand"], ["brand_key="]),
            (["show", "--provider", "ceedads", "--set", "app"], ["appId="]),
            (["show", "--provider", "=", "ceedads", "--set", "push"], []),
            (["show", "--set", "push", "=", "wid"], []),
            (["show", "--set", "push", "=", "widget", "--no-s"], ["--no-sandbox"]),
            (["nonsense", "--x"], []),
        ]
    )
    func words(line: [String], offers: [String]) throws { #expect(try self.offers(line) == offers) }

    /// The completions of fish for a line.
    private func fishOffers(_ line: String) throws -> [String] {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let script = try #require(folder.write(self.table.fish + "\n", "script.fish"))
        let attempt = try #require(folder.write("source \(script)\ncomplete -C '\(line)'\n", "attempt.fish"))
        let output = Shell.run("HOME=\(folder.path) fish --no-config \(attempt)").output
        // Each line is a word, a tab and a description.
        return output.split(separator: "\n").compactMap { $0.split(separator: "\t").first.map(String.init) }.sorted()
    }

    @Test(
        "fish completes commands, options, choices, names of --set, lists and steps",
        .enabled(if: Shell.has("fish"), "fish is not installed"),
        arguments: [
            ("rec", ["reconcile"]),
            ("outbox ", ["flush", "list", "prune"]),
            ("help ev", ["events"]),
            ("show --rep", ["--repeat", "--report"]),
            ("inspect --rep", []),
            ("show --provider cee", ["ceedads"]),
            ("show --provider=cee", ["--provider=ceedads"]),
            ("outbox list --state dead,re", ["dead,recorded"]),
            ("show --do click@2s,un", ["click@2s,uncover@", "click@2s,unmute@"]),
            ("watch --set brand", ["brand_key="]),
            ("show --provider ceedads --set app", ["appId="]),
        ]
    )
    func fishWords(line: String, offers: [String]) throws {
        #expect(try self.fishOffers("yabbi-play \(line)") == offers)
    }

    @Test("bash completes files and folders", .enabled(if: Shell.has("bash"), "bash is not installed"))
    func files() throws {
        #expect(try self.offers(["show", "tag"]) == ["tag two.html", "tag.xml", "tags"])
        #expect(try self.offers(["lint", "a.xml", "tag."]) == ["tag.xml"], "several inputs")
        #expect(try self.offers(["inspect", "--", "tag."]) == ["tag.xml"])
        #expect(try self.offers(["show", "--ledger", "="]).contains("tag.xml"))
        #expect(try self.offers(["show", "--report", "t"]) == ["tags"])
        #expect(try self.offers(["show", "tag.xml", "tag"]) == [], "only one source")
        #expect(try self.offers(["demo", "tag"]) == [])
    }

    @Test("an option takes the same kind of argument in every command, and files are declared as such")
    func arguments() {
        var known: [String: Argument] = [:]
        for option in Commands.all.flatMap({ $0.options }) {
            switch (known[option.name] ?? option.argument, option.argument) {
            case (.word(let all), .word(let words)): #expect(Set(words).isSubset(of: all), "\(option.name)")
            // The shells complete them by command.
            case (.words, .words): break
            // A command takes one of the words, another one several.
            case (.word(let one), .words(let all, _)), (.words(let all, _), .word(let one)):
                #expect(Set(one).isSubset(of: all), "\(option.name)")
            case (let before, let argument): #expect(before == argument, "\(option.name)")
            }
            known[option.name] = known[option.name] ?? option.argument
            if case .other(let placeholder) = option.argument {
                #expect(placeholder != "<file>" && placeholder != "<dir>", "\(option.name) takes a file or folder")
            }
        }
    }

    @Test("a missing or misspelt shell is refused")
    func misspelt() {
        #expect(throws: UsageError("missing argument <bash|zsh|fish>; name the shell")) {
            try Invocation(parsing: ["completions"])
        }
        #expect {
            try Invocation(parsing: ["completions", "fishy"])
        } throws: { error in
            (error as? UsageError)?.message.contains("did you mean fish?") ?? false
        }
    }
}
