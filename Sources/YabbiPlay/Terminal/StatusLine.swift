import AdCore

/// What stands below an ad on the terminal: how long it is there, when it can be closed, and the keys.
struct StatusLine: Equatable, Sendable {
    /// How long the ad has been on screen.
    let shown: Duration
    let wayOut: WayOut
    let isCovered: Bool

    func text(_ style: Style) -> String {
        let state = self.isCovered ? style.yellow("covered") : "on screen"
        let keys = "c click · x close · space \(self.isCovered ? "uncover" : "cover") · q quit"
        return "\(StatusLine.seconds(self.shown))  \(state), \(self.closing(style))   \(style.dim(keys))"
    }

    private func closing(_ style: Style) -> String {
        switch self.wayOut {
        case .open: style.green("can be closed")
        case .after(let rest, true): "can be closed in \(StatusLine.seconds(rest))"
        case .after(let rest, false): "can be closed after \(StatusLine.seconds(rest)) more in sight"
        case .afterMedia(let rest): "can be closed when it has played, in \(StatusLine.seconds(rest)) at most"
        case .byHost: "closed by the host"
        }
    }

    /// Seconds with one decimal, rounded up: what is still counted down is never zero.
    private static func seconds(_ duration: Duration) -> String {
        let tenths = (max(0, duration.wholeMilliseconds) + 99) / 100
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
