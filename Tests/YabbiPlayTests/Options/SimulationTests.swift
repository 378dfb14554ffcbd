import AdCore
import PlayConsole
import PlaySupport
import SandboxSSP
import SystemSupport
import TestSupport
import Testing
import WebStage

@testable import YabbiPlay

@Suite("What a run simulates")
struct SimulationTests {
    private func options(_ words: String...) throws -> SimulationOptions {
        try SimulationOptions(Arguments(words, for: ShowCommand.self))
    }

    private func error(_ words: String...) -> String {
        do throws(UsageError) {
            _ = try SimulationOptions(Arguments(words, for: ShowCommand.self))
            return ""
        } catch {
            return error.message
        }
    }

    @Test("a device gives one identity to requests, context and browser")
    func device() throws {
        let options = try self.options("--device", "iphone", "--locale", "de-DE", "--timezone", "Europe/Berlin")
        let name = options.userAgent(inBrowser: true)
        #expect(name.contains("iPhone") && name == options.userAgent(inBrowser: false))
        #expect(options.engineDevice.userAgent == name && options.engineDevice.locale == "de-DE")
        var context = AdContext()
        options.apply(to: &context, inBrowser: true)
        #expect(context.userAgent == name && context.device.language == "de-DE" && context.device.os == "iOS")
        #expect(context.device.width == 1170 && context.device.pixelRatio == 3)
    }

    @Test("a given User-Agent replaces the device's, without hints that would contradict it")
    func userAgent() throws {
        let options = try self.options("--device", "android", "--user-agent", "Test/1")
        #expect(options.userAgent(inBrowser: true) == "Test/1")
        #expect(options.engineDevice.userAgent == "Test/1" && options.engineDevice.platform == nil)
    }

    @Test("consent signals are passed on, and a TCF string means that the GDPR applies")
    func consent() throws {
        let consent = try self.options(
            "--consent",
            "tcf=CPz",
            "--consent",
            "gpp=DBA",
            "--consent",
            "usp=1YNN",
            "--consent",
            "coppa"
        ).consent
        #expect(consent.tcf == "CPz" && consent.gdprApplies == true && consent.gpp == "DBA")
        #expect(consent.usPrivacy == "1YNN" && consent.coppa == true)
    }

    @Test("what can't be a value is refused with what is expected")
    func refused() {
        #expect(self.error("--device", "iphne").contains("did you mean iphone?"))
        #expect(self.error("--network", "5g").contains("slow-3g"))
        #expect(self.error("--consent", "yes").contains("tcf=<string>"))
        #expect(self.error("--macro", "=x").contains("<name>=<value>"))
        #expect(self.error("--header", "no colon").contains("<name>: <value>"))
        #expect(self.error("--header", "X: a\r\nY: b").contains("<name>: <value>"))
        #expect(self.error("--cookie", "a=b; c=d").contains("<name>=<value>"))
        #expect(self.error("--user-agent", "a\nb").contains("without line breaks"))
        #expect(self.error("--locale", "../etc").contains("de-DE"))
        #expect(self.error("--timezone", "a b").contains("Europe/Berlin"))
        #expect(self.error("--no-beacons=some").contains("all, or no value"))
    }

    @Test("--no-beacons takes no word after it, and =all is its only value")
    func noBeacons() throws {
        let arguments = try Arguments(["--no-beacons", "tag.xml"], for: ShowCommand.self)
        #expect(arguments.operands == ["tag.xml"])
        #expect(try SimulationOptions(arguments).beacons == .withheld)
        #expect(try self.options("--no-beacons=all").beacons == .allWithheld)
        #expect(try self.options().beacons == .sent)
    }

