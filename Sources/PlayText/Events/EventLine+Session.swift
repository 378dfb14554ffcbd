import AdCore
import AdProviders
import AdRuntime
import PlayConsole

extension EventLine {
    /// An event with the name of a row of the table.
    init(
        at moment: Moment,
        provider: ProviderName,
        subject: Subject,
        _ row: EventTable.Row,
        _ members: KeyValuePairs<String, AdJSON>,
        _ text: StyledText
    ) {
        self.init(
            at: moment,
            provider: provider,
            subject: subject,
            name: row.name,
            data: members.map { AdJSON.Member($0.key, $0.value) },
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
                ["state": "connecting", "url": .string(address)],
                .plain("connecting  \(Style.printable(address))")
            )
        case .opened: self.init(record, .socket, ["state": "connected", "url": .null], .bold("connected"))
        case .issue(let issue):
            let row = AdEvent.issue(issue).row
            self.init(
                at: record.at,
                provider: record.provider,
                subject: .noAd,
                name: row.name,
                data: row.members,
                text: EventLine.text(issue)
            )
        case .machineEvent(let event):
            guard let event = event as? SmarticoEvent else { return nil }
            let row = event.row
            self.init(
                at: record.at,
                provider: record.provider,
                subject: .session,
                name: row.name,
                data: row.members,
                text: EventLine.text(event)
            )
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
                ["host": .string(host), "bytes": .int(bytes)],
                .plain("page simulated  \(bytes) bytes from \(Style.printable(host)); its scripts do not run")
            )
        case .sent(let sent):
            let uid = sent.uid.map { " of \(Style.printable($0))" } ?? ""
            self.init(
                at: now,
                provider: provider,
                subject: .ad(ad),
                .told,
                ["what": .string(sent.what.rawValue), "cid": .int(sent.cid), "uid": .text(sent.uid)],
                .plain("sent by the page  \(sent.what.rawValue)\(uid)  (cid \(sent.cid))")
            )
        }
    }

    private init(
        _ record: SessionRecord,
        _ row: EventTable.Row,
        _ members: KeyValuePairs<String, AdJSON>,
        _ text: StyledText
    ) {
        self.init(at: record.at, provider: record.provider, subject: .session, row, members, text)
    }

    /// The text of an event; its data are those of its row.
    private static func text(_ event: SmarticoEvent) -> StyledText {
        switch event {
        case .initialized(let settings):
            return .plain("initialized" + (settings.hasGamification ? "" : "  without gamification"))
        case .identified(let profile):
            let name = profile.username.map { "  as \(Style.printable($0, upTo: 80))" } ?? ""
            return .bold("identified", name + (profile.isTestAccount ? "  (a test account)" : ""))
        case .refused(let step, let result):
            let message = result.message.map { ": \(Style.printable($0))" } ?? ""
            return .red("refused", "  \(step.rawValue), errCode \(result.code)\(message)")
        case .disconnected(let end, let pause):
            let next =
                pause.map { "reconnects in \(Quantity.seconds($0))" } ?? "reconnects when the network is available"
            return .yellow("disconnected", "  \(Style.printable(end.message, upTo: 400)); \(next)")
        case .pushTokenAccepted: return .plain("push token accepted")
        case .deepLink(let link): return .plain("deep link  \(Style.printable(link))  (for the app)")
        case .publicProperties(let json): return .plain("properties  \(Style.printable(json.text(), upTo: 400))")
        case .gameOpening(let game):
            let name = game.providerID ?? game.smarticoID ?? "?"
            let context = game.context.map { ", from a \(Style.printable($0, upTo: 40))" } ?? ""
            return .plain("game requested  \(Style.printable(name, upTo: 80))\(context)")
        case .gamificationUnavailable(let reason): return .yellow("no widget", "  \(Style.printable(reason))")
        }
    }
}
