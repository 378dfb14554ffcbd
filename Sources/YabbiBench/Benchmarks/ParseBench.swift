import AdCore
import AdLint
import AdMarkup

/// A whole typed document against libxml2's own tree of the same bytes, turn by turn in one run; what the linter takes for
/// the same; and the memory that reading takes at its most.
enum ParseBench {
    private static let floor = "libxml2's tree"

    static func parse(_ bench: Bench) throws {
        for ads in [1, 10, 100, 1_000] {
            let document = SampleVAST.document(ads: ads)
            let pairs = self.pairs(bench, [document]) { _ = try? VASTDocument(parsing: $0) }
            bench.tell("VAST read whole", pairs, against: self.floor, .all("µs"), at: Figure.Amount(ads, "ads"))
        }
        guard !bench.files.isEmpty else { return }
        // What is not well-formed has no tree to be held against.
        let documents = try bench.files.map { try ReadFile.bytes($0) }.filter {
            XMLTree.build($0) && (try? VASTDocument(parsing: $0)) != nil
        }
        guard !documents.isEmpty else { throw WishError(message: "none of the files is a document of VAST") }
        let pairs = self.pairs(bench, documents) { _ = try? VASTDocument(parsing: $0) }
        let size = Figure.Amount(documents.count, "documents")
        bench.tell("documents of the user's read whole", pairs, against: self.floor, .all("µs"), at: size)
    }

    static func lint(_ bench: Bench) throws {
        for ads in [1, 10, 100] {
            let pairs = self.pairs(bench, [SampleVAST.document(ads: ads)]) { _ = Lint.check($0) }
            bench.tell("VAST linted", pairs, against: self.floor, .all("µs"), at: Figure.Amount(ads, "ads"))
        }
        guard !bench.files.isEmpty else { return }
        let documents = try bench.files.map { try ReadFile.bytes($0) }
        let clock = ContinuousClock()
        for bytes in documents { _ = Lint.check(bytes) }
        let times = documents.map { bytes in clock.measure { _ = Lint.check(bytes) }.inMicroseconds }
        let size = Figure.Amount(documents.count, "documents")
        bench.tell("one document of the user's linted", times, .all("µs"), at: size)
    }

    /// What some work on documents takes, and libxml2's tree of the same ones: so many turns, but no longer than some seconds.
    private static func pairs(_ bench: Bench, _ documents: [[UInt8]], _ work: ([UInt8]) -> Void) -> Pairs {
        var pairs = Pairs(warmUp: 1)
        let clock = ContinuousClock()
        let end = clock.now + .seconds(5)
        while pairs.own.count < bench.full(400, quick: 2), pairs.own.isEmpty || clock.now < end {
            let tree = clock.measure { for bytes in documents { _ = XMLTree.build(bytes) } }
            let own = clock.measure { for bytes in documents { work(bytes) } }
            pairs.take(own.inMicroseconds, floor: tree.inMicroseconds)
        }
        return pairs
    }

    /// What reading takes at its most, beside the document itself.
    static func memory(_ bench: Bench) throws {
        for ads in bench.full([10, 100, 1_000], quick: [10, 100]) {
            let bytes = SampleVAST.document(ads: ads)
            var pairs = Pairs(warmUp: 1)
            // Once before, so that what is only made once does not count.
            for _ in 0..<2 {
                ProcessFigures.giveMemoryBack()
                let before = ProcessFigures.residentBytes
                ProcessFigures.resetPeak()
                let document = try VASTDocument(parsing: bytes)
                let peak = max(0, ProcessFigures.peakBytes - before)
                guard document.ads.count == ads else { throw WishError(message: "the document has lost ads") }
                pairs.take(Double(peak) / 1024, floor: Double(bytes.count) / 1024)
            }
            let size = Figure.Amount(ads, "ads")
            bench.tell("the most memory that reading takes", pairs, against: "the document", .all("KiB"), at: size)
        }
    }
}
