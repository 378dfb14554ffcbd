import AdCore
import PlayConsole
import PlayReport

/// What came of the ads of a run.
struct RunTotals: Sendable {
    /// How many ads were asked for, and how many of them were loaded.
    private(set) var asked = 0
    private(set) var fills = 0
    /// How many ads could not be loaded or shown.
    private(set) var failures = 0
    /// The ads, those that were served together with others included.
    private(set) var ads: Set<AdID> = []
    /// How long each load took.
    private(set) var loads: [Duration] = []
    /// What pages reported to their servers by themselves.
    var pageMessages: [PageServerMessage] = []
    private(set) var worst = ExitCode.done
    /// The error behind the exit code; nil where all went well.
    private(set) var worstError: String?

    /// Counts an ad that is asked for; nil for one that never came.
    mutating func add(_ ad: AdID?) {
        self.asked += 1
        if let ad { self.ads.insert(ad) }
    }

    /// Includes an ad that was served together with another one.
    mutating func include(_ ad: AdID) { self.ads.insert(ad) }

    mutating func fill(after latency: Duration) {
        self.fills += 1
        self.loads.append(latency)
    }

    mutating func fail(_ code: ExitCode, _ message: String) {
        self.failures += 1
        self.worsen(to: code, message)
    }

    /// Notes an error; the first of the worst ones decides the exit code.
    mutating func worsen(to code: ExitCode, _ message: String) {
        let worst = self.worst.worse(code)
        guard worst != self.worst else { return }
        self.worst = worst
        self.worstError = message
    }
}
