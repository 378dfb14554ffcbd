import AdCore
import LibC
import PlaySupport
import TestSupport
import Testing

@testable import PlayConsole
@testable import YabbiPlay

@Suite("Replay")
struct ReplayTests {
    @Test(
        "a replay prints the lines of the session again",
        arguments: [
            ["show", "--unit", "banner-320x50", "--do", "click@1s"],
            ["show", "--unit", "banner-300x250", "--do", "close@1s"],
            ["show", "--unit", "video-rewarded", "--format", "rewarded"], ["show", "--unit", "nofill"],
            ["load", "--unit", "banner-300x250", "--provider", "openrtb"],
            ["show", "--provider", "ceedads", "--do", "click@1s"],
        ]
    )
    func again(words: [String]) async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let trace = "\(folder.path)/a.trace"
        let (_, first) = await play(words + ["--json", "--clock", "virtual", "--seed", "7", "--trace", trace])
        let (code, second) = await play(["replay", trace, "--json"])
        #expect(code == .done, "\(second.err)")
        let again = second.out.dropLast()
        #expect(again.count > 1)
        // Issues of the linter, verdicts and container sizes are not in the trace.
        #expect(first.out.map(Self.withoutContainer).filter(again.contains) == Array(again))
        let last = second.json.last
        #expect(last?["same"] == true && last?["ads"]?.number == 1)
        let common: Set = [
            "loaded", "shown", "view", "click", "closed", "beaconRecorded", "beaconDelivered", "ignored",
        ]
        #expect(first.events.filter(common.contains) == second.events.filter(common.contains))
    }

    /// A line without the container's size and rule, which are not in the trace.
    private static func withoutContainer(_ line: String) -> String {
        guard let container = line.firstRange(of: ",\"container\":") else { return line }
        return String(line[..<container.lowerBound]) + "}"
    }

    @Test("the whole demo is replayed, from a trace without personal data")
    func demo() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let trace = "\(folder.path)/demo.trace"
        let (ifa, latitude) = ("6D92078A-8246-4BA4-AE5B-76104861E7DC", "48.137154")
        let (code, _) = await play([
            "demo", "--seed", "3", "--json", "--ifa", ifa, "--geo", "\(latitude),11.576124,10", "--trace", trace,
        ])
        #expect(code == .done)
        let text = String(decoding: folder.bytes("demo.trace"), as: UTF8.self).lowercased()
        for secret in [ifa.lowercased(), latitude, "11.576124"] { #expect(!text.contains(secret)) }
        let (again, console) = await play(["replay", trace, "--json"])
        #expect(again == .done, "\(console.err)")
        #expect((console.json.last?["ads"]?.number ?? 0) > 50)
    }

    @Test("keys and user messages are in a trace only with --trace-secrets")
    func keys() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let trace = "\(folder.path)/a.trace"
        let secrets = ["sk_live_5566778899", "anon-998877665544", "my knee hurts a lot"]
        let words = [
            "show", "--provider", "attentionmarket", "--set", "api_key=\(secrets[0])", "--set", "agent_id=agent",
            "--set", "anon_key=\(secrets[1])", "--set", "user_message=\(secrets[2])", "--clock", "virtual", "--trace",
            trace,
        ]
        _ = await play(words)
        let text = String(decoding: folder.bytes("a.trace"), as: UTF8.self)
        #expect(!text.isEmpty)
        for secret in secrets { #expect(!text.contains(secret)) }
        _ = await play(words + ["--trace-secrets"])
        #expect(String(decoding: folder.bytes("a.trace"), as: UTF8.self).contains("\"hidesSecrets\":false"))
    }

    @Test("a live session is replayed with its ads, from a trace without the user's id")
    func session() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let trace = "\(folder.path)/a.trace"
        let words = [
            "show", "--provider", "smartico", "--set", "ext_user_id=fern-4711", "--do", "close@100ms", "--seed", "7",
            "--json", "--trace", trace,
        ]
        let (code, first) = await play(words)
        #expect(code == .done, "\(first.err)")
        let text = String(decoding: folder.bytes("a.trace"), as: UTF8.self)
        #expect(text.contains("\"session\":1") && !text.contains("fern-4711") && !text.contains("\"really\""))
        let (again, second) = await play(["replay", trace, "--json"])
        #expect(again == .done, "\(second.err)")
        #expect(second.json.last?["sessions"] == 1 && second.json.last?["same"] == true)
        let common: Set = ["socket", "initialized", "identified", "loaded", "shown", "view", "closed"]
        #expect(first.events.filter(common.contains) == second.events.filter(common.contains))

        _ = await play(words + ["--trace-secrets"])
        #expect(String(decoding: folder.bytes("a.trace"), as: UTF8.self).contains("fern-4711"))
        #expect(await play(["replay", trace]).code == .done)
    }

    /// The trace of a banner that is shown, viewed and closed.
    private func bannerTrace(in folder: TemporaryFolder) async -> String {
        _ = await play([
            "show", "--unit", "banner-320x50", "--clock", "virtual", "--trace", "\(folder.path)/a.trace",
        ])
        return String(decoding: folder.bytes("a.trace"), as: UTF8.self)
    }

    @Test("a difference is reported with its place, and ends with 6")
    func difference() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let text = await self.bannerTrace(in: folder)
        let changed = text.replacing("{\"record\":\"view\"}", with: "{\"record\":\"click\"}")
        #expect(changed != text)
        #expect(FileWriting.write(Array(changed.utf8), to: "\(folder.path)/b.trace") == nil)
        let (code, console) = await play(["replay", "\(folder.path)/b.trace", "--json"])
        #expect(code == .invalidCreative)
        let last = try #require(console.json.last)
        #expect(last["same"] == false && last["now"]?.string == "{\"record\":\"view\"}")
        #expect(console.err.count == 1 && console.err[0].contains("recorded {\"record\":\"click\"}"))
    }

    @Test("an event missing in the trace is reported with its place, at the end and in the middle")
    func missing() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let lines = await self.bannerTrace(in: folder).split(separator: "\n")
        let loaded = try #require(lines.firstIndex { $0.contains("\"event\":\"loaded\"") })
        for rest in [lines[..<loaded], lines[..<loaded] + lines[(loaded + 1)...]] {
            #expect(FileWriting.write(Array(rest.joined(separator: "\n").utf8), to: "\(folder.path)/b.trace") == nil)
            let (code, console) = await play(["replay", "\(folder.path)/b.trace"])
            #expect(code == .invalidCreative && console.err.count == 1)
            #expect(
                console.err[0].contains("after line \(loaded) ")
                    && console.err[0].contains("recorded nothing, replayed loaded")
            )
        }
    }

    @Test(
        "a file that is not a trace ends with 6 and the reason",
        arguments: [
            ("", "is empty"), ("hello\n", "line 1"),
            ("{\"trace\":99,\"by\":\"yabbi-play/9\",\"hidesSecrets\":true}", "format 99"),
        ]
    )
    func unreadable(text: String, words: String) async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        #expect(FileWriting.write(Array(text.utf8), to: "\(folder.path)/a") == nil)
        let (code, console) = await play(["replay", "\(folder.path)/a"])
        #expect(code == .invalidCreative)
        #expect(console.err.count == 1 && console.err[0].contains(words))
        #expect(await play(["replay", "\(folder.path)/none"]).code == .invalidCreative)
    }

    @Test("a trace of another version is replayed, with a line about the version")
    func otherVersion() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let head = "{\"trace\":1,\"by\":\"yabbi-play/0.0.1\",\"hidesSecrets\":true}\n"
        #expect(FileWriting.write(Array(head.utf8), to: "\(folder.path)/a") == nil)
        let (code, console) = await play(["replay", "\(folder.path)/a"])
        #expect(code == .done && console.out.first?.contains("recorded by yabbi-play/0.0.1") == true)
        #expect(console.out.last?.contains("replayed  nothing") == true)
    }

    @Test("the report of a late difference in long texts contains that difference")
    func longDifference() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let link = "https://shop.example/?q=" + String(repeating: "a", count: 600)
        let banner = "<a href=\"\(link)zzz\">go</a>"
        #expect(FileWriting.write(Array(banner.utf8), to: "\(folder.path)/a.html") == nil)
        _ = await play([
            "show", "\(folder.path)/a.html", "--do", "click@1s", "--clock", "virtual", "--trace",
            "\(folder.path)/a.trace",
        ])
        let text = String(decoding: folder.bytes("a.trace"), as: UTF8.self)
        let changed = text.replacing("{\"open\":\"\(link)zzz\"}", with: "{\"open\":\"\(link)yyy\"}")
        #expect(changed != text)
        #expect(FileWriting.write(Array(changed.utf8), to: "\(folder.path)/b.trace") == nil)
        let (code, console) = await play(["replay", "\(folder.path)/b.trace"])
        #expect(code == .invalidCreative)
        let message = try #require(console.err.first)
        #expect(message.contains("ayyy\"}") && message.contains("azzz\"}"))
    }

    @Test("a trace that ends before its ad says so")
    func unended() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let lines = await self.bannerTrace(in: folder).split(separator: "\n")
        let loaded = try #require(lines.firstIndex { $0.contains("\"event\":\"loaded\"") })
        let (start, whole) = (lines[...loaded].joined(separator: "\n"), lines.joined(separator: "\n"))
        for (text, words, unended) in [
            (start, "1 ad not ended at the end of the trace", 1.0), (whole, "no differences", 0),
        ] {
            #expect(FileWriting.write(Array(text.utf8), to: "\(folder.path)/b.trace") == nil)
            let (code, console) = await play(["replay", "\(folder.path)/b.trace"])
            #expect(code == .done && console.out.last?.hasSuffix(words) == true)
            let again = await play(["replay", "\(folder.path)/b.trace", "--json"]).console
            #expect(again.json.last?["unended"]?.number == unended)
        }
    }

    @Test("a trace is written through a symbolic link, readable only by its owner")
    func links() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        #expect(symlink("\(folder.path)/real", "\(folder.path)/link") == 0)
        _ = await play(["show", "--unit", "nofill", "--clock", "virtual", "--trace", "\(folder.path)/link"])
        #expect(!folder.bytes("real").isEmpty)
        var status = stat()
        #expect(stat("\(folder.path)/real", &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test("an unwritable trace or an invalid trace option is a usage error")
    func usage() async {
        for words in [
            ["show", "--unit", "nofill", "--trace", "/no/such/folder/a"],
            ["show", "--unit", "nofill", "--trace-secrets"],
            ["replay"], ["replay", "a", "b"], ["show", "--unit", "nofill", "--trace", ""],
        ] {
            let (code, console) = await play(words)
            #expect(code == .usage && console.err.count == 1, "\(words)")
        }
    }
}
