import AdCore
import AdMarkup
import PlayConsole

/// A VMAP document as `inspect` prints it.
enum VMAPReport {
    static func json(_ plan: VMAPDocument, _ followed: [Followed?]) -> AdJSON {
        [
            "version": .text(plan.version),
            "adBreaks": .array(
                zip(plan.breaks, followed).map { adBreak, followed in
                    followed.map { self.adBreak(adBreak).adding("followed", $0.json) } ?? self.adBreak(adBreak)
                }
            ),
            "extensions": .int(plan.extensions.count),
            "issues": VASTJSON.issues(plan.issues),
            "error": nil,
        ]
    }

    private static func adBreak(_ adBreak: VMAPBreak) -> AdJSON {
        let tracking = adBreak.tracking.map { AdJSON.array([.string($0.event), .string($0.url.text)]) }
        return [
            "timeOffset": .text(adBreak.offset?.text), "breakType": .string(adBreak.kinds.joined(separator: ",")),
            "breakId": .text(adBreak.id),
            "repeatAfter": .text(adBreak.repeatAfter.map { VMAPOffset.time($0).text }),
            "tracking": .array(tracking), "adSource": self.source(adBreak.source),
        ]
    }

    private static func source(_ source: VMAPSource?) -> AdJSON {
        guard let source else { return .null }
        var vast: AdJSON = .null
        var tag: AdJSON = .null
        var isCustom = false
        switch source.content {
        case .vast(let document): vast = VASTJSON.document(document)
        case .tag(let url, let type): tag = ["templateType": .string(type ?? ""), "uri": .string(url.text)]
        case .custom: isCustom = true
        case nil: break
        }
        return [
            "id": .text(source.id), "allowMultipleAds": self.flag(source.allowsMultipleAds),
            "followRedirects": self.flag(source.followsRedirects), "hasVAST": .bool(vast != .null), "adTagURI": tag,
            "customData": .bool(isCustom), "vast": vast,
        ]
    }

    /// As it is written in the document.
    private static func flag(_ value: Bool?) -> AdJSON { value.map { .string($0 ? "true" : "false") } ?? .null }

    static func lines(_ plan: VMAPDocument, _ followed: [Followed?], of input: String, _ style: Style) -> [String] {
        let count = plan.breaks.count == 1 ? "1 break" : "\(plan.breaks.count) breaks"
        let version = plan.version.map { "VMAP \(Style.printable($0))" } ?? "VMAP without a version"
        var lines = ["\(style.bold(Style.printable(input)))  \(version), \(count)"]
        for (adBreak, followed) in zip(plan.breaks, followed) {
            let when = adBreak.offset?.text ?? "never"
            let again = adBreak.repeatAfter.map { ", again every \($0.seconds) s" } ?? ""
            let name = adBreak.id.map { " \(Style.printable($0, upTo: 60))" } ?? ""
            let kinds = Style.printable(adBreak.kinds.joined(separator: ", "), upTo: 80)
            lines.append("  " + style.bold("break\(name)") + " at \(when)\(again)  \(kinds)")
            lines += self.source(adBreak.source, style).map { "    " + $0 }
            lines += adBreak.tracking.map {
                "    on \(Style.printable($0.event, upTo: 40))  \(Style.printable(Redaction.address($0.url.text)))"
            }
            lines += (followed?.lines(style) ?? []).map { "  " + $0 }
        }
        return lines + VASTText.issues(plan.issues, style)
    }

    private static func source(_ source: VMAPSource?, _ style: Style) -> [String] {
        switch source?.content {
        case .vast(let document): document.ads.isEmpty ? ["VAST without an ad"] : VASTText.ads(document, style)
        case .tag(let url, _): ["AdTagURI \(Style.printable(Redaction.address(url.text)))"]
        case .custom(let text, _): ["data of the server's own, \(text.utf8.count) bytes"]
        case nil: ["no ads that can be read"]
        }
    }
}
