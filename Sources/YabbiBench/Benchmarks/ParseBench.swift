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
            let target: Figure.Target? = ads == 1 ? .atMost(1) : nil
            let size = Figure.Amount(ads, "ads")
            bench.report("VAST parsed", pairs, against: self.baseline, .all("µs"), at: size, target: target)
        }
        let (name, documents) = try self.documents(bench)
        guard !documents.isEmpty else { return }
        let pairs = self.pairs(bench, documents) { _ = try? VASTDocument(parsing: $0) }
        let size = Figure.Amount(documents.count, "documents")
        bench.report("\(name) parsed", pairs, against: self.baseline, .all("µs"), at: size, target: .atMost(0.8))
    }

    /// The documents of the corpus beside the project, or those that were named; with what they are called.
    ///
    /// Documents that are not well-formed have no tree to compare with.
    private static func documents(_ bench: BenchContext) throws -> (name: String, documents: [[UInt8]]) {
        let corpus = "../shared/corpus"
        let files = bench.files.isEmpty ? ReadFile.paths(below: corpus, ending: ".xml") : bench.files
        let name = bench.files.isEmpty ? "the corpus" : "own documents"
        let documents = try files.map { try ReadFile.bytes($0) }.filter {
            XMLTree.build($0) && (try? VASTDocument(parsing: $0)) != nil
        }
        if documents.isEmpty {
            guard bench.files.isEmpty else { throw BenchError(message: "none of the files is a VAST document") }
            bench.skip(name, "there are no documents in \(corpus)")
        }
        return (name, documents)
    }

    static func lint(_ bench: BenchContext) throws {
        for ads in [1, 10, 100] {
            let pairs = self.pairs(bench, [SampleVAST.document(ads: ads)]) { _ = Lint.check($0) }
            bench.report("VAST linted", pairs, against: self.baseline, .all("µs"), at: Figure.Amount(ads, "ads"))
        }
        let (name, documents) = try self.documents(bench)
        guard !documents.isEmpty else { return }
        let pairs = self.pairs(bench, documents) { _ = Lint.check($0) }
        let size = Figure.Amount(documents.count, "documents")
        bench.report("\(name) linted", pairs, against: self.baseline, .all("µs"), at: size, target: .atMost(5))
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
            let target = Figure.Target.atMost(2)
            bench.report(
                "peak memory of parsing",
                pairs,
                against: "the document",
                .all("KiB"),
                at: size,
                target: target
            )
        }
    }
}
