import AdCore
import AdRuntime
import SystemLock

/// Prints everything that happens to ads, and remembers it for the verdicts at the end.
final class Printer: AdObserver {
    private struct Memory {
        var records: [AdRecord] = []
        var notices: [AdNotice] = []
    }

    private let console: any Console
    private let isJSON: Bool
    private let isQuiet: Bool
    private let text: EventText
    private let memory = Locked(Memory())

    /// A quiet one remembers without printing: for when an ad is one of very many.
    init(_ console: any Console, isJSON: Bool, isQuiet: Bool = false, opensLinks: Bool = false) {
        self.console = console
        self.isJSON = isJSON
        self.isQuiet = isQuiet
        self.text = EventText(style: Style(isColoured: console.isColoured), opensLinks: opensLinks)
    }

    func observe(_ record: AdRecord) {
        self.memory.withLock { $0.records.append(record) }
        guard !self.isQuiet else { return }
        self.console.out(self.isJSON ? EventJSON.line(record) : self.text.line(record))
    }

    func observe(_ notice: AdNotice) {
        self.memory.withLock { $0.notices.append(notice) }
        guard !self.isQuiet else { return }
        self.console.out(self.isJSON ? EventJSON.line(notice) : self.text.line(notice))
    }

    /// Prints what is wrong with an ad's creative, in the same words as what the runtime itself finds.
    func observe(_ issue: Issue, of ad: Ad, at now: Moment) {
        self.observe(AdRecord(at: now, ad: ad.id, provider: ad.provider, event: .issue(issue), detail: []))
    }

    /// What happened to one ad so far.
    func records(of ad: AdID) -> [AdRecord] { self.memory.withLock { $0.records.filter { $0.ad == ad } } }

    /// Forgets one ad: its story is told.
    func forget(_ ad: AdID) {
        self.memory.withLock { memory in
            memory.records.removeAll { $0.ad == ad }
            memory.notices.removeAll { $0.ad == ad }
        }
    }
}
