import AdCore
import AdLint
import AdMarkup

/// Parsing VAST documents, compared with libxml2's tree of the same bytes; linting them; and the peak memory of
/// parsing.
enum ParseBench {
    private static let baseline = "libxml2's tree"

    static func parse(_ bench: BenchContext) throws {
        for ads in [1, 10, 100, 1_000] {
            let document = SampleVAST.document(ads: ads)
            let pairs = self.pairs(bench, [document]) { _ = try? VASTDocument(parsing: $0) }
            bench.report("VAST parsed", pairs, against: self.baseline, .all("µs"), at: Figure.Amount(ads, "ads"))
        }
        guard !bench.files.isEmpty else { return }
        // Documents that are not well-formed have no tree to compare with.
        let documents = try bench.files.map { try ReadFile.bytes($0) }.filter {
            XMLTree.build($0) && (try? VASTDocument(parsing: $0)) != nil
        }
        guard !documents.isEmpty else { throw BenchError(message: "none of the files is a VAST document") }
        let pairs = self.pairs(bench, documents) { _ = try? VASTDocument(parsing: $0) }
        let size = Figure.Amount(documents.count, "documents")
        bench.report("own documents parsed", pairs, against: self.baseline, .all("µs"), at: size)
    }

    static func lint(_ bench: BenchContext) throws {
        for ads in [1, 10, 100] {
            let pairs = self.pairs(bench, [SampleVAST.document(ads: ads)]) { _ = Lint.check($0) }
            bench.report("VAST linted", pairs, against: self.baseline, .all("µs"), at: Figure.Amount(ads, "ads"))
        }
        guard !bench.files.isEmpty else { return }
        let documents = try bench.files.map { try ReadFile.bytes($0) }
        let clock = ContinuousClock()
        for bytes in documents { _ = Lint.check(bytes) }
        let times = documents.map { bytes in clock.measure { _ = Lint.check(bytes) }.inMicroseconds }
        let size = Figure.Amount(documents.count, "documents")
        bench.report("own documents linted", times, .all("µs"), at: size)
    }

    /// The times of some work on documents and of libxml2's tree of the same ones, for at most five seconds.
    private static func pairs(_ bench: BenchContext, _ documents: [[UInt8]], _ work: ([UInt8]) -> Void) -> PairedSamples
    {
        var pairs = PairedSamples(warmUp: 1)
        let clock = ContinuousClock()
        let end = clock.now + .seconds(5)
        while pairs.own.count < bench.full(400, quick: 2), pairs.own.isEmpty || clock.now < end {
            let tree = clock.measure { for bytes in documents { _ = XMLTree.build(bytes) } }
            let own = clock.measure { for bytes in documents { work(bytes) } }
            pairs.add(own.inMicroseconds, baseline: tree.inMicroseconds)
        }
        return pairs
    }

    /// The peak memory of parsing, in addition to the document.
    static func memory(_ bench: BenchContext) throws {
        for ads in bench.full([10, 100, 1_000], quick: [10, 100]) {
            let bytes = SampleVAST.document(ads: ads)
            var pairs = PairedSamples(warmUp: 1)
            // The first round allocates what is allocated only once.
            for _ in 0..<2 {
                ProcessMetrics.releaseFreeMemory()
                let before = ProcessMetrics.residentBytes
                ProcessMetrics.resetPeak()
                let document = try VASTDocument(parsing: bytes)
                let peak = max(0, ProcessMetrics.peakBytes - before)
                guard document.ads.count == ads else { throw BenchError(message: "the parsed document lacks ads") }
                pairs.add(Double(peak) / 1024, baseline: Double(bytes.count) / 1024)
            }
            let size = Figure.Amount(ads, "ads")
            bench.report("peak memory of parsing", pairs, against: "the document", .all("KiB"), at: size)
        }
    }
}
