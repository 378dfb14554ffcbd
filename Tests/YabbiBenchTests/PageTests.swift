import Testing

@testable import yabbi_bench

@Suite("The benchmark page")
struct PageTests {
    private static let benchmarks = [
        Benchmark(name: "load", title: "A load", baseline: "A bare GET.", seconds: 1) { _ in },
        Benchmark(name: "ads", title: "Ads alive", baseline: nil, seconds: 1) { _ in },
        Benchmark(name: "stage", title: "Ads shown", baseline: nil, seconds: 1) { _ in },
    ]

    @Test("the records give exactly this page")
    func page() {
        let page = Page(Sample.records, of: Self.benchmarks).text
        #expect(page.hasPrefix("# Benchmarks\n\n`make bench` measures everything"))
        let machine = page.range("| machine |", before: "## How to read it")
        #expect(
            machine == """
                | machine |   |
                |---|---|
                | cores | 2 |
                | memory | 4 GiB |
                | kernel | Linux 6.1.0 |
                | Swift | 6.3 |
                | build | release |
                | took | 7 s |
                | date | 2026-01-02 |
                | commit | abc |

                """
        )
        #expect(page.range("## Targets", before: nil) == Self.figures)
    }

    private static let figures = """
        ## Targets

        | benchmark | what | of | ratio or value | IQR | target |
        |---|---|---|---|---|---|
        | load | a load | 10 bytes | 2× | 1.50 to 2.50 | at most 1.3×, missed |
        | load | a load | 100 bytes | 2× | 1.50 to 2.50 | at most 1.3×, missed |
        | ads | memory of an ad | 1,000 ads | 20 KiB | 15 to 25 | at most 25 KiB, met |

        ## `load`

        A load.

        - Baseline: A bare GET.
        - Repeat: `swift run -c release yabbi-bench load`

        **a load** `▆█` The cost per item grows by a factor of 1.50 at 100 bytes.

        | bytes | median | IQR | samples | baseline | ratio | IQR | target | growth |
        |---|---|---|---|---|---|---|---|---|
        | 10 | 20 µs | 15 to 25 | 3 | a bare GET: 10 | 2× | 1.50 to 2.50 | at most 1.3×, missed |  |
        | 100 | 30 µs | 25 to 35 | 3 | a bare GET: 10 | 2× | 1.50 to 2.50 | at most 1.3×, missed | 1.50× |

        ## `ads`

        Ads alive.

        - Baseline: none.
        - Repeat: `swift run -c release yabbi-bench ads`

        | what | of | median | IQR | samples | target |
        |---|---|---|---|---|---|
        | ads shown | 1,000 ads | 20 ads/s | 15 to 25 | 3 |  |
        | memory of an ad | 1,000 ads | 20 KiB | 15 to 25 | 3 | at most 25 KiB, met |

        Skipped: pictures: no browser

        Failed: the disk is full

        ## `stage`

        Ads shown.

        - Baseline: none.
        - Repeat: `swift run -c release yabbi-bench stage`

        Not measured in this run.

        ## Long tests

        The last complete runs; `make bench` does not repeat them.

        | what | result | took | date | repeat |
        |---|---|---|---|---|
        | two hosts | 0 billed twice | 9 s | 2026-01-03 | `Scripts/test.sh A` |

        """

    @Test("the README's rows are figures of the page, or say that they were not measured")
    func rows() {
        let highlights = [
            Highlight("A load of 100 bytes", "load", "a load", at: 100), Highlight("Ads shown", "ads", "ads shown"),
            Highlight("Pictures", "ads", "pictures"),
        ]
        #expect(
            Highlight.table(highlights, of: Sample.records) == """
                |   | figure | `yabbi-bench` |
                |---|---|---|
                | A load of 100 bytes | 2× (30 µs, a bare GET 10); target at most 1.3×, missed | `load` |
                | Ads shown | 20 ads/s | `ads` |
                | Pictures | not measured | `ads` |

                """
        )
    }
}

extension String {
    /// The lines from one that starts with a text up to one that starts with another, or to the end.
    func range(_ start: String, before end: String?) -> String {
        let lines = self.split(separator: "\n", omittingEmptySubsequences: false)
        let first = lines.firstIndex { $0.hasPrefix(start) } ?? lines.endIndex
        let last = end.flatMap { end in lines.firstIndex { $0.hasPrefix(end) } } ?? lines.endIndex
        return lines[first..<last].joined(separator: "\n")
    }
}
