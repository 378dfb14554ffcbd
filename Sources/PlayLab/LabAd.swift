package import AdCore
import LoopbackServer
package import PlayReport
import SystemSupport

/// What is known of one ad of a lab: its events, pictures and state, which any number of pages read.
///
/// Everything is bounded: old events are dropped with a note, and pictures are thinned.
package final class LabAd: Sendable {
    /// A part of what a page shows besides the events; each is sent again as a whole when it changes.
    package enum Part: String, CaseIterable, Sendable {
        case state, trackers, verdict, strip
    }

    package let id: String
    let order: LabOrder
    /// The order for the list of ads: without the bytes of its source.
    private let ordered: AdJSON
    let startedAt: WallTime
    private let inner = Locked(Inner())
    /// Wakes the pages that wait for events or pictures.
    let waker = Waker()

    private struct Inner {
        var lines: [(number: Int, text: String)] = []
        var lineBytes = 0
        var lastLine = 0
        var parts: [Part: (version: Int, json: AdJSON)] = [:]
        var strip = FilmStrip()
        var documents = DocumentStrip()
        var hasEnded = false
        /// When a page last requested something.
        var seen: ContinuousClock.Instant
        var watchers = 0
        var run: (any LabRun)?

        init() { self.seen = .now }
    }

    /// The greatest number of kept events, and of their bytes.
    static let maxLines = 20_000
    static let maxLineBytes = 24 << 20

    package init(id: String, _ order: LabOrder, ordered: AdJSON, startedAt: WallTime) {
        self.id = id
        self.order = order
        self.ordered = ordered
        self.startedAt = startedAt
    }

    // MARK: What the run reports

    /// Sets the run, once.
    package func attach(_ run: any LabRun) { self.inner.withLock { $0.run = run } }

    /// Releases the run, which holds the ad.
    func detach() { self.inner.withLock { $0.run = nil } }

    /// Adds an event, as `--json` prints it.
    package func append(_ line: String) {
        self.inner.withLock { inner in
            inner.lastLine += 1
            inner.lines.append((inner.lastLine, line))
            inner.lineBytes += line.utf8.count
            guard inner.lines.count > LabAd.maxLines || inner.lineBytes > LabAd.maxLineBytes else { return }
            // A tenth at once: removing one by one would move all others each time.
            let count = max(1, inner.lines.count / 10)
            inner.lineBytes -= inner.lines.prefix(count).reduce(0) { $0 + $1.text.utf8.count }
            inner.lines.removeFirst(count)
        }
        self.waker.wake()
    }

    /// Sets a part; without effect if it is unchanged.
    package func set(_ part: Part, _ json: AdJSON) {
        let isNew = self.inner.withLock { inner in
            let known = inner.parts[part]
            guard known?.json != json else { return false }
            inner.parts[part] = ((known?.version ?? 0) + 1, json)
            return true
        }
        if isNew { self.waker.wake() }
    }

    /// Adds a picture (JPEG) at a time of the ad, in milliseconds.
    package func add(picture bytes: [UInt8], at time: Int64) {
        self.inner.withLock { _ = $0.strip.add(bytes, at: time) }
        self.waker.wake()
    }

    /// Adds the markup of the ad's document, if it has changed.
    package func add(document text: String, at time: Int64) {
        self.inner.withLock { $0.documents.add(text, at: time) }
    }

    /// Sends the lists of kept pictures and documents to the pages.
    package func publishStrip() {
        let (pictures, documents) = self.inner.withLock { inner in
            // A page can ask for what is listed.
            inner.strip.keepLatest()
            return (inner.strip.all, inner.documents.documents)
        }
        self.set(
            .strip,
            [
                "frames": .array(pictures.map { ["n": .int($0.number), "t": .int($0.time)] as AdJSON }),
                "documents": .array(documents.map { ["n": .int($0.number), "t": .int($0.time)] as AdJSON }),
            ]
        )
    }

    /// Ends the ad; nothing follows.
    package func finish() {
        self.publishStrip()
        self.inner.withLock { $0.hasEnded = true }
        self.waker.wake()
    }

    // MARK: What pages read

    package var hasEnded: Bool { self.inner.withLock(\.hasEnded) }
    var run: (any LabRun)? { self.inner.withLock(\.run) }

    /// About how many bytes it keeps.
    var bytes: Int {
        let (kept, run) = self.inner.withLock { ($0.lineBytes + $0.strip.bytes + $0.documents.bytes, $0.run) }
        return kept + self.order.bytes + (run?.bytes ?? 0)
    }

    func part(_ part: Part) -> AdJSON? { self.inner.withLock { $0.parts[part]?.json } }

    /// Records that a page has requested something.
    func touch() { self.inner.withLock { $0.seen = .now } }

    /// Whether a page follows the ad.
    package var isWatched: Bool { self.inner.withLock { $0.watchers > 0 } }

    /// Whether no page has followed the ad or requested anything for so long.
    func isIdle(for time: Duration, at now: ContinuousClock.Instant) -> Bool {
        self.inner.withLock { $0.watchers == 0 && now - $0.seen > time }
    }

    /// When a page last asked for something.
    var lastSeen: ContinuousClock.Instant { self.inner.withLock(\.seen) }

    func addWatcher() { self.inner.withLock { $0.watchers += 1 } }

    func removeWatcher() {
        self.inner.withLock { inner in
            inner.watchers -= 1
            inner.seen = .now
        }
    }

    /// The kept pictures.
    package var filmStrip: FilmStrip { self.inner.withLock(\.strip) }

    /// A kept picture.
    func picture(_ number: Int) -> FilmStrip.Picture? { self.inner.withLock { $0.strip.picture(number) } }

    /// The newest picture after a number, nil if there is none, and whether the ad has ended.
    func latestPicture(after number: Int) -> (picture: FilmStrip.Picture?, hasEnded: Bool) {
        self.inner.withLock { inner in
            let latest = inner.strip.latest.flatMap { $0.number > number ? $0 : nil }
            return (latest, inner.hasEnded)
        }
    }

    func document(_ number: Int) -> DocumentStrip.Document? {
        self.inner.withLock { $0.documents.documents.first { $0.number == number } }
    }

    private static func excerpt(of document: [UInt8]) -> String {
        String(decoding: document.prefix(1_000), as: UTF8.self).excerpt(200)
    }

    /// The ad in the list of ads, with the start of pasted markup, or with all of it.
    func summary(isWhole: Bool) -> AdJSON {
        let (parts, hasEnded, run) = self.inner.withLock { ($0.parts, $0.hasEnded, $0.run) }
        let state = parts[.state]?.json
        var source = self.ordered["source"] ?? [:]
        if source["kind"] == "markup", case .object(let members) = source,
            case .document(let bytes, _) = self.order.source
        {
            let text = isWhole ? String(decoding: bytes, as: UTF8.self) : LabAd.excerpt(of: bytes)
            source = .object(members + [AdJSON.Member("text", .string(text))])
        }
        return [
            "id": .string(self.id), "title": state?["title"] ?? .string(self.id), "source": source,
            "options": self.ordered["options"] ?? [:], "command": .text(run?.command),
            "state": hasEnded ? "ended" : state?["state"] ?? "fetching",
            "rating": parts[.verdict]?.json["rating"] ?? "plain",
            "startedAt": .string(CalendarText.iso8601(self.startedAt)),
            "device": self.ordered["options"]?["device"] ?? .null,
        ]
    }
}

