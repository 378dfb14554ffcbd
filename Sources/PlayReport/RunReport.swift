package import AdCore

/// The report of a run, as the page and as the HAR file.
package struct RunReport: Sendable {
    private let html: ReportPage
    private let log: HARLog

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - title: The command, such as `show banner.html`.
    ///   - stage: The name of the stage.
    ///   - ads: The ads, in the order of the page.
    ///   - speed: How many times as fast as real time the ads' clock ran.
    ///   - start: The wall-clock time at the start of the run.
    ///   - now: The current wall-clock time.
    ///   - reconciliation: The lines of the reconciliation; empty if there was none.
    package init(
        title: String,
        stage: String,
        ads: [ReportedAd],
        speed: Double,
        startedAt start: WallTime,
        now: WallTime,
        reconciliation: [String] = []
    ) {
        self.html = ReportPage(
            title: title,
            madeAt: now,
            stage: stage,
            ads: ads,
            speed: speed,
            reconciliation: reconciliation
        )
        self.log = HARLog(ads: ads, origin: start)
    }

    package var page: [UInt8] { Array(self.html.text.utf8) }
    package var document: RunDocument { self.html.document }
    package var har: [UInt8] { self.log.json.bytes() }
}
