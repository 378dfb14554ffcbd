import AdCore
import AdRuntime
import CurlTransport
import LibC
import SQLiteLedger
import SandboxSSP
import Testing
import YabbiAds
import YabbiTesting

/// A server, a ledger file and a dispatcher, over real sockets and on a clock under the test's control.
///
/// Time waits for requests in progress, and jumps over the pauses between attempts.
final class BeaconFixture {
    let sandbox: Sandbox
    let clock: ManualClock
    let file: String
    private(set) var ledger: SQLiteLedger
    private(set) var dispatcher: BeaconDispatcher
    let hostSignals = HostSignalSource()
    private let folder: String
    private let transport: CurlTransport
    private let timeout: Duration

    init(timeout: Duration = .seconds(15), epoch: Int64 = 1_700_000_000_000) throws {
        self.sandbox = try Sandbox.start()
        self.clock = ManualClock(epoch: WallTime(milliseconds: epoch))
        var template = Array("\(P_tmpdir)/yabbi-mail-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        self.folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.file = self.folder + "/beacons.sqlite"
        self.transport = try CurlTransport()
        self.timeout = timeout
        self.ledger = SQLiteLedger(file: self.file)
        self.dispatcher = BeaconFixture.dispatcher(self.ledger, self.transport, self.clock, timeout)
        self.dispatcher.observe(self.hostSignals)
    }

    deinit {
        self.sandbox.stop()
        for suffix in ["", "-wal", "-shm", "-lock"] { unlink(self.file + suffix) }
        rmdir(self.folder)
    }

    private static func dispatcher(
        _ ledger: any BeaconLedger,
        _ transport: any Transport,
        _ clock: ManualClock,
        _ timeout: Duration
    ) -> BeaconDispatcher {
        var limits = BeaconScheduler.Limits()
        limits.timeout = timeout
        return BeaconDispatcher(
            ledger: ledger,
            transport: transport,
            clock: clock,
            limits: limits,
            random: { .random(in: .min ... .max) },
            observer: nil
        )
    }

    /// A beacon to the server's tracker.
    func beacon(_ name: String, guarantee: DeliveryGuarantee = .atMostOnce) throws -> Beacon {
        let url = try #require(self.sandbox.url("/t/yabbi/view?ad=\(name)"))
        let call = BeaconCall(.get, TrackingURL(url), guarantee: guarantee, isBilling: true)
        return Beacon(BeaconKey(ad: AdID(name), event: .view), call, of: "test")
    }

    /// Records beacons as an ad does, claimed by the same transaction, and starts their delivery.
    func send(_ beacons: [Beacon]) async {
        await self.dispatcher.recordAndDeliver(beacons)
    }

    /// Advances the clock, so that responses arrive and retries happen.
    func run(for duration: Duration = .seconds(4 * 3600)) async { await self.clock.advance(by: duration) }

    /// Simulates the end of the process, and another one with the same file.
    func restart() async {
        await self.ledger.close()
        self.ledger = SQLiteLedger(file: self.file)
        self.dispatcher = BeaconFixture.dispatcher(self.ledger, self.transport, self.clock, self.timeout)
        self.dispatcher.deliver()
    }

    /// The bytes of a file; nil if there is none.
    static func bytes(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return bytes
    }

    /// How often the server counted each key.
    var counted: [String: Int] {
        self.sandbox.hits().filter(\.isCounted).reduce(into: [:]) { $0[$1.key ?? "-", default: 0] += 1 }
    }
}
