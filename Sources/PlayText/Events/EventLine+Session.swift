import AdCore
import AdProviders
import AdRuntime
import AdTrace
import PlayConsole

extension EventLine {
    /// An event with the name and the fields of a row of the table.
    ///
    /// - Precondition: There are as many values as the row has fields.
    init(
        at moment: Moment,
        provider: ProviderName,
        subject: Subject,
        _ row: EventRow,
        _ values: [AdJSON],
        _ text: StyledText
    ) {
        precondition(values.count == row.fields.count, "\(row.name) has \(row.fields.count) fields")
        self.init(
            at: moment,
            provider: provider,
            subject: subject,
            name: row.name,
            data: zip(row.fields, values).map { AdJSON.Member($0, $1) },
            text: text
        )
    }

    /// An event of a live session; nil for messages, which are not printed.
    init?(_ record: SessionRecord) {
        switch record.event {
        case .connecting(let url):
            let address = Redaction.address(url.text)
            self.init(
                record,
                .socket,
                ["connecting", .string(address)],
                .plain("connecting  \(Style.printable(address))")
            )
        case .opened: self.init(record, .socket, ["connected", .null], .bold("connected"))
        case .issue(let issue):
            self.init(
                at: record.at,
                provider: record.provider,
                subject: .noAd,
                name: AdEvent.issue(issue).name,
                data: AdEvent.issue(issue).members,
                text: EventLine.text(issue)
            )
        case .machineEvent(let event):
            guard let event = event as? SmarticoEvent else { return nil }
            self.init(record, event)
        // The events that follow from messages are printed.
        case .received, .closed: return nil
        }
    }

    /// A message of a page that is not for the app.
    init(_ message: PageMessage, of ad: AdID, _ provider: ProviderName, at now: Moment) {
        switch message {
        case .simulated(let host, let bytes):
            self.init(
                at: now,
                provider: provider,
                subject: .ad(ad),
                .simulated,
                [.string(host), .int(bytes)],
                .plain("page simulated  \(bytes) bytes from \(Style.printable(host)); its scripts do not run")
            )
        case .sent(let sent):
            let uid = sent.uid.map { " of \(Style.printable($0))" } ?? ""
            self.init(
                at: now,
                provider: provider,
                subject: .ad(ad),
                .told,
                [.string(sent.what.rawValue), .int(sent.cid), .text(sent.uid)],
                .plain("sent by the page  \(sent.what.rawValue)\(uid)  (cid \(sent.cid))")
            )
        }
    }

    private init(_ record: SessionRecord, _ row: EventRow, _ values: [AdJSON], _ text: StyledText) {
        self.init(at: record.at, provider: record.provider, subject: .session, row, values, text)
    }

    private init(_ record: SessionRecord, _ event: SmarticoEvent) {
        switch event {
        case .initialized(let settings):
            self.init(
                record,
                .initialized,
                [.bool(settings.hasGamification), .array(settings.products.map { .int($0) })],
                .plain("initialized" + (settings.hasGamification ? "" : "  without gamification"))
            )
        case .identified(let profile):
            let name = profile.username.map { "  as \(Style.printable($0, upTo: 80))" } ?? ""
            self.init(
                record,
                .identified,
                [.text(profile.username), .text(profile.avatarID), profile.properties],
                .bold("identified", name + (profile.isTestAccount ? "  (a test account)" : ""))
            )
        case .refused(let step, let verdict):
            let message = verdict.message.map { ": \(Style.printable($0))" } ?? ""
            self.init(
                record,
                .refused,
                [.string(step.rawValue), .int(verdict.code), .text(verdict.message)],
                .red("refused", "  \(step.rawValue), errCode \(verdict.code)\(message)")
            )
        case .disconnected(let end, let pause):
            let next =
                pause.map { "reconnects in \(Quantity.seconds($0))" } ?? "reconnects when the network is available"
            self.init(
                record,
                .disconnected,
                [.string(end.message), pause.map { .int($0.wholeMilliseconds) } ?? .null],
                .yellow("disconnected", "  \(Style.printable(end.message, upTo: 400)); \(next)")
            )
        case .pushTokenAccepted: self.init(record, .pushTokenAccepted, [], .plain("push token accepted"))
        case .deepLink(let link):
            self.init(
                record,
                .deepLink,
                [.string(link)],
                .plain("deep link  \(Style.printable(link))  (for the app)")
            )
        case .publicProperties(let json):
            self.init(
                record,
                .publicProperties,
                [json],
                .plain("properties  \(Style.printable(json.text(), upTo: 400))")
            )
        case .gameOpening(let game):
            let name = game.providerID ?? game.smarticoID ?? "?"
            let context = game.context.map { ", from a \(Style.printable($0, upTo: 40))" } ?? ""
            self.init(
                record,
                .gameOpening,
                [.text(game.smarticoID), .text(game.providerID), .text(game.context), game.meta],
                .plain("game requested  \(Style.printable(name, upTo: 80))\(context)")
            )
        case .gamificationUnavailable(let reason):
            self.init(
                record,
                .gamificationUnavailable,
                [.string(reason)],
                .yellow("no widget", "  \(Style.printable(reason))")
            )
        }
    }
}
