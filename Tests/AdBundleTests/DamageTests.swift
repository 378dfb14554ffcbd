import AdCore
import TestSupport
import Testing

@testable import AdBundle

/// Zip files with random damage.
///
/// To repeat one: `YABBI_SEED=<seed> swift test --filter DamageTests`; `YABBI_LONG=1` runs more.
@Suite("Zip files with random damage")
struct DamageTests {
    private static let first: UInt64 = 0x21B0_0000

    @Test("every damaged zip is a bundle within the limits or an error, in bounded time")
    func damage() {
        let limits = Fixtures.limits {
            $0.file = 1 << 20
            $0.total = 2 << 20
            $0.entries = 50
        }
        let zip = Self.zip
        var bundles = 0
        var seeds = 0
        for seed in TestSeed.all(from: Self.first, count: LongForm.either(200_000, short: 5_000)) {
            var random = TestRandom(seed: seed)
            let damaged = Self.damage(zip, &random)
            var result = Result<AdBundle, BundleError>.failure(.init("", .notZip))
            let time = ProcessorTime.measure { result = Fixtures.read(damaged, within: limits) }
            seeds += 1
            if case .success = result { bundles += 1 }
            guard let problem = Self.problem(result, limits) ?? (time > .timeout(1) ? "\(time)" : nil) else { continue }
            Testing.Issue.record("YABBI_SEED=\(seed): \(problem)")
            return
        }
        // Most of a zip is data, so that some damage leaves a bundle; the rest is refused.
        if TestSeed.chosen == nil {
            #expect(bundles > seeds / 20)
            #expect(bundles < seeds)
        }
    }

    /// What is wrong with the outcome; nil if nothing is.
    private static func problem(_ result: Result<AdBundle, BundleError>, _ limits: BundleLimits) -> String? {
        switch result {
        case .failure(let error):
            return error.description.count < 2_000 ? nil : "a message of \(error.description.count) characters"
        case .success(let bundle):
            let total = bundle.files.values.reduce(0) { $0 + $1.bytes.count }
            guard total == bundle.totalBytes, total <= limits.total else { return "\(total) bytes" }
            guard bundle.file(at: "/" + PercentEncoding.component(bundle.indexPath)) != nil else { return "no index" }
            let bad = bundle.files.keys.first { path in
                path.split(separator: "/", omittingEmptySubsequences: false).contains { ["", ".", ".."].contains($0) }
                    || path.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "\\") }
            }
            return bad.map { "the path \($0)" }
        }
    }

    /// Changes, removes, repeats or moves some bytes; more often where the structure is.
    private static func damage(_ zip: [UInt8], _ random: inout TestRandom) -> [UInt8] {
        var bytes = zip
        for _ in 0..<Int.random(in: 1...6, using: &random) where bytes.count > 40 {
            let isInList = Bool.random(using: &random)
            let start = isInList ? max(0, bytes.count - 700) : 0
            let place = Int.random(in: start..<bytes.count, using: &random)
            let end = min(bytes.count, place + Int.random(in: 1...30, using: &random))
            switch Int.random(in: 0..<8, using: &random) {
            case 0...2: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 3: bytes[place] = [0, 0xFF, 0x7F, 0x80].randomElement(using: &random) ?? 0
            case 4: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 5: bytes.removeSubrange(place..<end)
            case 6: bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &random))
            default: bytes.replaceSubrange(place..<end, with: bytes[place..<end].reversed())
            }
        }
        return bytes
    }

    /// A zip with one of everything.
    private static let zip: [UInt8] = {
        let script = Array(repeating: UInt8(ascii: "a"), count: 300)
        let zeros = Deflate.zeros(20_000)
        var writer = ZipWriter([
            Fixtures.index,
            .init("js/ad.js", deflated: Deflate.stored(script), of: script),
            .init("img/a.bin", deflated: zeros.packed, of: [UInt8](repeating: 0, count: zeros.count)),
            .init("größe.css", script).with { $0.flags = 1 << 11 },
            ZipWriter.Entry("link", Array("index.html".utf8)).of(unixType: 0o120000),
            .init("img/", []),
            .init("inner.zip", ZipWriter([.init("x")]).bytes),
        ])
        writer.isZip64 = true
        return writer.bytes
    }()
}
