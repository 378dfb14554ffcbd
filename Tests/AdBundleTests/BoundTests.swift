import TestSupport
import Testing

@testable import AdBundle

/// What is too much, or no zip at all: the whole bundle is refused, with what to do.
@Suite("Bounds of bundles, and damaged zip files")
struct BoundTests {
    @Test("a hundred thousand files are counted, and refused before anything is unpacked")
    func entries() {
        // They share one header: otherwise the test would take longer than what it tests.
        let file = ZipWriter.Entry("a.js").with { $0.sharesHeader = 0 }
        let bytes = ZipWriter([Fixtures.index] + [ZipWriter.Entry](repeating: file, count: 99_999)).bytes
        var message: String?
        let time = ProcessorTime.measure { message = Fixtures.read(bytes).message }
        #expect(message == "ad.zip has 100,000 entries, and 5,000 is the most; leave out what the ad does not load")
        #expect(time < .timeout(2))
    }

    @Test("five thousand files are read")
    func manyFiles() throws {
        let bytes = ZipWriter([Fixtures.index] + (1..<5_000).map { .init("\($0).js") }).bytes
        #expect(Fixtures.read(bytes).paths.count == 5_000)
    }

    @Test("a file of more than the ratio's limit is refused, and so is the bundle")
    func bomb() {
        let zeros = Deflate.zeros(4_000_000)
        let bomb = ZipWriter.Entry("a.js", deflated: zeros.packed, of: []).with { $0.size = zeros.count }
        let result = Fixtures.read([Fixtures.index, bomb])
        #expect(result.reason == .tooDense("a.js", packed: zeros.packed.count, limit: 200))
        #expect(
            result.message
                == "ad.zip can't be used: a.js becomes more than 200 times as large as its 3.7 KiB in the zip, "
                + "and 200 is the most; that is a zip bomb or a file of nothing but zeros: leave it out"
        )
    }

    @Test("a bomb that states a small size ends there, and the bundle goes on", arguments: [0, 1, 300_000])
    func hiddenBomb(stated: Int) {
        let bomb = ZipWriter.Entry("a.js", deflated: Deflate.zeros(400 << 20).packed, of: []).with { $0.size = stated }
        var result = Result<AdBundle, BundleError>.failure(.init("", .notZip))
        let bytes = ZipWriter([bomb, Fixtures.index]).bytes
        let time = ProcessorTime.measure { result = Fixtures.read(bytes) }
        #expect(time < .timeout(1))
        #expect(result.paths == ["index.html"])
        #expect(result.issues.count == 1)
    }

    @Test("what stands behind the packed bytes does not count for the ratio")
    func padding() {
        let zeros = Deflate.zeros(4_000_000)
        let padded = zeros.packed + [UInt8](repeating: 7, count: 1_000_000)
        let bomb = ZipWriter.Entry("a.js", deflated: padded, of: []).with { $0.size = zeros.count }
        let reason = Fixtures.read([Fixtures.index, bomb]).reason
        #expect(reason == .tooDense("a.js", packed: zeros.packed.count, limit: 200))
    }

    @Test("unpacking ends at the limit of a file, long before the end of the file")
    func largeFile() {
        let limits = Fixtures.limits {
            $0.file = 1 << 20
            $0.ratio = 2_000
        }
        let zeros = Deflate.zeros(400 << 20)
        let bomb = ZipWriter.Entry("a.mp4", deflated: zeros.packed, of: []).with { $0.size = zeros.count }
        var result = Result<AdBundle, BundleError>.failure(.init("", .notZip))
        let bytes = ZipWriter([Fixtures.index, bomb]).bytes
        let time = ProcessorTime.measure { result = Fixtures.read(bytes, within: limits) }
        #expect(time < .timeout(1))
        #expect(
            result.message == "ad.zip can't be used: a.mp4 has 400 MiB, and 1 MiB is the most for one file; make it "
                + "smaller, or load it from a server"
        )
    }

    @Test("many files that each keep to the limits end at the limit of all")
    func allFiles() {
        let zeros = Deflate.zeros(1_000_000)
        let file = ZipWriter.Entry("", deflated: zeros.packed, of: [UInt8](repeating: 0, count: zeros.count))
        let files = (0..<200).map { number in file.with { $0.name = Array("\(number).js".utf8) } }
        let result = Fixtures.read([Fixtures.index] + files)
        #expect(result.reason == .allTooLarge("134.js", limit: 128 << 20))
        #expect(
            result.message == "ad.zip can't be used: up to and including 134.js its files have more than 128 MiB, the "
                + "most for all; leave out what the ad does not load"
        )
    }

    @Test("overlapping entries end at the limit of all, as the better zip bomb does")
    func overlap() {
        // Each entry quotes the local header of the next one in a stored block, and all end in the same kernel.
        let bytes = BetterBomb.bytes(files: 250, kernel: Deflate.zeros(20_000))
        #expect(bytes.count < 40_000)
        let result = Fixtures.read(bytes, within: Fixtures.limits { $0.total = 1 << 20 })
        guard case .allTooLarge(_, 1_048_576) = result.reason else {
            Issue.record("\(result.message ?? "a bundle")")
            return
        }
        // With more room it is read: its entries are what they state.
        #expect(Fixtures.read(bytes).reason == .noPage(files: 250, leftOut: nil))
    }

    @Test("damaged files count for the limit of all too")
    func damagedWork() {
        let zeros = Deflate.zeros(1_000_000)
        // It is not the last block, and what follows is none.
        let damaged = [zeros.packed[0] & 0xFE] + zeros.packed.dropFirst() + [0xFF, 0xFF, 0xFF, 0xFF]
        let files = (0..<10).map { ZipWriter.Entry("\($0).js", deflated: damaged, of: []).with { $0.size = 4_000_000 } }
        let limits = Fixtures.limits { $0.total = 3_000_000 }
        // How much of a damaged file is unpacked depends on the version of libarchive.
        let reason = Fixtures.read([Fixtures.index] + files, within: limits).reason
        #expect(["2.js", "3.js"].map { .allTooLarge($0, limit: 3_000_000) }.contains(reason))
    }

    @Test("a zip file that is larger than the limit of all files is not read")
    func largeZip() {
        let bytes = ZipWriter([Fixtures.index]).bytes
        let message = Fixtures.read(bytes, within: Fixtures.limits { $0.total = 100 }).message
        let text = "ad.zip has \(bytes.count) bytes, and 100 bytes is the most; leave out what the ad does not load"
        #expect(message == text)
    }

    @Test("an empty zip, and one of nothing that can be used, say so")
    func empty() {
        let text = "ad.zip has no files: put the index.html and what it loads into it"
        #expect(Fixtures.read(ZipWriter([]).bytes).message == text)
        #expect(Fixtures.read([.init("img/", [])]).message == text)
        let refused = Fixtures.read([.init("..\\index.html")]).message
        #expect(
            refused == "ad.zip has no files that can be used, 1 entry left out: ..\\index.html: "
                + EntryFault.outside.message
        )
    }

    @Test("a zip that was not copied to its end says so, wherever it was cut")
    func truncated() {
        let bytes = ZipWriter([Fixtures.index, .init("a.js")]).bytes
        let text =
            "ad.zip is damaged: the list of files at its end is missing; perhaps it was not copied to its end; download "
            + "it again, or make it again from its files"
        for count in 4..<bytes.count {
            #expect(Fixtures.read(Array(bytes.prefix(count))).message == text, "\(count)")
        }
        #expect(Fixtures.read(Array("<html>".utf8)).message?.hasPrefix("ad.zip is not a zip file: ") == true)
        #expect(Fixtures.read([UInt8]()).message?.hasPrefix("ad.zip is not a zip file: ") == true)
    }

    @Test("a zip whose list leads nowhere is damaged, and a part of a zip is named so")
    func structure() {
        let bytes = ZipWriter([Fixtures.index]).bytes
        let end = bytes.count - 22
        for (place, value, text) in [
            (4, 1, "it is one part of a zip in several parts"), (12, 255, "its list of files is where no list can be"),
            (12, 3, "its list of files can't be read after 0 entries"),
        ] {
            var damaged = bytes
            damaged[end + place] = UInt8(value)
            #expect(Fixtures.read(damaged).message?.hasPrefix("ad.zip is damaged: \(text)") == true)
        }
        var moved = bytes
        moved[0] = 0x51
        let message = Fixtures.read([0x50, 0x4B, 3, 4] + moved).message
        #expect(message?.contains("index.html is not where its list of files says") == true)
    }
}
