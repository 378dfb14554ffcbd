import AdCore
import AdRuntime
import SystemLock

/// Where a report goes, and what it is written from.
struct ReportDesk: Sendable {
    let folder: String
    let book: ReportBook
    private let speed: Double
    private let closing = Locked<[String]>([])

    /// Makes the folder and sees whether it takes files, before anything is shown that could not be told of.
    init(in folder: String, speed: Double) throws(PlayError) {
        self.folder = folder
        self.speed = speed
        self.book = ReportBook(speed: speed)
        let files = ReportDesk.files(in: folder)
        if let trouble = FileWriting.makeFolder(folder, for: .owner) ?? files.lazy.compactMap(FileWriting.trouble).first
        {
            throw PlayError(.usage, "no report can be written: \(trouble); --report takes a folder")
        }
    }

    /// What became of all beacons together, line by line.
    func conclude(with lines: [String]) { self.closing.withLock { $0 = lines } }

    /// What is written into a folder.
    static func files(in folder: String) -> [String] { [folder + "/report.html", folder + "/requests.har"] }

    /// The page, for whoever is told where it is.
    var path: String { ReportDesk.files(in: self.folder)[0] }

    /// The requests beside it.
    private var log: String { ReportDesk.files(in: self.folder)[1] }

    /// Writes the page and the requests beside it; says what went wrong.
    func write(_ title: String, stage: String, clock: any AdClock) -> String? {
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
