import AdCore
import BrowserSupport
import PlayConsole
import PlayQueue
import PlaySupport
import PostgresClient
import PostgresSupport
import TestSupport
import Testing

@testable import YabbiPlay

@Suite(
    "Workers of a queue as processes",
    .needsBrowser,
    .enabled(if: ChildCommand.path != nil, "yabbi-play was not built beside the tests"),
    .disabled(if: PostgresServer.missing != nil, "\(PostgresServer.missing ?? "")"),
    .timeLimit(.minutes(90))
)
struct QueueProcessTests {
    /// A queue in a database of its own, with the creatives of a folder.
    private struct Fleet {
        let folder: TemporaryFolder
        let url: String
        let database: String
        let queue: CreativeQueue

        init() throws {
            let server = try #require(PostgresServer.shared)
            self.folder = try #require(TemporaryFolder())
            self.database = try server.newDatabase()
            self.url = server.url(self.database)
            self.queue = try CreativeQueue(PostgresAddress(self.url), createsTables: true)
        }

        func run(_ words: [String]) async -> (code: ExitCode, console: BufferConsole) {
            let console = BufferConsole()
            let code = await YabbiPlay.run(["scan", "--queue", self.url, "--json"] + words, console)
            return (code, console)
        }

        /// Starts a worker with the shortest lease; all write to the same file.
        func worker(_ words: [String] = [], lanes: Int = 1, at url: String? = nil) throws -> ChildCommand {
            let words =
                ["scan", "--queue", url ?? self.url, "work", "--json", "--jobs", "\(lanes)", "--lease", "2"] + words
            return try #require(ChildCommand(words, in: self.folder))
        }

        /// Waits until the counts of the queue are so; false on a timeout.
        func counts(within seconds: Int, are condition: (QueueCounts) -> Bool) async throws -> Bool {
            let deadline = ContinuousClock.now + .seconds(seconds)
            while true {
                let counts = try await self.queue.counts(nil)
                if condition(counts) { return true }
                guard .now < deadline else { return false }
                try await Task.sleep(for: .milliseconds(20))
            }
        }

        /// Claims, without scanning anything, until the creative of a dead worker was taken back; false on a timeout.
        func isTakenBack() async throws -> Bool {
            let other = QueueWorker(1, called: "other", version: "1", lanes: 1)
            let deadline = ContinuousClock.now + .seconds(30)
            while .now < deadline {
                _ = try await self.queue.claim(1, suspects: false, for: other, number: 1, lease: .seconds(2))
                if try await self.queue.counts(nil).inProgress == 0 { return true }
                try await Task.sleep(for: .milliseconds(50))
            }
            return false
        }

        /// How often creatives were given back by workers.
        func returns() throws -> Int64? {
            let statement = PostgresStatement(once: "SELECT sum(returns) FROM yabbi_scan.creative")
            return try PostgresServer.shared?.connection(self.database).run(statement).first?.int(0)
        }

        /// The verdicts that workers have printed.
        var printed: [AdJSON] {
            ChildCommand.lines(self.folder.path + "/out").filter { $0["event"]?.string == "verdict" }
        }
    }

    private static let banner = "<body style='background:#c40'><p>An offer</p></body>"

    // MARK: Killed at random

    /// The creatives of the comparison; a file of each is written to a folder.
    private static func creatives(_ random: inout TestRandom) -> [PlantedCreative] {
        guard !LongForm.isOn else { return PlantedDefectTests.creatives(&random) }
        let kinds: [Defect?] = [.popup, .cookie, .blank, .missingFile, .plugins, .brokenVAST, .noLink, .consoleError]
        return (kinds + [nil, nil]).map { Defect.creative($0, 0, &random) }.shuffled(using: &random)
    }

