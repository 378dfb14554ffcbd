package import AdCore
import AdRuntime
package import PlayConsole
import SystemSupport

/// Where a report goes, and what it is written from.
package struct ReportWriter: Sendable {
    let folder: String
    package let book: ReportRecorder
    private let speed: Double
    private let closing = Locked<[String]>([])

    /// Makes the folder and sees whether it takes files, before anything is shown that could not be told of.
    package init(in folder: String, speed: Double) throws(PlayError) {
        self.folder = folder
        self.speed = speed
        self.book = ReportRecorder(speed: speed)
        let files = ReportWriter.files(in: folder)
        if let trouble = FileWriting.makeFolder(folder, for: .owner) ?? files.lazy.compactMap(FileWriting.trouble).first
        {
            throw PlayError(.usage, "no report can be written: \(trouble); --report takes a folder")
        }
    }

    /// What became of all beacons together, line by line.
    package func conclude(with lines: [String]) { self.closing.withLock { $0 = lines } }

    /// What is written into a folder.
    package static func files(in folder: String) -> [String] { [folder + "/report.html", folder + "/requests.har"] }

    /// The path of the page.
    package var path: String { ReportWriter.files(in: self.folder)[0] }

    /// The requests beside it.
    private var log: String { ReportWriter.files(in: self.folder)[1] }

    /// Writes the page and the requests beside it; says what went wrong.
    package func write(_ title: String, stage: String, clock: any AdClock) -> String? {
        let now = clock.wallTime
        let page = ReportPage(
            title: title,
            madeAt: now,
            stage: stage,
            stories: self.book.stories,
            speed: self.speed,
            reconciliation: self.closing.withLock { $0 }
        )
        let origin = now + (.zero - clock.now.sinceOrigin)
        let log = HARLog(stories: self.book.stories, origin: origin)
        return FileWriting.write(Array(page.text.utf8), to: self.path, for: .owner)
            ?? FileWriting.write(log.json.bytes(), to: self.log, for: .owner)
    }
}
