@testable import yabbi_bench

/// A run that never was.
enum Sample {
    static let spread = Self.spread(10, 20, 30)
    static let floor = Figure.Floor(name: "a bare GET", spread: Self.spread(10, 10, 10), ratio: Self.spread(1, 2, 3))

    static let records: [Record] = [
        .figure(
            Figure("load", "a load", .each("µs"), Self.spread, at: .init(10, "bytes"), floor: floor, aim: .atMost(1.3))
        ),
        .figure(
            Figure(
                "load",
                "a load",
                .each("µs"),
                Self.spread(20, 30, 40),
                at: .init(100, "bytes"),
                floor: floor,
                aim: .atMost(1.3)
            )
        ),
        .figure(Figure("ads", "ads shown", .rate("ads"), Self.spread, at: .init(1_000, "ads"))),
        .gap(Record.Gap(benchmark: "ads", what: "pictures", reason: "no browser", isFailure: false)),
        .gap(Record.Gap(benchmark: "ads", what: nil, reason: "the disk is full", isFailure: true)),
        .machine(
            Machine(
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
    ]

    static func spread(_ values: Double...) -> Spread {
        guard let spread = Spread(values) else { preconditionFailure("There are no values.") }
        return spread
    }
}
