package import AdCore
import AdRuntime
package import PlayConsole
import SystemSupport

/// Writes the report of a run into a folder.
package struct ReportWriter: Sendable {
    let folder: String
    private let recorder: ReportRecorder
    private let speed: Double
    private let reconciliation = Locked<[String]>([])

    /// Creates the folder and checks that files can be written to it, before the run starts.
    package init(in folder: String, of recorder: ReportRecorder, speed: Double) throws(PlayError) {
        self.folder = folder
        self.speed = speed
        self.recorder = recorder
        let files = ReportWriter.files(in: folder)
        if let error = FileWriting.makeFolder(folder, for: .owner) ?? files.lazy.compactMap(FileWriting.failure).first {
            throw PlayError(.usage, "the report can't be written: \(error); --report expects a folder")
        }
    }

    /// Sets the lines of the reconciliation of beacons.
    package func conclude(with lines: [String]) { self.reconciliation.withLock { $0 = lines } }

    /// The paths of the files that are written into a folder.
    package static func files(in folder: String) -> [String] { [folder + "/report.html", folder + "/requests.har"] }

    /// The path of the page.
    package var path: String { ReportWriter.files(in: self.folder)[0] }

    /// The path of the HAR file.
    private var harPath: String { ReportWriter.files(in: self.folder)[1] }

    /// Writes the page and the HAR file.
    ///
    /// - Returns: What went wrong; nil if both were written.
    package func write(_ title: String, stage: String, startedAt start: WallTime, now: WallTime) -> String? {
        let report = RunReport(
            title: title,
            stage: stage,
            ads: self.recorder.ads,
            speed: self.speed,
            startedAt: start,
            now: now,
            reconciliation: self.reconciliation.withLock { $0 }
        )
        return FileWriting.write(report.page, to: self.path, for: .owner)
            ?? FileWriting.write(report.har, to: self.harPath, for: .owner)
    }
}
