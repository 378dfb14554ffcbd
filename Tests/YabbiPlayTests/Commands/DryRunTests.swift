import AdCore
import PlaySupport
import SandboxSSP
import Testing

@testable import PlayConsole
@testable import YabbiPlay

@Suite("A dry run")
struct DryRunTests {
    @Test("prints the exact request and sends nothing")
    func dryRun() async throws {
        let sandbox = try Sandbox.start()
        defer { sandbox.stop() }
        let endpoint = try #require(sandbox.url("/yabbi/load"))
        let (code, console) = await play(
            "show",
            "--endpoint",
            endpoint.text,
            "--unit",
            "u",
            "--publisher",
            "p",
            "--app-bundle",
            "b",
            "--app-name",
            "n",
            "--ifa",
            "i",
            "--geo",
            "1,2,3",
            "--dry-run"
        )
        #expect(code == .done)
        #expect(console.out.first == "POST \(endpoint.text)")
        #expect(console.out.contains("Host: 127.0.0.1:\(endpoint.port)"))
        let body = try #require(console.out.last?.dropFirst())
        #expect(console.out.contains("Content-Length: \(body.utf8.count)"))
        #expect(
            console.out.last?.hasSuffix(
                #"{"appName":"n","bundle":"b","geo":{"latitude":1,"longitude":2,"precision":3},"ifa":"i","pubID":"p","unitID":"u","userAgent":"yabbi-play/0.1.0"}"#
            ) ?? false
        )
        #expect(sandbox.hits().isEmpty)
    }

    @Test("has the header fields of the real request", arguments: ["yabbi", "openrtb"])
    func dryHeader(provider: String) async throws {
        let sandbox = try Sandbox.start()
        defer { sandbox.stop() }
        let endpoint = try #require(sandbox.url(provider == "yabbi" ? "/yabbi/load?a=1" : "/openrtb2/auction"))
        let words = ["load", "--endpoint", endpoint.text, "--unit", "nofill", "--provider", provider, "--json"]
        let dry = BufferConsole()
        #expect(await YabbiPlay.run(words + ["--dry-run"], dry) == .done)
        #expect(await YabbiPlay.run(words, BufferConsole()) == .noFill)
        let hit = try #require(sandbox.requests().first)
        guard case .object(let members) = dry.json.first?["headers"] else {
            Issue.record("there are no headers: \(dry.out)")
            return
        }
        let headers = members.map { ($0.name.lowercased(), $0.value.string ?? "") }
        #expect(Dictionary(headers) { $0 + ", " + $1 } == hit.headers)
        #expect(hit.headers["accept-encoding"] != nil)
    }

    @Test("for another server has its host, and its port unless it is the default")
    func dryHost() async {
        for (address, host) in [
            ("https://ads.example/load", "ads.example"), ("http://ads.example:80/load", "ads.example"),
            ("https://ads.example:8443/load", "ads.example:8443"), ("http://[::1]:81/", "[::1]:81"),
        ] {
            let (code, console) = await play("load", "--endpoint", address, "--unit", "u", "--dry-run")
            #expect(code == .done)
            #expect(console.out.contains("Host: \(host)"), "\(console.out)")
        }
    }

    @Test("an OpenRTB request has the size of the container")
    func sizeOfRequest() async throws {
        func banner(_ words: String...) async throws -> AdJSON? {
            let console = BufferConsole()
            let fixed = ["load", "--unit", "banner-320x50", "--provider", "openrtb", "--dry-run", "--json"]
            #expect(await YabbiPlay.run(fixed + words, console) == .done)
            let body = try #require(console.json.first?["body"]?.string)
            guard case .array(let impressions) = try AdJSON(parsing: body)["imp"] else { return nil }
            return impressions.first?["banner"]
        }
        let sized = try await banner("--size", "320x50")
        #expect(sized?["w"]?.number == 320 && sized?["h"]?.number == 50, "\(sized?.text() ?? "none")")
        #expect(try await banner() == .object([]))
    }
}
