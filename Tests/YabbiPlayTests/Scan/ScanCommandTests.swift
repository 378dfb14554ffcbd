import AdCore
import BrowserSupport
import LibC
import PlayConsole
import PlayScan
import PlayStages
import PlaySupport
import PlayText
import TestSupport
import Testing

@testable import YabbiPlay

@Suite("The command scan")
struct ScanCommandTests {
    @Test(
        "wrong words are refused with the fix",
        arguments: [
            (["scan"], "missing argument <source>; name files, folders, URLs, lists or - (standard input) to scan"),
            (["scan", "-", "-"], "- can be given only once"),
            (["scan", "a.html", "--measures"], "--measures scans nothing; remove it, or the sources"),
            (["scan", "--measures", "--jobs", "2"], "--jobs can't be combined with --measures; remove one of them"),
            (["scan", "a.html", "--no-tap", "--no-follow"], "--no-tap leaves no click to follow; remove --no-follow"),
            (["scan", "/no/such/file.html"], "/no/such/file.html can't be read: No such file or directory"),
            (
                ["scan", "a.html", "--policy", "gamm"],
                "the policy can't be used: unknown policy “gamm”; use gam, iab-lean, mraid, vast-ctv or strict, or the path of a file; did you mean gam?"
            ),
            (
                ["scan", "a.html", "--policy", "/no/such.policy"],
                "the policy can't be used: /no/such.policy can't be read: No such file or directory"
            ),
            (
                ["scan", "a.html", "--output", "/no/such/folder/a.csv"],
                "/no/such/folder/a.csv can't be written: No such file or directory"
            ),
            (
                ["scan", "a.html", "--output", "a.txt"],
                "invalid value “a.txt” for --output; expected a file that ends in .xml, .sarif or .csv"
            ),
            (
                ["scan", "--show-policy", "gamm"],
                "invalid value “gamm” for --show-policy; expected gam, iab-lean, mraid, vast-ctv, strict or base; did you mean gam?"
            ),
        ]
    )
    func refused(words: [String], message: String) async {
        let (code, console) = await play(words)
        #expect(code == .usage)
        #expect(console.err == ["yabbi-play: \(message)"])
    }

    @Test("the measures and the built-in policies are printed")
    func listed() async throws {
        let (code, console) = await play("scan", "--measures", "--json")
        #expect(code == .done && console.json.count == Measure.all.count)
        #expect(console.json.allSatisfy { $0["measure"]?.string != nil && $0["summary"]?.string != nil })
        let (shown, policy) = await play("scan", "--show-policy", "gam")
        #expect(shown == .done && policy.out.contains("extends base"))
    }

    @Test("the options of show are passed on, and a creative has its own format and size")
    func passedOn() throws {
        let words = ["a.html", "--device", "iphone", "--size", "300x250", "--no-beacons=all", "--header", "X-A: b c"]
        let options = try ScanSettings(Arguments(words, for: ScanCommand.self))
        var item = ScanItem("a", .path("a.html"), from: "a.html")
        #expect(try options.run(of: item).options.container == Size(width: 300, height: 250))
        item.size = Size(width: 320, height: 50)
        item.format = .interstitial
        let run = try options.run(of: item)
        #expect(run.options.container == item.size && run.simulation.beacons == .allWithheld)
        #expect(run.simulation.device?.name == "iphone" && run.simulation.headers.map(\.name) == ["X-A"])
        // What changes the measures changes the signature, by which earlier records are taken.
        let others = try ScanSettings(Arguments(words + ["--watch", "3"], for: ScanCommand.self))
        #expect(options.signature != others.signature)
        let more = try ScanSettings(Arguments(words + ["--jobs", "3", "--output", "x.csv"], for: ScanCommand.self))
        #expect(options.signature == more.signature)
    }
}

@Suite("Scans in a browser", .needsBrowser, .timeLimit(.minutes(5)))
struct BrowserScanTests {
    private static let clean = """
        <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Clean</title>
        <meta name="ad.size" content="width=300,height=250"></head><body style="margin:0">
        <a href="https://shop.example/" target="_blank" style="display:block;width:300px;height:250px;background:#258">Buy</a>
        </body></html>
        """

