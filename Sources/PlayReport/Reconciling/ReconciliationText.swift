package import PlayConsole

extension Reconciliation {
    /// How many beacons of one verdict people are told of.
    static let maxListed = 20

    /// What people are told in the end: the ads that failed, where there are any, and the count of beacons.
    package func lines(_ style: Style) -> [String] {
        let text =
            "\(self.recorded) \(self.recorded == 1 ? "beacon" : "beacons") recorded, \(self.delivered) delivered, \(self.unconfirmed) unconfirmed, "
            + "\(self.dead) dead, \(self.pending) pending, \(self.lost) lost, \(self.duplicates) duplicates, "
            + "\(self.unknown) unmatched" + (self.elsewhere > 0 ? ", \(self.elsewhere) elsewhere" : "")
            + (self.creatives > 0 ? "; \(self.creatives) more were the creatives' own" : "")
        let beacons = self.isClean ? style.green("reconciled: ") + text : style.red("NOT reconciled: ") + text
        guard self.failedAds > 0 else { return [beacons] }
        let ads = self.failedAds == 1 ? "1 ad" : "\(self.failedAds) ads"
        return [style.red("\(ads) could not be shown") + "; see above", beacons]
    }

    /// What became of each beacon that did not simply arrive, or of all of them.
    package func jsonDetails(all: Bool) -> [String] { self.listed(all).map(\.json) }

    /// The same for people: grouped, the worst first, each with its cause.
    package func details(all: Bool, _ style: Style) -> [String] {
        let groups = Dictionary(grouping: self.listed(all), by: \.verdict)
        var lines: [String] = []
        for verdict in BeaconVerdict.allCases {
            guard let group = groups[verdict] else { continue }
            let billing = group.count(where: \.isBilling)
            let heading =
                "\(verdict.rawValue): \(group.count)" + (billing > 0 ? ", money depends on \(billing) of them" : "")
            lines.append(verdict.isFine ? style.bold(heading) : style.red(heading))
            for outcome in group.prefix(Reconciliation.maxListed) { lines += outcome.lines(style) }
            let unlisted = group.count - Reconciliation.maxListed
            if unlisted > 0 { lines.append("  and \(unlisted) more; --json lists all") }
        }
        if self.dropped > 0 {
            let hits = self.dropped == 1 ? "1 hit" : "\(self.dropped) hits"
            lines.append(
                style.yellow("not certain: ")
                    + "the server gave up \(hits); what is not found, or found once, may be among them"
            )
        }
        return lines
    }

    private func listed(_ all: Bool) -> [BeaconOutcome] {
        all ? self.outcomes : self.outcomes.filter { $0.verdict != .matched }
    }
}

extension BeaconOutcome {
    fileprivate func lines(_ style: Style) -> [String] {
        let key = self.key.map { "key " + Style.printable($0) } ?? "no key"
        return [
            "  \(Style.printable(self.event))  \(Style.printable(self.url, upTo: 400))",
            "      \(Style.printable(self.cause, upTo: 600))", style.dim("      \(key)"),
        ]
    }
}
