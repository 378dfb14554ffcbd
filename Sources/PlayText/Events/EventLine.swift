package import AdCore
package import PlayConsole

/// One event as text and as JSON.
///
/// The terminal prints the text, `--json` the object, and the report the data and the object. Traces have the same names
/// and data (`AdEvent.row`), with URLs that are not redacted.
package struct EventLine: Sendable {
    /// What an event belongs to: decides the first members of its object.
    enum Subject: Sendable {
        case ad(AdID)
        case session
        /// A session, in an event that ads also have: its `ad` is null.
        case noAd
    }

    let at: Moment
    let provider: ProviderName
    let subject: Subject
    let name: String
    /// The event's own members; URLs are redacted.
    let data: [AdJSON.Member]
    let text: StyledText

    /// The event as one line of JSON.
    package var json: String { self.object.text() }

    /// The event as a JSON object.
    package var object: AdJSON {
        var members = [AdJSON.Member("t", .int(self.at.sinceOrigin.wholeMilliseconds))]
        switch self.subject {
        case .ad(let ad): members.append(.init("ad", .string(ad.rawValue)))
        case .noAd: members.append(.init("ad", .null))
        case .session: break
        }
        members += [.init("provider", .string(self.provider.rawValue)), .init("event", .string(self.name))]
        return .object(members + self.data)
    }

    /// The event's own members as one line, such as `key=view  attempts=1`; unknown values are left out.
    package var fields: String {
        self.data.filter { $0.value != .null }.map { member in
            "\(member.name)=\(member.value.string ?? member.value.text())"
        }.joined(separator: "  ")
    }

    /// The event as a line of a terminal.
    ///
    /// - Parameters:
    ///   - style: Whether the line has colors.
    ///   - namesAds: Whether the line names its ad, such as `[6f3a]`: several ads may be on screen.
    /// - Returns: The line.
    package func line(_ style: Style, namesAds: Bool = false) -> String {
        var tag = ""
        if namesAds, case .ad(let ad) = self.subject { tag = style.dim("[\(ad.rawValue.prefix(4))]") + " " }
        return "\(style.dim(Quantity.time(self.at.sinceOrigin)))  \(tag)\(self.text.rendered(style))"
    }
}
