import AdCore
import AdLint
import TestSupport
import Testing

/// Mutations of the samples, generated from a seed: `YABBI_FUZZ_SEED` and `YABBI_FUZZ_ROUNDS` select others.
@Suite("Linting mutated input")
struct LintFuzzTests {
    private static let script: [String] = [
        "(", ")", "{", "}", "[", "]", "=>", "=", ";", ",", ".", "?.", "'", "\"", "`", "\\", "/", "/*", "*/", "//", "\n",
        "function ", "function go() {",
        "while(true){", "for(;;)", "window.open(", "mraid.", "mraid.open()", "setTimeout(", "go", "new ", "try{",
        "location=", "é", "\0", "<!--",
        "</script>", "addEventListener('click',", "do{", "async ", "!",
    ]

    private static let kinds: [(seeds: [String], morsels: [String])] = [
        ([LintSamples.vast, LintSamples.wrapper, LintSamples.vmap], Mutator.vast),
        ([LintSamples.html, LintSamples.mraid("mraid.expand();")], Mutator.html),
        (
            [LintSamples.script("(function () { window.open('a'); })();"), LintSamples.mraid("while (true) { a(); }")],
            script
        ),
        (
            [LintSamples.answer],
            ["\"", "\\", "\\u", "{", "}", "[", "]", ":", ",", "null", "1e999", "-", "<", "</script>", "é"]
        ),
    ]

    @Test("linting ends for any input, and the findings are on lines that exist", arguments: kinds.indices)
    func mutations(_ kind: Int) {
        let (seeds, morsels) = LintFuzzTests.kinds[kind]
        for seed in FuzzSeeds.range(400) {
            var mutator = Mutator(seed: seed)
            let bytes = mutator.mutated(seeds.map { Array($0.utf8) }, with: morsels)
            let report = Lint.check(bytes)
            let lines = bytes.count { $0 == 0x0A } + 1
            // UTF-16 has line breaks of two bytes.
            let isPlain = !bytes.contains(0) && !bytes.starts(with: [0xFF, 0xFE]) && !bytes.starts(with: [0xFE, 0xFF])
            for finding in report.findings {
                let line = finding.line ?? 1
                #expect(
                    line >= 1 && (line <= lines || !isPlain),
                    "seed \(seed): \(finding.rule.id) on line \(line) of \(lines)"
                )
                #expect(!finding.message.utf8.contains { $0 < 0x20 }, "seed \(seed): \(finding.rule.id)")
            }
            #expect(report.unlisted >= 0, "seed \(seed)")
            #expect(Lint.check(bytes) == report, "seed \(seed)")
        }
    }
}