    @Test(
        "a macro is filled in every spelling, escaped as its document requires",
        arguments: [
            ("<a href=\"%%CLICK%%x\">[CLICK] ${CLICK} {CLICK}</a>", "<a href=\"a&b\\\"x\">a&b\" a&b\" a&b\"</a>"),
            ("{\"adm\": \"[CLICK]\"}", "{\"adm\": \"a&b\\\"\"}"),
            (
                "<VAST version=\"4.0\"><Error><![CDATA[https://e.example/[CLICK]]]></Error><X>[CLICK]</X></VAST>",
                "<VAST version=\"4.0\"><Error><![CDATA[https://e.example/a&b\"]]></Error><X>a&amp;b&quot;</X></VAST>"
            ),
        ]
    )
    func macros(document: String, expected: String) throws {
        let macros = try [#require(MacroValue(named: "CLICK", "a&b\""))]
        let filled = String(decoding: macros.filled(Array(document.utf8)), as: UTF8.self)
        #expect(filled == expected.replacing("a&b\\\"x", with: "a&b\"x"))
    }

    @Test("in a URL a value is percent-encoded")
    func macroInURL() throws {
        let macros = try [#require(MacroValue(named: "CB", "1&2 3"))]
        #expect(
            macros.filled(url: "https://a.example/?cb=[CB]&x=%%CB%%") == "https://a.example/?cb=1%262%203&x=1%262%203"
        )
    }

    @Test("a tag's request has the headers, cookies and the User-Agent; its trackers have only the User-Agent")
    func headers() async throws {
        var configuration = Sandbox.Configuration()
        configuration.catalogue = try BuiltInServer.catalogue(PackageFolder.path + "/Creatives")
        let sandbox = try Sandbox.start(configuration)
        let url = try #require(sandbox.url("/vast/video-inline")).text
        let (code, console) = await play(
            "show",
            url,
            "--clock",
            "virtual",
            "--json",
            "--device",
            "tv",
            "--header",
            "X-Test: 1",
            "--cookie",
            "a=b",
            "--cookie",
            "c=d"
        )
        #expect(code == .done, "\(console.err)")
        let hits = sandbox.hits()
        let tag = try #require(hits.first { $0.path == "/vast/video-inline" })
        #expect(tag.headers["x-test"] == "1" && tag.headers["cookie"] == "a=b; c=d")
        #expect(tag.headers["user-agent"]?.contains("Tizen") == true)
        let trackers = hits.filter { $0.path.hasPrefix("/t/") }
        #expect(!trackers.isEmpty)
        for tracker in trackers {
            #expect(tracker.headers["user-agent"] == tag.headers["user-agent"])
            #expect(tracker.headers["x-test"] == nil && tracker.headers["cookie"] == nil)
        }
        let fetch = try #require(console.json.first { $0["event"] == "fetch" })
        #expect(fetch["what"] == "tag" && fetch["url"]?.string == url && fetch["status"]?.number == 200)
        sandbox.stop()
    }

    @Test("with --no-beacons nothing reaches the trackers, and each is listed as withheld")
    func withheld() async throws {
        var configuration = Sandbox.Configuration()
        configuration.catalogue = try BuiltInServer.catalogue(PackageFolder.path + "/Creatives")
        let sandbox = try Sandbox.start(configuration)
        let url = try #require(sandbox.url("/vast/video-inline")).text
        let (code, console) = await play("show", url, "--clock", "virtual", "--json", "--no-beacons")
        #expect(code == .done, "\(console.err)")
        #expect(sandbox.hits().allSatisfy { !$0.path.hasPrefix("/t/") })
        let events = console.events
        #expect(events.contains("beaconWithheld") && !events.contains("beaconRecorded"))
        #expect(!events.contains { $0.hasPrefix("beaconD") || $0.hasPrefix("beaconU") })
        let verdicts = console.json.filter { $0["event"] == "verdict" }
        #expect(verdicts.contains { $0["reason"]?.string == "recorded; not sent: this run sends no beacons" })
        let (_, text) = await play("show", url, "--clock", "virtual", "--no-beacons")
        #expect(text.out.contains { $0.contains("withheld") })
        sandbox.stop()
    }

    @Test("offline the tag is not fetched, and the error says why")
    func offline() async {
        let (code, console) = await play("show", "https://a.example/tag.xml", "--network", "offline")
        #expect(code == .loadFailed && console.err.first?.contains("the simulated network is offline") == true)
    }
}
