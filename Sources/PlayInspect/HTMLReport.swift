import AdCore
import AdHTML
import AdMarkup
import PlayConsole
import PlayReport

/// A banner as `inspect` prints it: whom it loads from, where it leads, and what it needs.
enum HTMLReport {
    static func json(_ document: HTMLDocument) -> AdJSON {
        [
            "kind": "html",
            "bytes": .int(Int64(document.markup.utf8.count)),
            "fragment": .bool(document.isFragment),
            "title": .text(document.title),
            "viewport": .text(document.viewport?.content),
            "size": document.declaredSize.map { ["width": .int(Int64($0.width)), "height": .int(Int64($0.height))] }
                ?? .null,
            "click": self.click(document),
            "links": .array(document.links.map { self.place($0.template, $0.line) }),
            "images": .array(document.images.map { self.place($0.template, $0.line) }),
            "pixels": .array(document.pixels.map { self.place($0.template, $0.line) }),
            "scripts": .array(document.scripts.map { self.source($0.source, $0.line) }),
            "stylesheets": .array(document.stylesheets.map { self.source($0.source, $0.line) }),
            "embeds": .array(
                document.embeds.map { embed in
                    [
                        "kind": .string(embed.kind.rawValue), "url": .text(embed.template?.text),
                        "line": .int(Int64(embed.line)),
                    ]
                }
            ),
            "mraid": ["loaded": .bool(document.loadsMRAID), "called": .bool(document.callsMRAID)],
            "somethingToSee": .bool(document.hasSomethingToSee),
            "issues": VASTJSON.issues(document.issues),
            "error": nil,
        ]
    }

    /// What a press on the first thing comes to that can be clicked.
    private static func click(_ document: HTMLDocument) -> AdJSON {
        let (outcome, url, reason): (String, String?, String?) =
            switch document.click() {
            case .opens(let address):
                switch ClickThroughVerdict(address, base: document.clickBase) {
                case .opens(let link): ("click", link.text, nil)
                case .nowhere(let reason): ("nothing", nil, reason)
                }
            case .creative(let what): ("creative", nil, what)
            case .nothing(let reason): ("nothing", nil, reason)
            case .unknown(let reason): ("unknown", nil, reason)
            }
        return ["outcome": .string(outcome), "url": .text(url), "reason": .text(reason)]
    }

    private static func words(_ click: AdJSON) -> String {
        if let url = click["url"]?.string { return "opens \(Style.printable(url, upTo: 200))" }
        let reason = Style.printable(click["reason"]?.string ?? "", upTo: 400)
        switch click["outcome"]?.string {
        case "creative": return "is handled by the creative: \(reason)"
        case "unknown": return "can't be told without a browser: \(reason)"
        default: return "leads nowhere: \(reason)"
        }
    }

    private static func place(_ template: URLTemplate, _ line: Int) -> AdJSON {
        ["url": .string(template.text), "line": .int(Int64(line))]
    }

    private static func source(_ source: HTMLDocument.Source, _ line: Int) -> AdJSON {
        switch source {
        case .external(let template): self.place(template, line)
        case .inline(byteCount: let bytes): ["bytes": .int(Int64(bytes)), "line": .int(Int64(line))]
        }
    }

    static func lines(_ document: HTMLDocument, of input: String, _ style: Style) -> [String] {
        let title = document.title.map { "  \u{201C}\(Style.printable($0, upTo: 80))\u{201D}" } ?? ""
        let form = document.isFragment ? "a fragment of HTML" : "HTML"
        let size = document.declaredSize.map { ", made for \($0.width)x\($0.height)" } ?? ""
        var lines = [
            "\(style.bold(Style.printable(input)))  \(form), \(document.markup.utf8.count) bytes\(size)\(title)"
        ]
        if !document.hasSomethingToSee { lines.append("  \(style.yellow("there is nothing to see in it"))") }
        if document.loadsMRAID || document.callsMRAID {
            lines.append(
                "  MRAID is \(document.loadsMRAID ? "loaded" : "not loaded") and \(document.callsMRAID ? "called" : "not called")"
            )
        }
        func row(_ what: String, _ template: URLTemplate, _ line: Int) -> String {
            let padded = what + String(repeating: " ", count: max(1, 11 - what.count))
            return "  \(padded)\(VASTText.shown(template))  (line \(line))"
        }
        lines.append("  a tap      \(self.words(self.click(document)))")
        lines += document.links.map { row("link", $0.template, $0.line) }
        lines += document.images.map { row("image", $0.template, $0.line) }
        lines += document.pixels.map { row("pixel", $0.template, $0.line) }
        for (what, source, line) in document.scripts.map({ ("script", $0.source, $0.line) })
            + document.stylesheets.map({ ("style", $0.source, $0.line) })
        {
            switch source {
            case .external(let template): lines.append(row(what, template, line))
            case .inline(byteCount: let bytes): lines.append("  \(what)     \(bytes) bytes of its own  (line \(line))")
            }
        }
        lines += document.embeds.compactMap { embed in
            embed.template.map { row(embed.kind.rawValue, $0, embed.line) }
        }
        return lines + VASTText.issues(document.issues, style)
    }
}
