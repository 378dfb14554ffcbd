import AdCore
import PlayConsole

/// What stands below an ad on the terminal: how long it is there, when it can be closed, and the keys.
struct StatusLine: Equatable, Sendable {
    /// How long the ad has been on screen.
    let shown: Duration
    let closeAvailability: CloseAvailability
    let isCovered: Bool
    /// How far the video is, where there is one.
    var video: VideoProgress? = nil

    /// The line for so many columns.
    func text(_ style: Style, width: Int = StatusLine.usualWidth) -> String {
        guard self.video == nil else { return self.videoText(style, width) }
        let keys = "c click · x close · space \(self.isCovered ? "uncover" : "cover") · q quit"
        let state = self.isCovered ? style.yellow("covered") + self.rest : self.closing(style)
        return "\(StatusLine.seconds(self.shown))  \(state)   \(style.dim(keys))"
    }

    /// A bar, what comes next, and the keys of a player: what does not fit is left out, and what can be left to be guessed
    /// (when it can be closed, which spot it is) before what the keys do.
    private func videoText(_ style: Style, _ width: Int) -> String {
        guard let video else { return "" }
        var parts: [(text: String, isColoured: (String) -> String)] = [(self.bar(video), { $0 })]
        if self.isCovered { parts.append(("covered", style.yellow)) }
        switch (video.skippableIn, self.closeAvailability) {
        case (.zero?, _): parts.append(("can be skipped", style.green))
        case (let rest?, _): parts.append(("skip in \(StatusLine.seconds(rest))", { $0 }))
        case (nil, .afterMedia): parts.append(("closable at its end", { $0 }))
        case (nil, _): break
        }
        switch self.closeAvailability {
        case .open: parts.append(("can be closed", style.green))
        case .after(let rest, _): parts.append(("close in \(StatusLine.seconds(rest))", { $0 }))
        case .byHost: parts.append(("the host closes it", { $0 }))
        case .afterMedia: break
        }
        if video.spots > 1 { parts.append(("spot \(video.spot + 1) of \(max(video.spots, video.spot + 1))", { $0 })) }
        if video.isMuted { parts.append(("muted", { $0 })) }
        let pause = "space \(video.isPlaying ? "pause" : "play")"
        // Only keys that do something: nothing is skipped that can't be.
        let skip = video.skippableIn == nil ? "" : "s skip · "
        let hints = [
            "c click · x close · \(skip)m sound · \(pause) · q quit", "c click · x close · \(skip)\(pause) · q quit",
            "c click · x close · \(pause) · q quit", "c click · x close · q quit", "q quit",
        ]
        var used = 0
        var line = ""
        for part in parts {
            let columns = Style.columns(part.text) + (line.isEmpty ? 0 : 2)
            guard used + columns < width - 10 else { break }
            used += columns
            line += (line.isEmpty ? "" : "  ") + part.isColoured(part.text)
        }
        guard let hint = hints.first(where: { used + 3 + Style.columns($0) < width }) else { return line }
        return line + "   " + style.dim(hint)
    }

    /// How wide a terminal is that does not say.
    static let usualWidth = 80

    /// As in `[####--------] 4.0/10.0 s`.
    private func bar(_ video: VideoProgress) -> String {
        guard let duration = video.duration, duration > .zero else { return StatusLine.seconds(video.position) }
        let width = 12
        let done = min(width, max(0, Int(Double(width) * video.position.inSeconds / duration.inSeconds)))
        let bar = String(repeating: "#", count: done) + String(repeating: "-", count: width - done)
        return "[\(bar)] \(StatusLine.seconds(video.position).dropLast(2))/\(StatusLine.seconds(duration))"
    }

    private func closing(_ style: Style) -> String {
        switch self.closeAvailability {
        case .open: style.green("can be closed")
        case .after(let rest, _): "can be closed in \(StatusLine.seconds(rest))"
        case .afterMedia(let rest): "at its end, \(StatusLine.seconds(rest)) at most"
        case .byHost: "the host closes it"
        }
    }

    /// What is left to be seen, for an ad that is not.
    private var rest: String {
        guard case .after(let rest, _) = self.closeAvailability else { return "" }
        return ", \(StatusLine.seconds(rest)) to go"
    }

    /// Seconds with one decimal, rounded up: what is still counted down is never zero.
    private static func seconds(_ duration: Duration) -> String {
        let tenths = (max(0, duration.wholeMilliseconds) + 99) / 100
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
