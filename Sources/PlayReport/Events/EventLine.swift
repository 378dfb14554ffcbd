import AdCore
package import PlayConsole

/// One event, as everything that shows events shows it.
///
/// The terminal prints its text, `--json` its object, and the report both its data and its object. Traces write the same
/// names and data (`AdEvent.members`), with whole addresses.
package struct EventLine: Sendable {
    /// What an event looks like in a terminal: a title, and what follows it.
    struct Text: Sendable {
        enum Tone: Sendable {
            case plain, bold, dim, green, yellow, red
        }

        let tone: Tone
        let title: String
        let rest: String

        static func plain(_ title: String, _ rest: String = "") -> Text { Text(tone: .plain, title: title, rest: rest) }
        static func bold(_ title: String, _ rest: String = "") -> Text { Text(tone: .bold, title: title, rest: rest) }
        static func dim(_ title: String, _ rest: String = "") -> Text { Text(tone: .dim, title: title, rest: rest) }
        static func green(_ title: String, _ rest: String = "") -> Text { Text(tone: .green, title: title, rest: rest) }
        static func yellow(_ title: String, _ rest: String = "") -> Text {
            Text(tone: .yellow, title: title, rest: rest)
        }
        static func red(_ title: String, _ rest: String = "") -> Text { Text(tone: .red, title: title, rest: rest) }

        func rendered(_ style: Style) -> String {
            switch self.tone {
            case .plain: self.title + self.rest
            case .bold: style.bold(self.title) + self.rest
            case .dim: style.dim(self.title) + self.rest
            case .green: style.green(self.title) + self.rest
            case .yellow: style.yellow(self.title) + self.rest
            case .red: style.red(self.title) + self.rest
            }
        }
    }

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
    let text: Text

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
