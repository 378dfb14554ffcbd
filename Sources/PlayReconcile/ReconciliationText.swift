package import PlayConsole

extension Reconciliation {
    /// How many beacons of a verdict the text lists.
    static let maxListed = 20

    /// The summary: the number of ads that failed, if any, and the numbers of beacons.
    package func lines(_ style: Style) -> [String] {
        let text =
            "\(self.recorded) \(self.recorded == 1 ? "beacon" : "beacons") recorded, \(self.delivered) delivered, \(self.unconfirmed) unconfirmed, "
            + "\(self.dead) dead, \(self.pending) pending, \(self.lost) lost, \(Quantity.text(self.duplicates, "duplicate")), "
            + "\(self.unknown) unmatched" + (self.elsewhere > 0 ? ", \(self.elsewhere) elsewhere" : "")
            + (self.creatives > 0 ? "; \(self.creatives) sent by creatives" : "")
        let beacons = self.isClean ? style.green("reconciled: ") + text : style.red("NOT reconciled: ") + text
        guard self.failedAds > 0 else { return [beacons] }
        let ads = self.failedAds == 1 ? "1 ad" : "\(self.failedAds) ads"
        return [style.red("\(ads) could not be shown") + "; see above", beacons]
    }

    /// The verdicts as JSON: on all beacons, or on those that are not matched.
    package func jsonDetails(all: Bool) -> [String] { self.listed(all).map(\.json) }

    /// The verdicts as text: grouped, the worst first, each with its cause.
    package func details(all: Bool, _ style: Style) -> [String] {
        let groups = Dictionary(grouping: self.listed(all), by: \.verdict)
        var lines: [String] = []
        for verdict in BeaconVerdict.allCases {
            guard let group = groups[verdict], let tally = self.tallies[verdict] else { continue }
            let billing = tally.billing > 0 ? " (\(tally.billing) billable)" : ""
            let heading = "\(verdict.text): \(tally.count)\(billing)"
            lines.append(verdict.isFine ? style.bold(heading) : style.red(heading))
            for outcome in group.prefix(Reconciliation.maxListed) { lines += outcome.lines(style) }
            let unlisted = tally.count - min(group.count, Reconciliation.maxListed)
            if unlisted > 0 { lines.append("  and \(unlisted) more; --json lists all") }
        }
        if self.dropped > 0 {
            let hits = self.dropped == 1 ? "1 hit" : "\(self.dropped) hits"
            lines.append(
                style.yellow("incomplete: ")
                    + "the server dropped \(hits); lost beacons and duplicates may be among them"
            )
        }
        return lines
    }

    private func listed(_ all: Bool) -> [ReconciledBeacon] {
        all ? self.outcomes : self.outcomes.filter { $0.verdict != .matched }
    }
}

extension ReconciledBeacon {
    fileprivate func lines(_ style: Style) -> [String] {
        let key = self.key.map { "key " + Style.printable($0) } ?? "no key"
        return [
            "  \(Style.printable(self.event))  \(Style.printable(self.url, upTo: 400))",
            "      \(Style.printable(self.cause, upTo: 600))", style.dim("      \(key)"),
        ]
    }
}
