import AdCore
import AdMarkup
import PlayConsole
import PlayReport

/// A VAST document as a tree for people.
enum VASTText {
    static func lines(_ document: VASTDocument, of input: String, _ style: Style) -> [String] {
        let count = document.ads.count == 1 ? "1 ad" : "\(document.ads.count) ads"
        let version = document.version.map { "VAST \(Style.printable($0))" } ?? "VAST without a version"
        let first = "\(style.bold(Style.printable(input)))  \(version), \(count)"
        return [first] + self.ads(document, style).map { "  " + $0 } + self.issues(document.issues, style)
    }

    static func failure(_ error: VASTError, of input: String, _ style: Style) -> String {
        "\(style.bold(Style.printable(input)))  \(style.red("error \(error.code)"))  " + self.shown(error)
    }

    /// An answer has no number of VAST's.
    static func failure(_ error: AdError, of input: String, _ style: Style) -> String {
        let line = error.place.line.map { " (line \($0))" } ?? ""
        let text = Style.printable(error.message, upTo: 400) + line
        return "\(style.bold(Style.printable(input)))  \(style.red("error"))  \(text)"
    }

    /// Nor has an input that could not be had.
    static func failure(_ reason: String, of input: String, _ style: Style) -> String {
        "\(style.bold(Style.printable(input)))  \(style.red("error"))  \(Style.printable(reason, upTo: 400))"
    }

    static func ads(_ document: VASTDocument, _ style: Style) -> [String] {
        document.errorURLs.map { "when there is no ad  \(self.shown($0))" }
            + document.ads.flatMap { self.ad($0, style) }
    }

    static func issues(_ issues: [AdIssue], _ style: Style) -> [String] {
        issues.map { "  \(style.yellow("issue"))  \(Style.printable($0.description, upTo: 400))" }
    }

    private static func shown(_ error: VASTError) -> String {
        Style.printable(error.message, upTo: 400) + (error.line.map { " (line \($0))" } ?? "")
    }

    static func shown(_ url: URLTemplate) -> String { Style.printable(Redaction.address(url.text)) }

    private static func ad(_ ad: VASTAd, _ style: Style) -> [String] {
        let name = ad.id.map { " \(Style.printable($0, upTo: 60))" } ?? ""
        let place = ad.sequence.map { ", number \($0) of a pod" } ?? ""
        let kind = ad.wrapper == nil ? "inline" : "wrapper"
        let title = ad.inline?.title.map { "  \u{201C}\(Style.printable($0, upTo: 80))\u{201D}" } ?? ""
        let system = ad.system.map { "  by \(Style.printable($0.name, upTo: 60))" } ?? ""
        var lines = [style.bold("ad\(name)") + " (\(kind)\(place))\(title)\(system)"]
        if let tag = ad.wrapper?.tagURL { lines.append("  VASTAdTagURI  \(self.shown(tag))") }
        lines += ad.impressions.map { "  impression \(self.shown($0.url))" }
        lines += ad.errors.map { "  error      \(self.shown($0))" }
        lines += ad.viewable.flatMap(\.viewable).map { "  viewable   \(self.shown($0))" }
        lines += ad.verifications.map { "  measured   by \(Style.printable($0.vendor ?? "somebody", upTo: 80))" }
        for creative in ad.creatives { lines += self.creative(creative).map { "  " + $0 } }
        return lines
    }

    private static func creative(_ creative: VASTCreative) -> [String] {
        switch creative.body {
        case .linear(let linear): return self.linear(linear)
        case .nonLinear(let list):
            return ["nonlinear"]
                + list.items.map { "  overlay  \(self.size($0.width, $0.height))  \(self.made($0.resources))" }
                + self.tracking(list.tracking)
        case .companions(let list):
            let required = list.required.map { ", \($0.rawValue) required" } ?? ""
            return ["companions\(required)"]
                + list.items.map { "  beside   \(self.size($0.width, $0.height))  \(self.made($0.resources))" }
        }
    }

    private static func linear(_ linear: VASTLinear) -> [String] {
        let length = linear.duration.map { "\($0.seconds) s" } ?? "of unknown length"
        let skip = linear.skipOffset.map { ", can be skipped at \(self.offset($0))" } ?? ""
        var lines = ["linear, \(length)\(skip)"]
        for media in linear.mediaFiles {
            let rate = media.bitrate.map { ", \($0) kbit/s" } ?? ""
            let runs = media.apiFramework.map { ", \(Style.printable($0, upTo: 20))" } ?? ""
            let type = Style.printable(media.type ?? "of no type", upTo: 60)
            lines.append(
                "  media    \(type), \(self.size(media.width, media.height))\(rate)\(runs)  \(self.shown(media.url))"
            )
        }
        lines += linear.interactiveFiles.map { file in
            let runs = Style.printable(file.apiFramework ?? "of no framework", upTo: 20)
            return
                "  program  \(runs), \(Style.printable(file.type ?? "of no type", upTo: 60))  \(self.shown(file.url))"
        }
        lines += linear.mezzanines.map { file in
            let type = Style.printable(file.type ?? "of no type", upTo: 60)
            return "  original \(type), \(self.size(file.width, file.height))  \(self.shown(file.url))"
        }
        if let through = linear.clickThrough { lines.append("  click-through  \(self.shown(through))") }
        lines += linear.clickTracking.map { "  click    \(self.shown($0))" }
        lines += linear.icons.map {
            "  icon     \(Style.printable($0.program ?? "-", upTo: 40))  \(self.made($0.resources))"
        }
        return lines + self.tracking(linear.tracking)
    }

    private static func tracking(_ tracking: [VASTTracking]) -> [String] {
        tracking.map { one in
            let offset = one.offset.map { " at \(self.offset($0))" } ?? ""
            return "  on \(Style.printable(one.event, upTo: 40))\(offset)  \(self.shown(one.url))"
        }
    }

    private static func offset(_ offset: MediaOffset) -> String {
        switch offset {
        case .time(let time): "\(time.seconds) s"
        case .percent(let percent): "\(percent) %"
        }
    }

    private static func size(_ width: Int?, _ height: Int?) -> String {
        "\(width.map { String($0) } ?? "?")x\(height.map { String($0) } ?? "?")"
    }

    private static func made(_ resources: [VASTResource]) -> String {
        let parts = resources.map { resource in
            switch resource {
            case .file(let url, let type): "\(Style.printable(type ?? "file", upTo: 40)) \(self.shown(url))"
            case .page(let url): "page \(self.shown(url))"
            case .html(let text): "HTML, \(text.utf8.count) bytes"
            }
        }
        return parts.isEmpty ? "made of nothing" : parts.joined(separator: "; ")
    }
}