    /// Submits creatives, lets workers judge them, and returns the verdicts by the names of the creatives.
    private static func verdicts(
        on creatives: [PlantedCreative],
        _ work: (Fleet) async throws -> Void
    ) async throws -> [String: AdJSON] {
        let fleet = try Fleet()
        defer { fleet.folder.remove() }
        var list = ""
        for creative in creatives {
            let path = try #require(fleet.folder.write(creative.markup, creative.file))
            let line: AdJSON = ["file": .string(path), "id": .string(creative.name)]
            list += line.text() + "\n"
        }
        let policy = try #require(fleet.folder.write(PlantedCreative.policy, "all.policy"))
        let path = try #require(fleet.folder.write(list, "all.jsonl"))
        let options = ["--policy", policy, "--watch", "1.2", "--no-follow", "--keep-pictures", "0"]
        let (code, console) = await fleet.run(["submit", path] + options)
        #expect(code == .done, "\(console.err)")
        try await work(fleet)
        let (_, results) = await fleet.run(["results"])
        // What a worker prints is stored: never twice.
        let printed = fleet.printed.compactMap { $0["id"]?.string }
        #expect(printed.count == Set(printed).count)
        var verdicts: [String: AdJSON] = [:]
        for verdict in results.json where verdict["event"] == "verdict" {
            let name = try #require(verdict["id"]?.string)
            #expect(verdicts.updateValue(verdict, forKey: name) == nil, "\(name) has two verdicts")
        }
        return verdicts
    }

