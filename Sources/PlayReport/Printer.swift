package import AdCore
package import AdRuntime
package import PlayConsole
import SystemSupport

/// Prints everything that happens to ads, and remembers it for the verdicts at the end.
package final class Printer: AdObserver {
    private struct Memory {
        var records: [AdRecord] = []
        var pageMessages: [(ad: AdID, what: PageServerMessage)] = []
        /// How often an issue of a session came, by its code.
        var issues: [String: Int] = [:]
        /// The rooms that ads are shown in, and by which rule.
        var containers: [AdID: [AdJSON.Member]] = [:]
        /// Called when the next ad is loaded.
        var onLoaded: (@Sendable () -> Void)?
    }

    private let console: any Console
    private let isJSON: Bool
    private let isQuiet: Bool
    private let opensLinks: Bool
    private let tagsAds: Bool
    private let memory = Locked(Memory())

    /// A quiet one remembers without printing: for when an ad is one of very many.
    package init(
        _ console: any Console,
        isJSON: Bool,
        isQuiet: Bool = false,
        opensLinks: Bool = false,
        tagsAds: Bool = false
    ) {
        self.console = console
        self.isJSON = isJSON
        self.isQuiet = isQuiet
        self.opensLinks = opensLinks
        self.tagsAds = tagsAds
    }

    /// Remembers the room that an ad is shown in: `shown` says so.
    package func setContainer(_ detail: [AdJSON.Member], of ad: AdID) {
        self.memory.withLock { $0.containers[ad] = detail }
    }

    /// The record with what is known here alone.
    private func completed(_ record: AdRecord) -> AdRecord {
        guard record.event == .shown, let room = self.memory.withLock({ $0.containers[record.ad] }) else {
            return record
        }
        return AdRecord(
            at: record.at,
            ad: record.ad,
            provider: record.provider,
            event: record.event,
            detail: record.detail + room
        )
    }

    package func observe(_ record: AdRecord) {
        let record = self.completed(record)
        let heard = self.memory.withLock { memory in
            memory.records.append(record)
            guard record.event == .loaded else { return nil as (@Sendable () -> Void)? }
            defer { memory.onLoaded = nil }
            return memory.onLoaded
        }
        if !self.isQuiet {
            self.print(EventLine(record, opensLinks: self.opensLinks))
        } else if case .issue(let issue) = record.event, issue.code.hasPrefix("ledger."), self.isFirst(issue) {
            // What becomes of a ledger concerns all ads of a quiet run; once is enough.
            self.console.err("yabbi-play: \(Style.printable(issue.message, upTo: 400))")
        }
        heard?()
    }

    /// Whether no issue of this code came before.
    private func isFirst(_ issue: AdIssue) -> Bool {
        self.memory.withLock { memory in
            memory.issues[issue.code, default: 0] += 1
            return memory.issues[issue.code] == 1
        }
    }

    package func observe(_ notice: IgnoredInput) {
        guard !self.isQuiet else { return }
        self.print(EventLine(notice))
    }

    /// Prints a message of a page that is not for the app.
    package func observe(_ news: PageMessage, of ad: AdID, _ provider: ProviderName, at now: Moment) {
        if case .told(let told) = news { self.memory.withLock { $0.pageMessages.append((ad, told)) } }
        guard !self.isQuiet else { return }
        self.print(EventLine(news, of: ad, provider, at: now))
    }

    /// Prints the events of a session that are useful to a reader.
    ///
    /// The same issue again and again is a flood: the terminal shows the first few, JSON has all of them.
    package func observe(_ record: SessionRecord) {
        guard !self.isQuiet, let line = EventLine(record) else { return }
        guard !self.isJSON, case .issue(let issue) = record.event else { return self.print(line) }
        let count = self.memory.withLock { memory in
            memory.issues[issue.code, default: 0] += 1
            return memory.issues[issue.code, default: 0]
        }
        guard count <= Printer.mostAlike else { return }
        self.print(line, note: count == Printer.mostAlike ? "; further ones are not printed" : "")
    }

    private func print(_ line: EventLine, note: String = "") {
        let style = Style(isColoured: self.console.isColoured)
        self.console.out(self.isJSON ? line.json : line.line(style, tagsAds: self.tagsAds) + note)
    }

    /// How often the same issue of a session is printed.
    static let mostAlike = 5

    /// What a page has told its server so far.
    package func pageMessages(of ad: AdID) -> [PageServerMessage] {
        self.memory.withLock { $0.pageMessages.filter { $0.ad == ad }.map(\.what) }
    }

    /// Calls a closure once, when the next ad is loaded.
    package func onNextLoaded(_ heard: @escaping @Sendable () -> Void) { self.memory.withLock { $0.onLoaded = heard } }

    /// Prints what is wrong with an ad's creative, in the same words as what the runtime itself finds.
    package func observe(_ issue: AdIssue, of ad: Ad, at now: Moment) {
        self.observe(AdRecord(at: now, ad: ad.id, provider: ad.provider, event: .issue(issue), detail: []))
    }

    /// What happened to one ad so far.
    package func records(of ad: AdID) -> [AdRecord] { self.memory.withLock { $0.records.filter { $0.ad == ad } } }

    /// Forgets one ad, which is over.
    package func forget(_ ad: AdID) {
        self.memory.withLock { memory in
            memory.records.removeAll { $0.ad == ad }
            memory.containers[ad] = nil
            memory.pageMessages.removeAll { $0.ad == ad }
        }
    }
}
