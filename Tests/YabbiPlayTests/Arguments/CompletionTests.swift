import PlaySupport
import TestSupport
import Testing

@testable import PlayConsole
@testable import YabbiPlay

@Suite("Completing words in a shell")
struct CompletionTests {
    private let table = CompletionTable()

    @Test(
        "every script knows every command, option, choice, provider, topic and name of --set",
        arguments: CompletionsCommand.Shell.allCases
    )
    func whole(shell: CompletionsCommand.Shell) async throws {
        let (code, console) = await play("completions", shell.rawValue)
        #expect(code == .done)
        let script = console.out.joined(separator: "\n")
        #expect(script == self.table.script(for: shell))
        for word in Help.words { #expect(script.contains(word), "\(word)") }
        for option in self.table.options.map(\.option) {
            // fish writes long options without their hyphens.
            let name = shell == .fish ? " -l \(option.name.dropFirst(2)) " : option.name
            #expect(script.contains(name), "\(option.name)")
            switch option.argument {
            case .word(let words), .words(let words, _), .steps(let words, _):
                #expect(script.contains(words.joined(separator: " ")), "\(option.name)")
            case .nothing, .file, .folder, .parameter, .other: break
            }
        }
        for (name, _) in ProviderParameters.known.values.joined() { #expect(script.contains(name), "\(name)") }
    }

    @Test("bash understands its script", .enabled(if: Shell.has("bash"), "bash is not installed"))
    func bash() throws { try self.check(.bash) }

    @Test("zsh understands its script", .enabled(if: Shell.has("zsh"), "zsh is not installed"))
    func zsh() throws { try self.check(.zsh) }

    @Test("fish understands its script", .enabled(if: Shell.has("fish"), "fish is not installed"))
    func fish() throws { try self.check(.fish) }

    private func check(_ shell: CompletionsCommand.Shell) throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let file = try #require(folder.write(self.table.script(for: shell) + "\n", "script"))
        let result = Shell.run("\(shell.rawValue) -n \(file)")
        #expect(result.output == "")
        #expect(result.status == 0)
    }

    /// What bash offers for the last of some words, in a folder with two files, a folder, and names that want care.
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
        "bash completes commands, options of the command, words, names and lists",
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
            (["show", "--stage", "="], ["chromium", "none", "terminal"]),
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

    /// What fish offers for a line.
    private func fishOffers(_ line: String) throws -> [String] {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let script = try #require(folder.write(self.table.fish + "\n", "script.fish"))
        let attempt = try #require(folder.write("source \(script)\ncomplete -C '\(line)'\n", "attempt.fish"))
        let output = Shell.run("HOME=\(folder.path) fish --no-config \(attempt)").output
        // A word, and after a tab what it is.
        return output.split(separator: "\n").compactMap { $0.split(separator: "\t").first.map(String.init) }.sorted()
    }

    @Test(
        "fish completes commands, options of the command, words, names, lists and steps",
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
        #expect(try self.offers(["lint", "a.xml", "tag."]) == ["tag.xml"], "one after the other")
        #expect(try self.offers(["inspect", "--", "tag."]) == ["tag.xml"])
        #expect(try self.offers(["show", "--ledger", "="]).contains("tag.xml"))
        #expect(try self.offers(["show", "--report", "t"]) == ["tags"])
        #expect(try self.offers(["show", "tag.xml", "tag"]) == [], "one source at a time")
        #expect(try self.offers(["demo", "tag"]) == [])
    }

    @Test("an option means the same argument wherever it is known, and help calls files and folders what they are")
    func arguments() {
        var known: [String: Argument] = [:]
        for option in Commands.all.flatMap({ $0.options }) {
            #expect(known.updateValue(option.argument, forKey: option.name).map { $0 == option.argument } ?? true)
            if case .other(let placeholder) = option.argument {
                #expect(!placeholder.contains("FILE") && !placeholder.contains("DIR"), "\(option.name) takes a file")
            }
        }
    }

    @Test("the shell is said, and spelt right")
    func misspelt() {
        #expect(throws: UsageError("say which shell is to complete words: bash, zsh or fish")) {
            try Invocation(parsing: ["completions"])
        }
        #expect {
            try Invocation(parsing: ["completions", "fishy"])
        } throws: { error in
            (error as? UsageError)?.message.contains("did you mean fish?") ?? false
        }
    }
}
