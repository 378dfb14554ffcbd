import AdCore

/// What stands below an ad on the terminal: how long it is there, when it can be closed, and the keys.
struct StatusLine: Equatable, Sendable {
    /// How long the ad has been on screen.
    let shown: Duration
    let wayOut: WayOut
    let isCovered: Bool

    func text(_ style: Style) -> String {
        let keys = "c click · x close · space \(self.isCovered ? "uncover" : "cover") · q quit"
        let state = self.isCovered ? style.yellow("covered") + self.rest : self.closing(style)
        return "\(StatusLine.seconds(self.shown))  \(state)   \(style.dim(keys))"
    }

    private func closing(_ style: Style) -> String {
        switch self.wayOut {
        case .open: style.green("can be closed")
        case .after(let rest, _): "can be closed in \(StatusLine.seconds(rest))"
        case .afterMedia(let rest): "at its end, \(StatusLine.seconds(rest)) at most"
        case .byHost: "the host closes it"
        }
    }

    /// What is left to be seen, for an ad that is not.
    private var rest: String {
        guard case .after(let rest, _) = self.wayOut else { return "" }
        return ", \(StatusLine.seconds(rest)) to go"
    }

    /// Seconds with one decimal, rounded up: what is still counted down is never zero.
    private static func seconds(_ duration: Duration) -> String {
        let tenths = (max(0, duration.wholeMilliseconds) + 99) / 100
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
