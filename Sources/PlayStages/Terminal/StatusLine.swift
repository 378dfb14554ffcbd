import AdCore
import PlayConsole

/// The status line of an ad on the terminal: its time on screen, when it can be closed, and the keys.
struct StatusLine: Equatable, Sendable {
    /// How long the ad has been on screen.
    let shown: Duration
    let closeAvailability: CloseAvailability
    let isCovered: Bool
    /// The progress of the video; nil for other ads.
    var video: VideoProgress? = nil

    /// The line for a number of columns.
    func text(_ style: Style, width: Int = StatusLine.defaultWidth) -> String {
        guard self.video == nil else { return self.videoText(style, width) }
        let keys = "c click · x close · space \(self.isCovered ? "uncover" : "cover") · q quit"
        let state = self.isCovered ? style.yellow("covered") + self.remaining : self.closing(style)
        return "\(StatusLine.seconds(self.shown))  \(state)   \(style.dim(keys))"
    }

    /// A progress bar, the skip and close times, and the keys of a player.
    ///
    /// In a narrow terminal the less important parts (close time, spot) are left out before the keys.
    private func videoText(_ style: Style, _ width: Int) -> String {
        guard let video else { return "" }
        var parts: [(text: String, isColored: (String) -> String)] = [(self.bar(video), { $0 })]
        if self.isCovered { parts.append(("covered", style.yellow)) }
        switch (video.skippableIn, self.closeAvailability) {
        case (.zero?, _): parts.append(("skippable", style.green))
        case (let rest?, _): parts.append(("skippable in \(StatusLine.seconds(rest))", { $0 }))
        case (nil, .afterMedia): parts.append(("closable at the end", { $0 }))
        case (nil, _): break
        }
        switch self.closeAvailability {
        case .open: parts.append(("closable", style.green))
        case .after(let rest, _): parts.append(("closable in \(StatusLine.seconds(rest))", { $0 }))
        case .byHost: parts.append(("closed by host", { $0 }))
        case .afterMedia: break
        }
        if video.spots > 1 { parts.append(("spot \(video.spot + 1) of \(max(video.spots, video.spot + 1))", { $0 })) }
        if video.isMuted { parts.append(("muted", { $0 })) }
        let pause = "space \(video.isPlaying ? "pause" : "play")"
        // The skip key is listed only for skippable videos.
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
            line += (line.isEmpty ? "" : "  ") + part.isColored(part.text)
        }
        guard let hint = hints.first(where: { used + 3 + Style.columns($0) < width }) else { return line }
        return line + "   " + style.dim(hint)
    }

    /// The width of a terminal without a known size.
    static let defaultWidth = 80

    /// A progress bar such as `[####--------] 4.0/10.0 s`.
    private func bar(_ video: VideoProgress) -> String {
        guard let duration = video.duration, duration > .zero else { return StatusLine.seconds(video.position) }
        let width = 12
        let done = min(width, max(0, Int(Double(width) * video.position.inSeconds / duration.inSeconds)))
        let bar = String(repeating: "#", count: done) + String(repeating: "-", count: width - done)
        return "[\(bar)] \(StatusLine.seconds(video.position).dropLast(2))/\(StatusLine.seconds(duration))"
    }

    private func closing(_ style: Style) -> String {
        switch self.closeAvailability {
        case .open: style.green("closable")
        case .after(let rest, _): "closable in \(StatusLine.seconds(rest))"
        case .afterMedia(let rest): "closable in at most \(StatusLine.seconds(rest))"
        case .byHost: "closed by host"
        }
    }

    /// The remaining close delay of a covered ad, which does not count down.
    private var remaining: String {
        guard case .after(let rest, _) = self.closeAvailability else { return "" }
        return ", \(StatusLine.seconds(rest)) left"
    }

    /// Seconds with one decimal, rounded up, so that a countdown shows zero only at its end.
    private static func seconds(_ duration: Duration) -> String {
        let tenths = (max(0, duration.wholeMilliseconds) + 99) / 100
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
