@testable import yabbi_bench

/// The records of an invented run.
enum Sample {
    static let distribution = Self.distribution(10, 20, 30)
    static let baseline = Figure.Baseline(
        name: "a bare GET",
        distribution: Self.distribution(10, 10, 10),
        ratio: Self.distribution(1, 2, 3)
    )

    static let records: [Record] = [
        .figure(
            Figure(
                "load",
                "a load",
                .each("µs"),
                Self.distribution,
                at: .init(10, "bytes"),
                baseline: baseline,
                target: .atMost(1.3)
            )
        ),
        .figure(
            Figure(
                "load",
                "a load",
                .each("µs"),
                Self.distribution(20, 30, 40),
                at: .init(100, "bytes"),
                baseline: baseline,
                target: .atMost(1.3)
            )
        ),
        .figure(Figure("ads", "ads shown", .rate("ads"), Self.distribution, at: .init(1_000, "ads"))),
        .figure(
            Figure(
                "ads",
                "memory of an ad",
                .each("KiB"),
                Self.distribution,
                at: .init(1_000, "ads"),
                target: .valueAtMost(25)
            )
        ),
        .gap(Record.Gap(benchmark: "ads", what: "pictures", reason: "no browser", isFailure: false)),
        .gap(Record.Gap(benchmark: "ads", what: nil, reason: "the disk is full", isFailure: true)),
        .environment(
            RunEnvironment(
                cores: 2,
                memoryBytes: 4 << 30,
                kernel: "Linux 6.1.0",
                swift: "6.3",
                isRelease: true,
                isQuick: false,
                seconds: 7,
                date: "2026-01-02",
                commit: "abc"
            )
        ),
        .longTest(
            Record.LongTest(
                what: "two hosts",
                result: "0 billed twice",
                seconds: 9,
                date: "2026-01-03",
                command: "Scripts/test.sh A"
            )
        ),
    ]

    static func distribution(_ values: Double...) -> Distribution {
        guard let distribution = Distribution(values) else { preconditionFailure("The list of values is empty.") }
        return distribution
    }
}
