import AdCore
import LedgerSupport
import TestSupport
import Testing

@testable import SQLiteLedger

@Suite("Reading beacons back")
struct ReadBackTests {
    @Test("any beacon read back equals the recorded one")
    func property() async throws {
        let seed = TestSeed.chosen ?? UInt64.random(in: 0...UInt64.max)
        print("ReadBackTests: YABBI_SEED=\(seed)")
        var random = TestRandom(seed: seed)
        try await TestLedger.with { test in
            var written: [Beacon] = []
            while written.count < 3_000 {
                if let beacon = Self.beacon(number: written.count, &random) { written.append(beacon) }
            }
            for start in stride(from: 0, to: written.count, by: 500) {
                _ = try await test.ledger.record(Array(written[start..<start + 500]), at: TestLedger.at(0))
            }
            let read = try await test.ledger.entries().map(\.beacon)
            #expect(read.count == written.count)
            for (left, right) in zip(written, read) {
                #expect(
                    left == right && left.key.ad == right.key.ad && left.key.event == right.key.event,
                    "seed \(seed)"
                )
                guard left == right else { break }
            }
            let claim = try await test.ledger.claim(ClaimRequest(limit: 3_000, each: 3_000, at: TestLedger.at(1)))
            #expect(Set(claim.beacons.map(\.beacon)) == Set(written), "seed \(seed)")
        }
    }

    private static func beacon(number: Int, _ random: inout TestRandom) -> Beacon? {
        guard let url = TrackingURL(self.address(&random)) else { return nil }
        var headers = AdHTTPHeaders()
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            headers.add(
                ["X-A", "x-a", "Accept", "User-Agent"].randomElement(using: &random) ?? "A",
                self.text(&random)
            )
        }
        let secrets = (0..<Int.random(in: 0...2, using: &random)).compactMap { _ in
            SecretHeader("Authorization", CredentialName(self.text(&random)), prefix: self.text(&random))
        }
        let body: [UInt8]? =
            switch Int.random(in: 0...3, using: &random) {
            case 0: []
            case 1:
                (0..<Int.random(in: 0...6_000, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            default: nil
            }
        let call = BeaconCall(
            Bool.random(using: &random) ? .get : .post,
            url,
            headers: headers,
            secrets: secrets,
            body: body,
            successRule: [.success, .only200, .errCodeZero, .okNotFalse].randomElement(using: &random) ?? .success,
            guarantee: Bool.random(using: &random) ? .atLeastOnce : .atMostOnce,
            isBilling: Bool.random(using: &random)
        )
        let (ad, event) = (AdID(self.text(&random)), BeaconEvent(self.text(&random)))
        let key =
            Bool.random(using: &random)
            ? BeaconKey(ad: ad, path: self.text(&random), event: event, ordinal: number, index: 0)
            : BeaconKey(ad: ad, event: event, providerKey: "\(number)-" + self.text(&random))
        return Beacon(key, call, of: ProviderName(self.text(&random)))
    }

    private static let letters = Array(
        "abcXYZ019 -_.~%25%zz/?#[]@!$&'()*+,;=\"<>\\^`{|}\u{E9}\u{44F}\u{65E5}\u{1F600}\u{0}\u{7F}\t\n".unicodeScalars
    )

    private static func text(_ random: inout TestRandom) -> String {
        var text = String.UnicodeScalarView()
        let longest = Int.random(in: 0...9, using: &random) == 0 ? 700 : 20
        for _ in 0..<Int.random(in: 0...longest, using: &random) {
            if let letter = self.letters.randomElement(using: &random) { text.append(letter) }
        }
        return String(text)
    }

    private static func address(_ random: inout TestRandom) -> String {
        let hosts = [
            "t.example", "T.Example.", "b\u{FC}cher.example", "\u{44F}\u{440}.\u{440}\u{444}", "127.0.0.1", "[::1]",
            "[2001:DB8::1]", "xn--bcher-kva.example", "\u{FF54}.example", "a_b.example", "stra\u{DF}e.example",
            "\u{65E5}\u{672C}\u{3002}jp",
        ]
        let host = hosts.randomElement(using: &random) ?? "t.example"
        let port = ["", ":", ":80", ":443", ":08080", ":65535"].randomElement(using: &random) ?? ""
        let scheme = ["http", "https", "HTTPS"].randomElement(using: &random) ?? "http"
        let start = ["", "/", "?", "\\", "/a/../b/"].randomElement(using: &random) ?? ""
        return "\(scheme)://\(host)\(port)\(start)\(start.isEmpty ? "" : self.text(&random))"
    }

    @Test("no secret is in the file or the files next to it")
    func secrets() async throws {
        try await TestLedger.with { test in
            let header = try #require(SecretHeader("Authorization", "provider.apiKey", prefix: "Bearer "))
            let beacon = TestLedger.beacon("a", secrets: [header])
            _ = try await test.ledger.record([beacon], at: TestLedger.at(0))
            let claim = try await test.ledger.claim(ClaimRequest(limit: 1, at: TestLedger.at(0)))
            let claimed = try #require(claim.beacons.first)
            #expect(claimed.beacon.call.secrets == [header])
            let request = try claimed.beacon.request { _ in "s3cr3t-value" }
            #expect(request.headers["Authorization"] == "Bearer s3cr3t-value")
            try await test.ledger.settle(claimed, as: .delivered, at: TestLedger.at(1))
            for name in test.folder.names {
                let bytes = test.folder.bytes(name)
                #expect(!self.holds(bytes, "s3cr3t-value"), "\(name)")
            }
            #expect(self.holds(test.folder.bytes("beacons.sqlite-wal"), "provider.apiKey"))
        }
    }

    private func holds(_ bytes: [UInt8], _ text: String) -> Bool {
        let wanted = Array(text.utf8)
        guard bytes.count >= wanted.count else { return false }
        return (0...bytes.count - wanted.count).contains { bytes[$0..<$0 + wanted.count].elementsEqual(wanted) }
    }
}
