import AdCore
import AdHTML
import AdMarkup
import PlayConsole

/// An HTML creative as nodes: the resources that it loads, its click-through, and its features.
enum HTMLNodes {
    static func members(_ document: HTMLDocument) -> [InspectNode] {
        let size: AdJSON? = document.declaredSize.map { size in
            ["width": .int(Int64(size.width)), "height": .int(Int64(size.height))]
        }
        let facts: [InspectNode] = [
            .data("kind", "html"), .data("bytes", document.markup.utf8.count), .data("fragment", document.isFragment),
            .data("title", document.title), .data("viewport", document.viewport?.content),
            .data("size", size ?? .null), self.click(document),
        ]
        let loads: [InspectNode] = [
            .objects("links", document.links.map { self.url("link", $0.template, $0.line) }),
            .objects("images", document.images.map { self.url("image", $0.template, $0.line) }),
            .objects("pixels", document.pixels.map { self.url("pixel", $0.template, $0.line) }),
            .objects("scripts", document.scripts.map { self.source("script", $0.source, $0.line) }),
            .objects("stylesheets", document.stylesheets.map { self.source("stylesheet", $0.source, $0.line) }),
            .objects("embeds", document.embeds.map(self.embed)),
        ]
        return facts + loads + [
            self.mraid(document), self.visibility(document), .issues(document.issues), .data("error", .null),
        ]
    }

    /// The first line of the input: form, size and title.
    static func heading(_ document: HTMLDocument) -> String {
        let title = document.title.map { "  \u{201C}\(Style.printable($0, upTo: 80))\u{201D}" } ?? ""
        let form = document.isFragment ? "HTML fragment" : "HTML"
        let size = document.declaredSize.map { ", declared size \($0.width)x\($0.height)" } ?? ""
        return "\(form), \(document.markup.utf8.count) bytes\(size)\(title)"
    }

    /// The result of a tap on the first clickable element.
    private static func click(_ document: HTMLDocument) -> InspectNode {
        let (outcome, url, reason, text): (String, String?, String?, String) =
            switch document.click() {
            case .opens(let address):
                switch ClickThroughResolution(address, base: document.clickBase) {
                case .opens(let link): ("click", link.text, nil, "opens \(Style.printable(link.text, upTo: 200))")
                case .nowhere(let reason): ("nothing", nil, reason, "no click-through URL: ")
                }
            case .creative(let what): ("creative", nil, what, "handled by the creative: ")
            case .nothing(let reason): ("nothing", nil, reason, "no click-through URL: ")
            case .unknown(let reason): ("unknown", nil, reason, "unknown without a browser: ")
            }
        return InspectNode(
            "click",
            .object([.data("outcome", outcome), .data("url", url), .data("reason", reason)]),
            [Label.line("tap", text + Style.printable(reason ?? "", upTo: 400))]
        )
    }

    private static func url(_ label: String, _ template: URLTemplate, _ line: Int) -> InspectNode {
        .object(
            [.data("url", template.text), .data("line", line)],
            Label.line(label, "\(template.printable)  (line \(line))")
        )
    }

    private static func source(_ label: String, _ source: HTMLDocument.Source, _ line: Int) -> InspectNode {
        switch source {
        case .external(let template): self.url(label, template, line)
        case .inline(byteCount: let bytes):
            .object(
                [.data("bytes", bytes), .data("line", line)],
                Label.line(label, "inline, \(bytes) bytes  (line \(line))")
            )
        }
    }

    private static func embed(_ embed: HTMLDocument.Embed) -> InspectNode {
        let line = embed.template.map { Label.line(embed.kind.rawValue, "\($0.printable)  (line \(embed.line))") }
        return .object(
            [.data("kind", embed.kind.rawValue), .data("url", embed.template?.text), .data("line", embed.line)],
            line
        )
    }

    private static func mraid(_ document: HTMLDocument) -> InspectNode {
        let (loads, calls) = (document.loadsMRAID, document.callsMRAID)
        let text = "\(loads ? "loaded" : "not loaded"), \(calls ? "called" : "not called")"
        return InspectNode(
            "mraid",
            .object([.data("loaded", loads), .data("called", calls)]),
            loads || calls ? [Label.line("MRAID", text)] : []
        )
    }

    private static func visibility(_ document: HTMLDocument) -> InspectNode {
        let isVisible = document.hasVisibleContent
        return InspectNode(
            "somethingToSee",
            .json(.bool(isVisible)),
            isVisible ? [] : [.yellow("the creative has no visible content")]
        )
    }
}
