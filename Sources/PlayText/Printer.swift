package import AdCore
package import AdRuntime
package import PlayConsole
import SystemSupport

/// Prints the events of ads, and keeps them for the verdicts at the end.
package final class Printer: AdObserver {
    private struct State {
        var records: [AdRecord] = []
        var activities: [ActivityRecord] = []
        /// The lines of records and activities, in the order of the output.
        var entries: [(ad: AdID?, line: EventLine)] = []
        /// The ad that was started last.
        var latestAd: AdID?
        var providers: [AdID: ProviderName] = [:]
        var pageMessages: [(ad: AdID, what: PageServerMessage)] = []
        /// The number of a session's issues by code.
        var issues: [String: Int] = [:]
        /// The containers of ads, as members of `shown`.
        var containers: [AdID: [AdJSON.Member]] = [:]
        /// The ads whose auction is over; bids before its end are lines of its table.
        var auctioned: Set<AdID> = []
        /// Called when the next ad is loaded.
        var onLoaded: (@Sendable () -> Void)?
    }

    private let console: any Console
    private let isJSON: Bool
    private let isQuiet: Bool
    private let opensLinks: Bool
    private let namesAds: Bool
    /// Whether activities are printed as text too.
    private let isVerbose: Bool
    /// Whether beacons are recorded and not sent.
    private let withholdsBeacons: Bool
    private let state = Locked(State())

    /// Creates a printer; a quiet one keeps events without printing them, for repeated loads.
    package init(
        _ console: any Console,
        isJSON: Bool,
        isQuiet: Bool = false,
        opensLinks: Bool = false,
        namesAds: Bool = false,
        isVerbose: Bool = false,
        withholdsBeacons: Bool = false
    ) {
        self.isVerbose = isVerbose
        self.withholdsBeacons = withholdsBeacons
        self.console = console
        self.isJSON = isJSON
        self.isQuiet = isQuiet
        self.opensLinks = opensLinks
        self.namesAds = namesAds
    }

    /// Sets the container of an ad, which its event `shown` names.
    package func setContainer(_ detail: [AdJSON.Member], of ad: AdID) {
        self.state.withLock { $0.containers[ad] = detail }
    }

    /// The record with the container, if it is `shown`, or as that of a withheld beacon.
    private func completed(_ record: AdRecord) -> AdRecord {
        var more: [AdJSON.Member] = []
        switch record.event {
        case .shown: more = self.state.withLock { $0.containers[record.ad] } ?? []
        case .beaconRecorded where self.withholdsBeacons: more = [BeaconHistory.withheldMark]
        default: break
        }
        guard !more.isEmpty else { return record }
        return AdRecord(
            at: record.at,
            ad: record.ad,
            provider: record.provider,
            event: record.event,
            detail: record.detail + more
        )
    }

    package func observe(_ record: AdRecord) {
        let record = self.completed(record)
        let onLoaded = self.state.withLock { state in
            state.records.append(record)
            state.entries.append((record.ad, EventLine(record, opensLinks: self.opensLinks)))
            if record.event == .loadStarted || state.providers[record.ad] == nil {
                state.latestAd = record.ad
                state.providers[record.ad] = record.provider
            }
            guard record.event == .loaded else { return nil as (@Sendable () -> Void)? }
            defer { state.onLoaded = nil }
            return state.onLoaded
        }
        if !self.isQuiet {
            self.print(record)
        } else if case .issue(let issue) = record.event, issue.code.hasPrefix("ledger."), self.isFirst(issue) {
            // An issue of the ledger concerns all ads of a quiet run, and is printed once.
            self.console.err("yabbi-play: \(Style.printable(issue.message, upTo: 400))")
        }
        onLoaded?()
    }

    /// Prints an event; the bids of an auction are printed as a table when it ends.
    private func print(_ record: AdRecord) {
        let line = EventLine(record, opensLinks: self.opensLinks)
        guard !self.isJSON else { return self.print(line) }
        switch record.event {
        case .bid where !self.state.withLock({ $0.auctioned.contains(record.ad) }): break
        case .auctionEnded:
            let events = self.state.withLock { state in
                state.auctioned.insert(record.ad)
                return state.records.filter { $0.ad == record.ad }.map(\.event)
            }
            self.print(line)
            let rows = AuctionTable(events)?.lines(Style(isColored: self.console.isColored)) ?? []
            for row in rows { self.console.out(row) }
        default: self.print(line)
        }
    }

    /// Whether this is the first issue with its code.
    private func isFirst(_ issue: AdIssue) -> Bool {
        self.state.withLock { state in
            state.issues[issue.code, default: 0] += 1
            return state.issues[issue.code] == 1
        }
    }

    package func observe(_ input: IgnoredInput) {
        guard !self.isQuiet else { return }
        self.print(EventLine(input))
    }

    /// Prints a message of a page that is not for the app.
    package func observe(_ message: PageMessage, of ad: AdID, _ provider: ProviderName, at now: Moment) {
        if case .sent(let sent) = message { self.state.withLock { $0.pageMessages.append((ad, sent)) } }
        guard !self.isQuiet else { return }
        self.print(EventLine(message, of: ad, provider, at: now))
    }

    /// Prints an event of a session.
    ///
    /// The terminal shows only the first issues with the same code; JSON has all of them.
    package func observe(_ record: SessionRecord) {
        guard !self.isQuiet, let line = EventLine(record) else { return }
        guard !self.isJSON, case .issue(let issue) = record.event else { return self.print(line) }
        let count = self.state.withLock { state in
            state.issues[issue.code, default: 0] += 1
            return state.issues[issue.code, default: 0]
        }
        guard count <= Printer.maxRepeatedIssues else { return }
        self.print(line, note: count == Printer.maxRepeatedIssues ? "; further ones are not printed" : "")
    }

    /// The ad that was started last; nil before the first one.
    package var latestAd: AdID? { self.state.withLock(\.latestAd) }

    /// The provider of an ad.
    package func provider(of ad: AdID) -> ProviderName { self.state.withLock { $0.providers[ad] } ?? "tag" }

    /// Keeps an activity of a creative or a request, and prints it as JSON or in a verbose run.
    package func observe(_ record: ActivityRecord) {
        self.state.withLock { state in
            guard state.activities.count < Printer.maxActivities else { return }
            state.activities.append(record)
            state.entries.append((record.ad, EventLine(record)))
        }
        guard !self.isQuiet, self.isJSON || self.isVerbose else { return }
        self.print(EventLine(record))
    }

    /// How many activities are kept for the report.
    private static let maxActivities = 20_000

    private func print(_ line: EventLine, note: String = "") {
        let style = Style(isColored: self.console.isColored)
        self.console.out(self.isJSON ? line.json : line.line(style, namesAds: self.namesAds) + note)
    }

    /// How many issues of a session with the same code are printed.
    static let maxRepeatedIssues = 5

    /// The messages that an ad's page sent to its server so far.
    package func pageMessages(of ad: AdID) -> [PageServerMessage] {
        self.state.withLock { $0.pageMessages.filter { $0.ad == ad }.map(\.what) }
    }

    /// Calls a closure once, when the next ad is loaded.
    package func onNextLoaded(_ action: @escaping @Sendable () -> Void) {
        self.state.withLock { $0.onLoaded = action }
    }

    /// Prints an issue of a creative that the runtime does not report.
    package func observe(_ issue: AdIssue, of ad: Ad, at now: Moment) {
        self.observe(AdRecord(at: now, ad: ad.id, provider: ad.provider, event: .issue(issue), detail: []))
    }

    /// The events of one ad so far.
    package func records(of ad: AdID) -> [AdRecord] { self.state.withLock { $0.records.filter { $0.ad == ad } } }

    /// The activities of one ad so far, and those before there was an ad.
    package func activities(of ad: AdID) -> [ActivityRecord] {
        self.state.withLock { $0.activities.filter { $0.ad == ad || $0.ad == nil } }
    }

    /// The lines of one ad so far, in the order of the output, and those before there was an ad.
    package func lines(of ad: AdID) -> [EventLine] {
        self.state.withLock { $0.entries.filter { $0.ad == ad || $0.ad == nil }.map(\.line) }
    }

    /// Removes the events of an ad that is over.
    package func forget(_ ad: AdID) {
        self.state.withLock { state in
            state.records.removeAll { $0.ad == ad }
            state.activities.removeAll { $0.ad == ad || $0.ad == nil }
            state.entries.removeAll { $0.ad == ad || $0.ad == nil }
            state.auctioned.remove(ad)
            state.providers[ad] = nil
            state.containers[ad] = nil
            state.pageMessages.removeAll { $0.ad == ad }
        }
    }
}
