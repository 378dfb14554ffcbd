import AdCore
package import PlayConsole

/// One event, as everything that shows events shows it.
///
/// The terminal prints its text, `--json` its object, and the report both its data and its object. Traces write the same
/// names and data (`AdEvent.members`), with whole addresses.
package struct EventLine: Sendable {
    /// What an event belongs to: it decides with which members its object begins.
    enum Subject: Sendable {
        case ad(AdID)
        case session
        /// A session, in an event that ads have as well: its `ad` is null.
        case noAd
    }

    let at: Moment
    let provider: ProviderName
    let subject: Subject
    let name: String
    /// What the event says, its addresses without secrets.
    let data: [AdJSON.Member]
    let text: StyledText

    /// The event as one JSON object.
    package var json: String {
        var members = [AdJSON.Member("t", .int(self.at.sinceOrigin.wholeMilliseconds))]
        switch self.subject {
        case .ad(let ad): members.append(.init("ad", .string(ad.rawValue)))
        case .noAd: members.append(.init("ad", .null))
        case .session: break
        }
        members += [.init("provider", .string(self.provider.rawValue)), .init("event", .string(self.name))]
        return AdJSON.object(members + self.data).text()
    }

    /// What the event says as one line, as in `key=view  attempts=1`; without what is not known.
    var fields: String {
        self.data.filter { $0.value != .null }.map { member in
            "\(member.name)=\(member.value.string ?? member.value.text())"
        }.joined(separator: "  ")
    }

    /// The event as a line of a terminal.
    ///
    /// - Parameters:
    ///   - style: Whether there are colours.
    ///   - tagsAds: Whether the line begins with its ad, as in `[6f3a]`, because several ads may be on screen.
    /// - Returns: The line.
    package func line(_ style: Style, tagsAds: Bool = false) -> String {
        var tag = ""
        if tagsAds, case .ad(let ad) = self.subject { tag = style.dim("[\(ad.rawValue.prefix(4))]") + " " }
        return "\(style.dim(Quantity.time(self.at.sinceOrigin)))  \(tag)\(self.text.rendered(style))"
    }
}
