import AdCore
import AdRuntime
import CurlTransport
import LibC
import PostgresLedger
import SystemSupport
import TestSupport

/// A host of a fleet, as a process that tests can kill: records beacons and delivers them.
///
///     ledger-host record <url> <folder> <name> <count> <port>
///     ledger-host claim <url> <count>
///
/// `record` writes the key of each recorded beacon to standard output, a line each, as soon as it is recorded. A host that
/// was killed is started again with the same folder and another name. `claim` claims beacons until the ledger has none,
/// and writes their keys.
@main
enum LedgerHost {
    static func main() async {
        let words = CommandLine.arguments
        do {
            switch (words.dropFirst().first, words.count) {
            case ("record", 7): try await self.record(words)
            case ("claim", 4): try await self.claim(words)
            default: exit(2)
            }
        } catch {
            self.print(["\(error)"], to: STDERR_FILENO)
            exit(1)
        }
    }

    private static func record(_ words: [String]) async throws {
        guard let count = Int(words[5]), let port = Int(words[6]) else { exit(2) }
        let name = words[4]
        let ledger = try PostgresLedger(words[2], folder: words[3])
        let clock = SystemClock()
        let dispatcher = BeaconDispatcher(
            ledger: ledger,
            transport: try CurlTransport(),
            clock: clock,
            random: { .random(in: .min ... .max) },
            observer: nil
        )
        var random = TestRandom(seed: Checksum.of(name))
        var number = 0
        while number < count {
            let size = min(count - number, 1 + Int(random.next() % 24))
            let beacons = (number..<(number + size)).map { self.beacon($0, of: name, port, &random) }
            number += size
            let result = await dispatcher.recordAndDeliver(beacons)
            self.print(result.issues.map(\.message), to: STDERR_FILENO)
            self.print(beacons.map(\.key.text))
            // Recording is faster than delivery: the queue stays short enough for the end of the run.
            if number % 512 < size { await dispatcher.waitUntilDelivered(within: .seconds(1)) }
        }
        // Only this host knows what it has in its files: it stays until they are carried over. One that has recorded
        // nothing also delivers what others have left.
        for _ in 0..<600 {
            await dispatcher.waitUntilDelivered(within: .milliseconds(100))
            _ = await dispatcher.recordAndDeliver([])
            guard ledger.keptReason == nil else { continue }
            if count > 0 { break }
            do {
                if try await ledger.nextDue() == nil { break }
            } catch {
                continue
            }
        }
        await dispatcher.stopSending(within: .seconds(20))
        await ledger.close()
    }

    /// A beacon: most have keys of their own, some keys that other hosts have, too.
    private static func beacon(_ number: Int, of name: String, _ port: Int, _ random: inout TestRandom) -> Beacon {
        let bits = random.next()
        let ad = AdID("\(name)-\(number)")
        let isShared = bits % 50 == 0
        let key =
            isShared
            ? BeaconKey(ad: ad, event: .view, providerKey: "shared/\(bits >> 8 % 100_000)")
            : BeaconKey(ad: ad, event: .view)
        guard let url = TrackingURL("http://127.0.0.\(1 + bits >> 16 % 8):\(port)/t") else { exit(2) }
        let guarantee: DeliveryGuarantee = bits >> 32 % 4 == 0 ? .atLeastOnce : .atMostOnce
        return Beacon(key, BeaconCall(.get, url, guarantee: guarantee, isBilling: true), of: "fleet")
    }

    private static func claim(_ words: [String]) async throws {
        guard let limit = Int(words[3]) else { exit(2) }
        let ledger = try PostgresLedger(existing: words[2])
        let clock = SystemClock()
        var empty = 0
        while empty < 3 {
            let claim = try await ledger.claim(
                ClaimRequest(limit: limit, each: limit, at: clock.wallTime, lease: .seconds(60))
            )
            // What was interrupted is not sent, and does not count.
            self.print(claim.beacons.filter { !$0.wasInterrupted }.map(\.beacon.key.text))
            for one in claim.beacons {
                let outcome: DeliveryOutcome = one.isExpiredAtMostOnce ? .unconfirmed(reason: "?") : .delivered
                try await ledger.settle(one, as: outcome, at: clock.wallTime)
            }
            empty = claim.beacons.isEmpty ? empty + 1 : 0
        }
        await ledger.close()
    }

    /// Writes lines at once, so that they survive the end of the process.
    private static func print(_ lines: [String], to file: Int32 = STDOUT_FILENO) {
        guard !lines.isEmpty else { return }
        let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
        guard write(file, bytes, bytes.count) == bytes.count else { exit(3) }
    }
}
