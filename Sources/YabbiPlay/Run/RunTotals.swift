import AdCore
import PlayConsole
import PlayText

/// The results of a run's ads.
struct RunTotals: Sendable {
    /// The number of requested ads.
    private(set) var requested = 0
    /// The number of loaded ads.
    private(set) var fills = 0
    /// The number of ads that failed to load or show.
    private(set) var failures = 0
    /// All ads, including the additional ads of a response.
    private(set) var ads: Set<AdID> = []
    /// The duration of each load.
    private(set) var loads: [Duration] = []
    /// The messages that pages sent to their servers.
    var pageMessages: [PageServerMessage] = []
    private(set) var worst = ExitCode.done
    /// The error of the exit code; nil if there was none.
    private(set) var worstError: String?

    /// Counts a requested ad; nil stands for one that was not created.
    mutating func add(_ ad: AdID?) {
        self.requested += 1
        if let ad { self.ads.insert(ad) }
    }

    /// Includes an additional ad of a response.
    mutating func include(_ ad: AdID) { self.ads.insert(ad) }

    mutating func fill(after latency: Duration) {
        self.fills += 1
        self.loads.append(latency)
    }

    mutating func fail(_ code: ExitCode, _ message: String) {
        self.failures += 1
        self.worsen(to: code, message)
    }

    /// Records an error.
    ///
    /// The first of the worst errors is reported.
    mutating func worsen(to code: ExitCode, _ message: String) {
        let worst = self.worst.worse(code)
        guard worst != self.worst else { return }
        self.worst = worst
        self.worstError = message
    }
}
