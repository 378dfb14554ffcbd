import AdCore
import AdMarkup
import PlayConsole

/// A VMAP document as nodes.
enum VMAPNodes {
    static func members(_ document: VMAPDocument, _ followed: [ResolvedWrappers?]) -> [InspectNode] {
        [
            .data("version", document.version),
            .objects(
                "adBreaks",
                zip(document.breaks, followed).map { adBreak, followed in
                    self.adBreak(adBreak).adding(followed.map { [$0.node] } ?? [])
                }
            ),
            .data("extensions", document.extensions.count),
            .issues(document.issues),
            .data("error", .null),
        ]
    }

    private static func adBreak(_ adBreak: VMAPBreak) -> InspectNode {
        .object(
            [
                .data("timeOffset", adBreak.offset?.text),
                .data("breakType", adBreak.kinds.joined(separator: ",")),
                .data("breakId", adBreak.id),
                .data("repeatAfter", adBreak.repeatAfter.map { VMAPOffset.time($0).text }),
                InspectNode(
                    "tracking",
                    .json(.array(adBreak.tracking.map { .array([.string($0.event), .string($0.url.text)]) })),
                    adBreak.tracking.map { Label.line("on \(Style.printable($0.event, upTo: 40))", $0.url.printable) }
                ),
                self.source(adBreak.source),
            ],
            self.heading(adBreak)
        )
    }

    private static func heading(_ adBreak: VMAPBreak) -> StyledText {
        let offset = adBreak.offset?.text ?? "an unknown time"
        let again = adBreak.repeatAfter.map { ", repeated every \($0.seconds) s" } ?? ""
        let name = adBreak.id.map { " \(Style.printable($0, upTo: 60))" } ?? ""
        let kinds = Style.printable(adBreak.kinds.joined(separator: ", "), upTo: 80)
        return .bold("break\(name)", " at \(offset)\(again)  \(kinds)")
    }

    private static func source(_ source: VMAPSource?) -> InspectNode {
        guard let source else { return InspectNode("adSource", .json(.null), [.plain("no ad source")]) }
        var (tag, lines): (AdJSON, [StyledText]) = (.null, [])
        var vast = InspectNode.data("vast", .null)
        var isCustom = false
        switch source.content {
        case .vast(let document):
            vast = InspectNode("vast", .object(VASTNodes.members(document)))
            if document.ads.isEmpty { lines = [.plain("VAST without an ad")] }
        case .tag(let url, let type):
            tag = ["templateType": .string(type ?? ""), "uri": .string(url.text)]
            lines = [Label.line("AdTagURI", url.printable)]
        case .custom(let text, _):
            isCustom = true
            lines = [Label.line("custom data", "\(text.utf8.count) bytes")]
        case nil: lines = [.plain("ad source without readable ads")]
        }
        return InspectNode(
            "adSource",
            .object([
                .text(lines), .data("id", source.id), .data("allowMultipleAds", self.flag(source.allowsMultipleAds)),
                .data("followRedirects", self.flag(source.followsRedirects)),
                .data("hasVAST", vast.json != .null), .data("adTagURI", tag), .data("customData", isCustom), vast,
            ])
        )
    }

    /// The flag as the document writes it.
    private static func flag(_ value: Bool?) -> AdJSON { value.map { .string($0 ? "true" : "false") } ?? .null }
}
