package import AdCore
package import PlayConsole

/// Something that tools list besides the events of ads: an activity of a creative, a request, a withheld beacon.
package struct ActivityRecord: Sendable {
    package let at: Moment
    /// The ad; nil before there is one.
    package let ad: AdID?
    package let provider: ProviderName
    package let row: EventRow
    package let text: StyledText
    package let rating: Rating

    package init(
        at moment: Moment,
        ad: AdID?,
        provider: ProviderName,
        _ row: EventRow,
        _ text: StyledText,
        rating: Rating = .plain
    ) {
        self.at = moment
        self.ad = ad
        self.provider = provider
        self.row = row
        self.text = text
        self.rating = rating
    }

    /// An activity of a trace, with its fields as text.
    package init(at moment: Moment, ad: AdID?, provider: ProviderName, replayed row: EventRow) {
        let fields = row.members.map { "\($0.name) \(Style.printable($0.value.string ?? $0.value.text(), upTo: 200))" }
        self.init(at: moment, ad: ad, provider: provider, row, .plain("\(row.name)  \(fields.joined(separator: ", "))"))
    }

    /// An activity of a creative.
    package init(at moment: Moment, ad: AdID, provider: ProviderName, _ activity: CreativeActivity) {
        self.init(
            at: moment,
            ad: ad,
            provider: provider,
            activity.row,
            ActivityText.text(activity),
            rating: activity.rating
        )
    }
}

extension EventLine {
    /// An activity of a creative, or a request.
    package init(_ record: ActivityRecord) {
        self.init(
            at: record.at,
            provider: record.provider,
            subject: record.ad.map(Subject.ad) ?? .noAd,
            name: record.row.name,
            data: record.row.members.map(EventLine.redacted),
            text: record.text
        )
    }
}

extension CreativeActivity {
    fileprivate var rating: Rating {
        switch self {
        case .console(let message): message.level == .warning ? .warn : .plain
        case .longTask, .mediaStall, .omitted: .warn
        case .bridge(let message): message.type == "error" || message.arguments["outcome"] == "refused" ? .warn : .plain
        case .captions(let captions): captions.issues.isEmpty ? .plain : .warn
        case .call(let call): call.purpose == .fingerprint ? .warn : .plain
        case .media(let media): media.isAudible && !media.isAfterGesture ? .warn : .plain
        case .layout, .scroll, .visible, .withheld, .painted, .use: .plain
        }
    }
}

/// The activities of a creative as text.
enum ActivityText {
    static func text(_ activity: CreativeActivity) -> StyledText {
        switch activity {
        case .console(let message):
            let place = [message.url, message.line.map { "line \($0)" }].compactMap(\.self).joined(separator: " ")
            let text = Style.printable(message.text, upTo: 400) + (place.isEmpty ? "" : "  (\(place))")
            return message.level == .warning ? .yellow("console.warn", "  \(text)") : .plain("console  \(text)")
        case .bridge(let message):
            let arrow = message.direction == .fromCreative ? "←" : "→"
            let name = "\(message.bridge.rawValue) \(arrow) \(Style.printable(message.type, upTo: 40))"
            return .plain("\(name)  \(self.arguments(message.arguments))".trimmed)
        case .layout(let place):
            let (x, y) = (self.number(place.x), self.number(place.y))
            let size = "\(self.number(place.width))x\(self.number(place.height))"
            return .plain("layout  \(size) at \(x),\(y)" + (place.mode == .normal ? "" : ", \(place.mode.rawValue)"))
        case .scroll(let x, let y): return .plain("scrolled  to \(self.number(x)),\(self.number(y))")
        case .visible(let ratio): return .plain("visible  \(Int((ratio * 100).rounded())) %")
        case .longTask(let time): return .yellow("long task", "  \(time.wholeMilliseconds) ms")
        case .mediaStall(let time, let position):
            let place = position.map { " at \(self.number($0.inSeconds)) s" } ?? ""
            return .yellow("stalled", "  the video waited \(time.wholeMilliseconds) ms for data\(place)")
        case .captions(let captions): return self.text(captions)
        case .painted(let time): return .plain("painted  after \(time.wholeMilliseconds) ms")
        case .call(let call): return self.text(call)
        case .media(let media): return self.text(media)
        case .use(let use): return self.text(use)
        case .withheld(let url): return .plain("withheld  \(Style.printable(url, upTo: 300))")
        case .omitted(let kind): return .yellow("omitted", "  further events \u{201C}\(kind)\u{201D} are not listed")
        }
    }

    private static func text(_ call: ScriptCall) -> StyledText {
        let name = "  \(Style.printable(call.name, upTo: 60))"
        switch call.purpose {
        case .fingerprint: return .yellow("fingerprinting", name)
        case .storage: return .plain("storage\(name)")
        case .permission: return .plain("permission\(name)")
        case .worker: return .plain("worker\(name)")
        }
    }

    private static func text(_ media: MediaStart) -> StyledText {
        let when = media.isAfterGesture ? "after a press" : "by itself"
        let text = "  \(media.element.rawValue) started \(when), \(media.isAudible ? "with sound" : "silent")"
        return media.isAudible && !media.isAfterGesture ? .yellow("sound", text) : .plain("media\(text)")
    }

    private static func text(_ use: ResourceUse) -> StyledText {
        var parts: [String] = []
        if let time = use.processor { parts.append("processor \(time.wholeMilliseconds) ms") }
        if let memory = use.memory, memory > 0 { parts.append("memory \(Quantity.bytes(memory))") }
        if let nodes = use.nodes, nodes > 0 { parts.append(Quantity.text(nodes, "node")) }
        if let end = use.animationEnd { parts.append("animations until \(self.number(end.inSeconds)) s") }
        if use.isEndless == true { parts.append("animations without an end") }
        if let last = use.lastChange {
            parts.append(
                use.isChanging == true ? "still changing" : "last change after \(self.number(last.inSeconds)) s"
            )
        }
        if let count = use.cookies?.count, count > 0 { parts.append(Quantity.text(count, "cookie")) }
        if use.processor == nil { parts.append("its page does not answer") }
        return .plain("used  \(parts.joined(separator: ", "))")
    }

    private static func text(_ captions: CaptionActivity) -> StyledText {
        let name = captions.language.map { " in \(Style.printable($0, upTo: 20))" } ?? ""
        let format = captions.format.map { ": \($0), \(captions.cues ?? 0) cues" } ?? ""
        let issues = captions.issues.map { Style.printable($0, upTo: 300) }.joined(separator: "; ")
        let text = "\(captions.state.rawValue)\(name)\(format)" + (issues.isEmpty ? "" : "; \(issues)")
        return issues.isEmpty ? .plain("captions  \(text)") : .yellow("captions", "  \(text)")
    }

    private static func number(_ value: Double) -> String {
        AdJSON.double((value * 10).rounded() / 10).text()
    }

    private static func arguments(_ json: AdJSON) -> String {
        switch json {
        case .object(let members):
            let given = members.filter { $0.value != .null }
            return given.map { "\($0.name) \(Style.printable($0.value.string ?? $0.value.text(), upTo: 200))" }
                .joined(separator: ", ")
        case .array(let values):
            return values.map { Style.printable($0.string ?? $0.text(), upTo: 200) }.joined(separator: ", ")
        default: return ""
        }
    }
}
