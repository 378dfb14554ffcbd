import AdCore
import AdRuntime
import BrowserSupport
import ChromiumStage
import PlayStages
import PlaySupport
import SQLiteLedger
import TestSupport
import Testing

@testable import PlayConsole
@testable import PlayText
@testable import YabbiPlay

@Suite("Doctor")
struct DoctorTests {
    @Test("prints one object for each check")
    func json() async throws {
        let (code, console) = await play("doctor", "--json")
        #expect(!console.json.contains(.null))
        let checks = console.json.compactMap { $0["check"]?.string }
        #expect(
            checks == [
                "version", "libcurl", "libxml2", "sqlite", "libmicrohttpd", "terminal", "browser", "webkit",
                "window", "creatives",
                "server", "temporary", "leftovers",
            ]
        )
        for line in console.json {
            let state = try #require(line["state"]?.string.flatMap(Diagnosis.State.init(rawValue:)))
            #expect(line["found"]?.string?.isEmpty == false)
            #expect((line["fix"]?.string == nil) == (state == .fine))
            #expect(line["cure"] == line["fix"], "its former name stays")
        }
        for name in ["version", "libcurl", "libxml2", "sqlite", "libmicrohttpd", "server", "temporary", "creatives"] {
            #expect(console.json.first { $0["check"]?.string == name }?["state"] == "fine", "\(name)")
        }
        #expect((code == .done) == console.err.isEmpty)
    }

    @Test("shows a page in a browser", .needsBrowser, .timeLimit(.minutes(1)))
    func browser() async throws {
        let trial = await Probes.browser(.chromium)
        guard case .shown(let path, let version, _) = trial else {
            // On a system without user namespaces the sandbox fails, as doctor reports.
            guard case .failed(_, _, worksUnsandboxed: true) = trial else {
                Issue.record("\(trial)")
                return
            }
            return
        }
        #expect(!path.isEmpty)
        #expect(version?.contains(" ") ?? false)
        #expect(ChromiumPresenter.leftovers().isEmpty, "it leaves nothing")
    }

    @Test("shows a page in WebKit", .needsBothEngines, .timeLimit(.minutes(1)))
    func webKit() async throws {
        let trial = await Probes.browser(.webKit)
        guard case .shown(let path, let version, _) = trial else {
            Issue.record("\(trial)")
            return
        }
        #expect(path.hasSuffix("yabbi-webkit") && version?.hasPrefix("WebKitGTK ") ?? false)
    }

    @Test("a required stage that fails ends with 5 and one line with its name")
    func stage() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        var result = try #require(
            ChildCommand(["doctor", "--stage", "chromium"], in: folder, environment: ["CHROME": "/no/such/browser"])
        ).wait()
        #expect(result == 5)
        let errors = String(decoding: folder.bytes("err"), as: UTF8.self)
        #expect(errors == "yabbi-play: failed checks: browser; see the output above\n")
        let environment = ["CHROME": "/no/such/browser", "TMPDIR": "/no/such/folder"]
        result = try #require(ChildCommand(["doctor", "--json"], in: folder, environment: environment)).wait()
        #expect(result == 5, "no folder for temporary files")
        result = try #require(
            ChildCommand(["doctor"], in: folder, environment: ["CHROME": "/no/such/browser"])
        ).wait()
        #expect(result == 0, "an optional browser may be missing")
        // A program that is not a browser is reported within the timeout.
        let start = ContinuousClock.now
        result = try #require(ChildCommand(["doctor"], in: folder, environment: ["CHROME": "/bin/cat"])).wait()
        #expect(result == 5)
        #expect(start.duration(to: .now) < .timeout(45))
    }

    @Test("a ledger is read and not changed")
    func ledger() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let file = folder.path + "/beacons.sqlite"
        #expect(await Probes.ledger(file) == .unreadable("no ledger at \(file): No such file or directory"))

        let ledger = SQLiteLedger(file: file)
        let call = BeaconCall(.get, try #require(TrackingURL("http://127.0.0.1:9/t")), headers: [:])
        let beacons = (0..<600).map { Beacon(BeaconKey(ad: AdID("ad"), event: .view, index: $0), call, of: "test") }
        let now = SystemClock().wallTime
        _ = try await ledger.record(beacons, at: now + .seconds(-7200))
        await ledger.close()
        guard case .read(let state) = await Probes.ledger(folder.path) else {
            Issue.record("the ledger is unreadable")
            return
        }
        #expect(state.integrityErrors.isEmpty && state.counts == OutboxCounts(waiting: 600))
        #expect(state.oldest.map { (.seconds(7200) ... .seconds(7260)).contains($0) } ?? false)

        let (_, console) = await play("doctor", "--json", "--ledger", file)
        let line = try #require(console.json.last)
        #expect(line["check"] == "ledger" && line["state"] == "improvable" && line["pending"] == 600)

        let size = folder.bytes("beacons.sqlite").count
        folder.overwrite([UInt8](repeating: 0xEE, count: size - 4_096), "beacons.sqlite", at: 4_096)
        let damaged = Diagnosis.ledger(file, await Probes.ledger(file))
        #expect(damaged.state == .broken && damaged.code == .beacons)
        #expect(folder.bytes("beacons.sqlite").count == size, "the file is not changed")

        let text = try #require(folder.write("no ledger", "notes.txt"))
        let (code, other) = await play("doctor", "--json", "--ledger", text)
        #expect(code != .done && other.json.last?["state"] == "broken")
    }
}