    private static func creatives(_ count: Int, in folder: TemporaryFolder) throws -> String {
        mkdir(folder.path + "/ads", 0o755)
        for number in 0..<count {
            let text = self.clean.replacing(">Buy<", with: ">Buy \(number)<")
            _ = try #require(folder.write(text, "ads/ad-\(number).html"))
        }
        return folder.path + "/ads"
    }

    private static func verdicts(_ console: BufferConsole) -> [AdJSON] {
        console.json.filter { $0["event"] == "verdict" }
    }

    @Test("every line of --json has the documented fields, and the last one the sums")
    func lines() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let ads = try Self.creatives(2, in: folder)
        let (code, console) = await play("scan", ads, "--json", "--no-follow", "--watch", "0.3")
        #expect(code == .done && console.err.isEmpty, "\(console.err)")
        for line in console.json {
            let name = line["event"]?.string ?? ""
            let row = try #require(EventTable.ofRuns.first { $0.name == name }, "\(name)")
            guard case .object(let members) = line else { return }
            #expect(Set(members.map(\.name)).subtracting(["event"]) == Set(row.fields), "\(name)")
        }
        let last = try #require(console.json.last)
        #expect(last["event"] == "scanned" && last["total"] == 2 && last["pass"] == 2 && last["fail"] == 0)
        let measures = try #require(Self.verdicts(console).first?["measures"])
        #expect(measures["size"] == "300x250" && measures["tap"] == "click" && measures["blank"] == false)
        #expect((measures["bytes.total"]?.number ?? 0) > 200 && (measures["cpu"]?.number ?? 0) > 0)
    }

    @Test("a report has the wall and a picture of each creative; the same command scans only what has changed")
    func continued() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let ads = try Self.creatives(3, in: folder)
        let report = folder.path + "/report"
        let words = ["scan", ads, "--json", "--no-follow", "--watch", "0.3", "--report", report]
        let (code, console) = await play(words)
        #expect(code == .done, "\(console.err)")
        #expect(console.json.contains { $0["event"] == "report" && $0["path"]?.string == report + "/index.html" })
        for verdict in Self.verdicts(console) {
            let picture = try #require(verdict["picture"]?.string)
            #expect(folder.bytes("report/\(picture)").starts(with: Array("RIFF".utf8)))
        }
        _ = folder.write(Self.clean.replacing("Buy", with: "<script>undefinedFunction()</script>Buy"), "ads/ad-1.html")
        let (again, second) = await play(words + ["--policy", "strict"])
        #expect(again == .invalidCreative)
        #expect(second.json.last?["resumed"] == 2 && second.json.last?["total"] == 3)
        // Those that were scanned before are judged by the new policy.
        #expect(Set(Self.verdicts(second).map { $0["policy"]?.string }) == ["strict"])
        let failed = Self.verdicts(second).filter { $0["verdict"] == "fail" }
        #expect(failed.compactMap { $0["id"]?.string } == ["\(ads)/ad-1.html"])
        let (known, third) = await play(
            words + ["--policy", "strict", "--baseline", report + "/journal.jsonl"]
        )
        #expect(known == .done && third.json.last?["known"] == 1, "\(third.json.last?.text() ?? "")")
    }

    @Test("a scan that is killed goes on where it was, and judges each creative once")
    func killed() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let ads = try Self.creatives(8, in: folder)
        let words = [
            "scan", ads, "--json", "--no-follow", "--watch", "0.2", "--jobs", "2", "--report", folder.path + "/report",
        ]
        let child = try #require(ChildCommand(words, in: folder))
        #expect(child.hasPrinted("verdict", within: 60))
        child.kill(after: 1_000)
        let before = ChildCommand.lines(folder.path + "/report/journal.jsonl").compactMap { $0["id"]?.string }
        #expect(!before.isEmpty && before.count < 8)
        let (code, console) = await play(words)
        #expect(code == .done && console.json.last?["total"] == 8, "\(console.err)")
        #expect((console.json.last?["resumed"]?.number ?? 0) >= Double(before.count))
        let after = ChildCommand.lines(folder.path + "/report/journal.jsonl").compactMap { $0["id"]?.string }
        #expect(after.count == 8 && Set(after).count == 8)
    }

    @Test("a scan that is interrupted writes what it has, and says how to go on")
    func interrupted() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let ads = try Self.creatives(12, in: folder)
        let words = ["scan", ads, "--json", "--no-follow", "--jobs", "1", "--report", folder.path + "/report"]
        let child = try #require(ChildCommand(words, in: folder))
        #expect(child.hasPrinted("verdict", within: 60))
        child.terminate()
        #expect(child.wait() == ExitCode.showFailed.rawValue)
        #expect(String(decoding: folder.bytes("err"), as: UTF8.self).contains("run it again to go on"))
        #expect(ChildCommand.lines(child.output).last?["event"] == "scanned")
        #expect(folder.names.contains("report") && !folder.bytes("report/index.html").isEmpty)
    }

    @Test("what is wrong with one source does not end the scan of the others")
    func mixed() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        _ = folder.write(Self.clean, "good.html")
        let lines = [
            #"{"id": "good", "file": "\#(folder.path)/good.html"}"#,
            #"{"id": "gone", "file": "\#(folder.path)/gone.html"}"#,
            #"{"id": "none"}"#, #"{"id": "vast", "markup": "<VAST version=\"4.0\"></VAST>"}"#,
            #"{"id": "json", "markup": "{\"a\": 1}"}"#, #"{"id": "empty", "markup": ""}"#, "not JSON",
            #"{"id": "server", "url": "http://127.0.0.1:1/tag"}"#,
        ]
        let list = try #require(folder.write(lines.joined(separator: "\n"), "list.jsonl"))
        let (code, console) = await play("scan", list, "--json", "--no-follow", "--watch", "0.2")
        #expect(code == .invalidCreative)
        let verdicts = Self.verdicts(console)
        #expect(verdicts.count == lines.count)
        #expect(verdicts.first { $0["id"] == "good" }?["verdict"] == "pass")
        for verdict in verdicts where verdict["id"] != "good" {
            #expect(verdict["reasons"]?.array?.first?["rule"] == "failure", "\(verdict.text())")
        }
    }

    @Test("creatives of one page one after the other do not see each other")
    func isolated() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let trace = """
            <script>
            const marks = [window.name, history.length > 3 && "history", performance.getEntriesByType("resource").length > 0
              && "resources", document.querySelectorAll("iframe").length > 0 && "frames"].filter(Boolean);
            if (marks.length > 0) console.error("left behind: " + marks);
            window.name = "seen";
            history.pushState(1, "");
            const worker = new Worker(URL.createObjectURL(new Blob(["setInterval(() => postMessage(1), 5)"])));
            setInterval(() => { label.title = Math.random(); }, 200);
            </script>
            """
        let text = Self.clean.replacing("</body>", with: "<i id=label></i>\(trace)</body>")
        for number in 0..<5 { _ = folder.write(text, "\(number).html") }
        let words = ["scan", folder.path, "--json", "--jobs", "1", "--no-follow", "--watch", "0.2"]
        let (_, console) = await play(words)
        #expect(Self.verdicts(console).count == 5)
        for verdict in Self.verdicts(console) {
            #expect(verdict["measures"]?["scripts.errors"] == [], "\(verdict.text())")
            #expect(verdict["measures"]?["tap"] == "click", "\(verdict.text())")
        }
    }

    @Test("a click-through URL on this computer or its network is not requested")
    func landing() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let path = try #require(
            folder.write(Self.clean.replacing("https://shop.example/", with: "http://127.0.0.1:9/"), "a.html")
        )
        let (_, console) = await play("scan", path, "--json", "--watch", "0.2")
        let measures = Self.verdicts(console).first?["measures"]
        #expect(
            measures?["click.failed"]?.array?.first?.string?.contains("127.0.0.1") == true,
            "\(measures?.text() ?? "")"
        )
    }

    @Test("outputs are written, and a creative of each kind of source is in them")
    func outputs() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let ads = try Self.creatives(1, in: folder)
        let names = ["out.xml", "out.sarif", "out.csv"]
        let words = names.flatMap { ["--output", "\(folder.path)/\($0)"] }
        let (code, console) = await play(["scan", ads, "--no-follow", "--watch", "0.2", "-v"] + words)
        #expect(
            code == .done && console.out.contains { $0.contains("1 creative: 1 pass, 0 warn, 0 fail") },
            "\(console.err)"
        )
        for name in names { #expect(!folder.bytes(name).isEmpty) }
        #expect(!folder.names.contains { $0.hasSuffix(".part") })
    }
}
