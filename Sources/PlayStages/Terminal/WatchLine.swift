import AdCore
import AdProviders
import PlayConsole
import PlayText

/// The status line of a watched session: the connection and the number of messages and ads.
struct WatchLine: Equatable, Sendable {
    /// The state of the connection.
    enum State: Equatable, Sendable {
        case connecting
        case connected
        case identified(String)
        /// Waiting to reconnect, until a moment or until there is a network.
        case waiting(until: Moment?)
    }

    private let start: Moment
    private(set) var state = State.connecting
    private(set) var messages = 0
    private(set) var shown = 0
    private(set) var onScreen = 0

    init(at now: Moment) { self.start = now }

    mutating func handle(_ event: SocketEvent) {
        switch event {
        case .opened: self.state = .connected
        case .text: self.messages += 1
        case .binary, .skippingMessage, .skippedMessage, .closed: break
        }
    }

    mutating func handle(_ event: SmarticoEvent, at now: Moment) {
        switch event {
        case .identified(let profile): self.state = .identified(Style.printable(profile.username ?? "?", upTo: 20))
        case .disconnected(_, let pause): self.state = .waiting(until: pause.map { now + $0 })
        case .initialized, .refused, .pushTokenAccepted, .deepLink, .publicProperties, .gameOpening,
            .gamificationUnavailable:
            break
        }
    }

    mutating func adShown() {
        self.shown += 1
        self.onScreen += 1
    }

    mutating func adClosed() { self.onScreen -= 1 }

    /// The line for a number of columns.
    ///
    /// Keys have the highest priority.
    func text(at now: Moment, isCovered: Bool, width: Int, _ style: Style) -> String {
        let time = "\((now - self.start).wholeMilliseconds / 1000) s"
        let state = self.stateText(at: now, style)
        let count = self.messages == 1 ? "1 message" : "\(self.messages) messages"
        let ads = "\(self.shown) shown" + (self.onScreen > 0 ? ", \(self.onScreen) open" : "")
        let cover = isCovered ? [style.yellow("covered")] : []
        let isAny = self.onScreen > 0
        let adKeys = "c click · x close · space \(isCovered ? "uncover" : "cover")"
        let session = "o log out/in · g widget · l language · p push"
        let allKeys = isAny ? "\(adKeys) · \(session) · q quit" : "\(session) · q quit"
        let keys = isAny ? "\(adKeys) · q quit" : "q quit"
        let fewKeys = isAny ? "c x space · q quit" : "q quit"
        let lines = [
            ([time, state, count, ads] + cover, allKeys), ([time, state, count, ads] + cover, keys),
            ([time, state, ads] + cover, keys),
            ([time, state, ads] + cover, fewKeys), ([state] + cover, fewKeys), (cover, fewKeys), ([], fewKeys),
        ].map { parts, keys in (parts + [" " + style.dim(keys)]).joined(separator: "  ") }
        return lines.first { Style.columns(Style.plain($0)) < width } ?? lines[lines.count - 1]
    }

    private func stateText(at now: Moment, _ style: Style) -> String {
        switch self.state {
        case .connecting: return style.yellow("connecting")
        case .connected: return "connected"
        case .identified(let name): return style.green("user \(name)")
        case .waiting(nil): return style.yellow("no network")
        case .waiting(let moment?):
            guard moment > now else { return style.yellow("connecting") }
            return style.yellow("reconnecting in \(Quantity.seconds(moment - now))")
        }
    }
}
