import AdCore
import AdProviders
import AdRuntime
import PlayConsole
import YabbiAds

/// What happens to a live session as one line for people.
package struct SessionText: Sendable {
    let style: Style

    /// A record as a line; nil for what other lines tell better.
    func line(_ record: SessionRecord) -> String? {
        switch record.event {
        case .connecting(let url): self.line("connecting  \(Style.printable(Redaction.address(url.text)))", record.at)
        case .opened: self.line(self.style.bold("connected"), record.at)
        case .issue(let issue):
            self.line(self.style.yellow("issue") + "  \(Style.printable(issue.description, upTo: 400))", record.at)
        case .news(let news): (news as? SmarticoEvent).map { self.line(self.words($0), record.at) }
        // Messages are not printed; the events that follow from them are.
        case .received, .closed: nil
        }
    }

    /// `tag` says whose it is, where that is not clear.
    func line(_ news: PageMessage, tag: String, at now: Moment) -> String {
        switch news {
        case .simulated(let host, let bytes):
            let page = "a page of \(Style.printable(host)), \(bytes) bytes"
            return self.line("\(tag)\(page), is simulated: nothing of it runs", now)
        case .told(let told):
            let uid = told.uid.map { " of \(Style.printable($0))" } ?? ""
            return self.line("\(tag)sent by the page  \(told.what.rawValue)\(uid)  (cid \(told.cid))", now)
        }
    }

    private func line(_ words: String, _ now: Moment) -> String {
        "\(self.style.dim(EventText.time(now.sinceOrigin)))  \(words)"
    }

    private func words(_ news: SmarticoEvent) -> String {
        switch news {
        case .initialized(let settings):
            return "initialized" + (settings.hasGamification ? "" : "  without gamification")
        case .identified(let profile):
            let name = profile.username.map { "  as \(Style.printable($0, upTo: 80))" } ?? ""
            return self.style.bold("identified") + name + (profile.isTestAccount ? "  (a test account)" : "")
        case .refused(let step, let verdict):
            let words = verdict.message.map { ": \(Style.printable($0))" } ?? ""
            return self.style.red("refused") + "  \(step.rawValue), errCode \(verdict.code)\(words)"
        case .disconnected(let end, let pause):
            let next = pause.map { "connects again in \(SessionText.seconds($0))" } ?? "connects again with a network"
            return self.style.yellow("disconnected") + "  \(Style.printable(end.message, upTo: 400)); \(next)"
        case .pushTaken: return "push token taken"
        case .deepLink(let link): return "deep link  \(Style.printable(link))  (for the app)"
        case .publicProperties(let json): return "properties  \(Style.printable(json.text(), upTo: 400))"
        case .gameOpening(let game):
            let name = game.providerID ?? game.smarticoID ?? "?"
            let context = game.context.map { ", from a \(Style.printable($0, upTo: 40))" } ?? ""
            return "game wanted  \(Style.printable(name, upTo: 80))\(context)"
        case .gamificationUnavailable(let why): return self.style.yellow("no widget") + "  \(Style.printable(why))"
        }
    }

    /// As in `1.2 s`.
    package static func seconds(_ duration: Duration) -> String {
        let tenths = (max(0, duration.wholeMilliseconds) + 50) / 100
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
