import AdCore
import LibC
import PostgresClient
import PostgresLedger
import PostgresSupport
import TestSupport
import Testing

/// Six hosts over one server: four that reach it unless it restarts, and two whose connections are cut again and again.
final class Fleet {
    let tracker: Tracker
    private(set) var kills = 0
    private(set) var restarts = 0
    private(set) var cuts = 0

    private let server: PostgresServer
    private let database: String
    private let proxy: CuttingProxy
    private let folder: TemporaryFolder
    private var random: TestRandom
    /// The longest pause between two events, in microseconds: a long run is not disturbed more often than a short one for
    /// each beacon.
    private let longestPause: UInt64
    private var hosts: [Host] = []

    private struct Host {
        let number: Int
        /// The number of its processes so far.
        var generation = 0
        /// How many beacons it has left to record.
        var left: Int
        var process: HostProcess?
    }

    init(seed: UInt64, beacons: Int) throws {
        self.random = TestRandom(seed: seed)
        self.longestPause = beacons > 100_000 ? 12_000_000 : 400_000
        self.server = try #require(PostgresServer("fsync = on"))
        self.database = try self.server.newDatabase()
        self.proxy = try #require(CuttingProxy(to: self.server.port))
        self.folder = try #require(TemporaryFolder())
        self.tracker = try #require(Tracker(seed: seed))
        self.hosts = (0..<6).map { Host(number: $0, left: beacons / 6) }
    }

    func remove() {
        for host in self.hosts { host.process?.end() }
        self.tracker.stop()
        self.proxy.stop()
        self.server.remove()
        self.folder.remove()
    }

    // MARK: The disturbed part

    /// Runs all hosts until each has recorded its beacons, and disturbs them.
    func run() throws {
        for index in self.hosts.indices { try self.start(index) }
        var events = 0
        let deadline = ContinuousClock.now + .timeout(LongForm.either(7_200, short: 240))
        while self.hosts.contains(where: { $0.process != nil }) {
            try #require(ContinuousClock.now < deadline, "the hosts do not end")
            var pause = self.random.next() % self.longestPause
            while pause > 0, self.hosts.contains(where: { $0.process != nil }) {
                let part = min(pause, 200_000)
                usleep(UInt32(part))
                pause -= part
                self.collect()
            }
            // Each event happens, also in a short run.
            let first = ["cut", "kill", "restart", "kill"].dropFirst(events).first
            events += 1
            switch first
                ?? ["kill", "kill", "kill", "kill", "cut", "cut", "restart", "", "", ""][Int(self.random.next() % 10)]
            {
            case "kill": try self.killOne()
            case "cut": self.cut()
            case "restart" where self.restarts <= self.kills / 4: self.restart()
            default: break
            }
            self.collect()
        }
    }

    private func start(_ index: Int) throws {
        let host = self.hosts[index]
        let port = host.number < 4 ? self.server.port : self.proxy.port
        let words = [
            "record", "postgres://owner@127.0.0.1:\(port)/\(self.database)?connect_timeout=2",
            "\(self.folder.path)/files-\(host.number)", "h\(host.number)g\(host.generation)", "\(host.left)",
            "\(self.tracker.port)",
        ]
        let process = try #require(HostProcess(words, in: self.folder, output: "host-\(host.number)"))
        self.hosts[index].process = process
        self.hosts[index].generation += 1
    }

    /// Kills a host that is still recording, and starts it again for the rest.
    private func killOne() throws {
        let index = Int(self.random.next() % UInt64(self.hosts.count))
        guard let process = self.hosts[index].process, self.hosts[index].left > 0 else { return }
        process.end()
        self.kills += 1
        let prefix = "h\(self.hosts[index].number)g\(self.hosts[index].generation - 1)-"
        let done = HostProcess.lines(process.output).count { $0.hasPrefix(prefix) }
        self.hosts[index].left -= min(self.hosts[index].left, done)
        try self.start(index)
    }

    private func cut() {
        self.cuts += 1
        self.proxy.set(self.random.next() % 2 == 0 ? .closed : .losingAnswers)
        usleep(UInt32(self.random.next() % 500_000))
        self.proxy.set(.open)
    }

    private func restart() {
        self.restarts += 1
        self.server.stop()
        usleep(UInt32(self.random.next() % 300_000))
        self.server.start()
    }

    private func collect() {
        for index in self.hosts.indices {
            guard let process = self.hosts[index].process, process.hasEnded() else { continue }
            self.hosts[index].process = nil
        }
    }

    // MARK: The end

    /// Delivers what is left: the leases of killed hosts end, and a last process of each host carries its files over.
    func finish() async throws {
        self.proxy.set(.open)
        for round in 0..<40 {
            try self.server.connection(self.database).runScript(
                """
                UPDATE yabbi.beacon SET moment = moment - 61000 WHERE state = 1;
                UPDATE yabbi.beacon SET moment = 0 WHERE state = 0
                """
            )
            for index in self.hosts.indices where round == 0 || index == 0 {
                self.hosts[index].left = 0
                try self.start(index)
            }
            let deadline = ContinuousClock.now + .timeout(LongForm.either(1_800, short: 90))
            while self.hosts.contains(where: { $0.process != nil }) {
                try #require(ContinuousClock.now < deadline, "the last hosts do not end")
                usleep(20_000)
                self.collect()
            }
            if try await self.book().values.allSatisfy(\.state.isSettled) { return }
        }
    }

    /// All entries of the book by their keys.
    func book() async throws -> [String: LedgerEntry] {
        let ledger = try PostgresLedger(existing: self.server.url(self.database))
        var book: [String: LedgerEntry] = [:]
        for entry in try await ledger.entries() { book[entry.beacon.key.text] = entry }
        await ledger.close()
        return book
    }

    /// The keys that hosts have reported as recorded.
    func recorded() -> Set<String> {
        Set(self.hosts.flatMap { HostProcess.lines("\(self.folder.path)/host-\($0.number)") })
    }
}