    /// Kills a worker now and then, and starts another at once, until every creative has a verdict.
    private static func killAtRandom(_ fleet: Fleet, _ random: inout TestRandom) async throws -> Int {
        let (most, pause) = LongForm.either((400, 3_000...12_000), short: (4, 800...2_500))
        var workers = try (0..<4).map { _ in try fleet.worker() }
        var kills = 0
        while kills < most {
            let pause = Int.random(in: pause, using: &random)
            let isEnded = try await fleet.counts(within: 0, are: { $0.waiting + $0.inProgress == 0 })
            if isEnded { break }
            try await Task.sleep(for: .milliseconds(pause))
            let index = Int.random(in: workers.indices, using: &random)
            workers[index].kill(after: 0)
            workers[index] = try fleet.worker()
            kills += 1
        }
        let isEnded = try await fleet.counts(within: 3_600) { $0.waiting + $0.inProgress == 0 }
        #expect(isEnded)
        for worker in workers { worker.terminate() }
        // The signal ends one that has just started.
        for worker in workers { #expect([nil, 0].contains(worker.wait())) }
        return kills
    }

    @Test("one worker and four that are killed at random make the same verdicts; 2,000 in the long form")
    func killed() async throws {
        let seed = TestSeed.chosen ?? UInt64.random(in: 0 ... .max)
        var random = TestRandom(seed: seed)
        let creatives = Self.creatives(&random)
        let one = try await Self.verdicts(on: creatives) { fleet in
            let code = try fleet.worker(["--until-empty"], lanes: 4).wait()
            #expect(code == 0, "\(String(decoding: fleet.folder.bytes("err"), as: UTF8.self).suffix(4_000))")
        }
        var (kills, again) = (0, "")
        let four = try await Self.verdicts(on: creatives) { fleet in
            kills = try await Self.killAtRandom(fleet, &random)
            // By chance a creative can be in progress at three kills; retry is for that.
            let (_, console) = await fleet.run(["retry"])
            again = console.json.first?["count"]?.text() ?? ""
            if again != "0" { #expect(try fleet.worker(["--until-empty"]).wait() == 0) }
        }
        #expect(one.count == creatives.count && four.count == creatives.count, "seed \(seed)")
        for creative in creatives {
            let first = try #require(one[creative.name])
            let second = try #require(four[creative.name])
            let mistakes = [first, second].map { creative.mistake(in: $0) }
            #expect(mistakes == [nil, nil], "seed \(seed)")
            #expect(first["level"] == second["level"], "\(creative.name), seed \(seed): \(first) \(second)")
        }
        #expect(kills > 0, "seed \(seed)")
        if LongForm.isOn { print("seed \(seed): \(creatives.count) creatives, \(kills) kills, \(again) retried") }
    }

    // MARK: Ends

    @Test("a worker that is told to end gives back what it scans, and no death is counted")
    func terminated() async throws {
        let fleet = try Fleet()
        defer { fleet.folder.remove() }
        let path = try #require(fleet.folder.write(Self.banner, "slow.html"))
        _ = await fleet.run(["submit", path, "--watch", "60"])
        let worker = try fleet.worker(["--metrics", "0"])
        let isScanning = try await fleet.counts(within: 30) { $0.inProgress == 1 }
        #expect(isScanning)
        worker.terminate()
        #expect(worker.wait() == 0)
        let counts = try await fleet.queue.counts(nil)
        #expect(counts.waiting == 1 && counts.inProgress == 0 && counts.suspects == 0)
        // A creative for which workers are told to end again and again is told by that number.
        #expect(try fleet.returns() == 1)
        let workers = try await fleet.queue.workers()
        #expect(workers.isEmpty, "one that has ended in order is not listed")
    }

    @Test("a creative that ends three workers is set aside with its reason, and scanned again when that is asked for")
    func setAside() async throws {
        let fleet = try Fleet()
        defer { fleet.folder.remove() }
        let path = try #require(fleet.folder.write(Self.banner, "deadly.html"))
        _ = await fleet.run(["submit", path, "--watch", "2.5", "--no-follow"])
        for _ in 1...3 {
            let worker = try fleet.worker()
            let isScanning = try await fleet.counts(within: 30) { $0.inProgress == 1 }
            #expect(isScanning)
            worker.kill(after: 0)
            // The lease ends by the server's clock; whatever claims next takes the creative back.
            let isBack = try await fleet.isTakenBack()
            #expect(isBack)
        }
        let (code, results) = await fleet.run(["results"])
        let reasons = results.json.first { $0["event"] == "verdict" }?["reasons"]?.text() ?? ""
        #expect(code == .invalidCreative && reasons.contains("3 workers ended while they scanned it"), "\(reasons)")
        let (_, retried) = await fleet.run(["retry"])
        #expect(retried.json.first?["count"] == 1)
        #expect(try fleet.worker(["--until-empty"]).wait() == 0)
        let (_, after) = await fleet.run(["results"])
        let verdict = after.json.first { $0["event"] == "verdict" }
        #expect(verdict?["reasons"]?.text().contains("workers ended") == false, "\(after.out)")
    }

    @Test("a computer without a working browser gives creatives back, and ends with the reason")
    func unable() async throws {
        let fleet = try Fleet()
        defer { fleet.folder.remove() }
        let path = try #require(fleet.folder.write(Self.banner, "ad.html"))
        _ = await fleet.run(["submit", path])
        let words = ["scan", "--queue", fleet.url, "work", "--json", "--jobs", "1"]
        let worker = try #require(ChildCommand(words, in: fleet.folder, environment: ["TMPDIR": "/nowhere"]))
        #expect(worker.wait() == 2)
        let text = String(decoding: fleet.folder.bytes("err"), as: UTF8.self)
        #expect(text.contains("is given back") && text.contains("this computer can't scan: "), "\(text)")
        let counts = try await fleet.queue.counts(nil)
        #expect(counts.waiting == 1 && counts.judged == 0 && counts.suspects == 0)
    }

    @Test("a worker goes on where it was when the database is back")
    func away() async throws {
        let fleet = try Fleet()
        defer { fleet.folder.remove() }
        let server = try #require(PostgresServer.shared)
        let proxy = try #require(CuttingProxy(to: server.port))
        defer { proxy.stop() }
        for number in 1...3 { _ = fleet.folder.write("\(Self.banner)<!-- \(number) -->", "\(number).html") }
        _ = await fleet.run(["submit", fleet.folder.path, "--no-follow"])
        let worker = try fleet.worker(at: "postgres://owner@127.0.0.1:\(proxy.port)/\(fleet.database)")
        let isScanning = try await fleet.counts(within: 30) { $0.inProgress == 1 }
        proxy.set(.closed)
        let says = { String(decoding: fleet.folder.bytes("err"), as: UTF8.self) }
        #expect(isScanning && holds(within: 20) { says().contains("the worker goes on when it is back") }, "\(says())")
        proxy.set(.open)
        let isDone = try await fleet.counts(within: 60) { $0.waiting + $0.inProgress == 0 }
        worker.terminate()
        #expect(isDone && worker.wait() == 0)
        #expect(says().contains("the database responds again"))
        let counts = try await fleet.queue.counts(nil)
        #expect(counts.judged == 3 && counts.setAside == 0)
    }
}