// MARK: The stream of events

/// A page's position in the events of an ad.
struct EventCursor: Sendable {
    var line: Int
    var versions: [LabAd.Part: Int] = [:]
    var hasEnded = false
}

extension LabAd {
    /// The position after an event, whose number may be too high: a page can have that of an earlier lab.
    func cursor(after line: Int) -> EventCursor {
        EventCursor(line: self.inner.withLock { min(max(0, line), $0.lastLine) })
    }

    /// The size of a piece of a stream, in bytes.
    private static let pieceBytes = 128 << 10

    /// The next events for a page as a stream (HTML Living Standard, "Server-sent events"); nil if there are none yet.
    func next(_ cursor: inout EventCursor) -> [UInt8]? {
        self.inner.withLock { inner in
            var text = ""
            // Lines are in order of their numbers.
            let first = inner.lines.first?.number ?? inner.lastLine + 1
            if cursor.line + 1 < first {
                text += "data: {\"event\":\"omitted\",\"kind\":\"events 1 to \(first - 1)\"}\n\n"
                cursor.line = first - 1
            }
            for entry in inner.lines.dropFirst(max(0, cursor.line + 1 - first)) {
                guard text.utf8.count < LabAd.pieceBytes else { break }
                text += "id: \(entry.number)\ndata: \(entry.text)\n\n"
                cursor.line = entry.number
            }
            for part in Part.allCases {
                guard let (version, json) = inner.parts[part], cursor.versions[part] != version else { continue }
                cursor.versions[part] = version
                text += "event: \(part.rawValue)\ndata: \(json.text())\n\n"
            }
            if inner.hasEnded, cursor.line >= inner.lastLine, !cursor.hasEnded {
                cursor.hasEnded = true
                text += "event: end\ndata: {}\n\n"
            }
            return text.isEmpty ? nil : Array(text.utf8)
        }
    }
}
