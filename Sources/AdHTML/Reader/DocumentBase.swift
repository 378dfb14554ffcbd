import AdCore
import AdMarkup

extension HTMLReader {
    /// Reads the base URL and the default `target` of links, from the first `<base>` that has them (HTML Living
    /// Standard, "the base element").
    mutating func readBase(_ start: HTMLStartTag, in parse: inout HTMLParse) {
        guard start.outer.isDisjoint(with: [.inert, .foreign]) else { return }
        self.baseTarget = self.baseTarget ?? start.attributes.value("target")?.text
        guard self.document.declaredBase == nil, let template = start.attributes.value("href")?.template else { return }
        self.document.declaredBase = template
        if HTTPURL.hasScheme(template.text.utf8), HTTPURL(template.text) == nil {
            let message = "relative links can't be resolved against the URL in <base>; use an http or https URL"
            parse.issues.add("html.base.unusable", line: start.line, message)
        }
    }
}

extension HTMLDocument {
    /// Sets the base of links and pixels after parsing, because a `<base>` also applies to links before it.
    mutating func resolveBase(_ given: HTTPURL?) {
        let declared = self.declaredBase.flatMap { HTTPURL($0.resolved(from: given)) }
        self.base = declared ?? given
        guard let base = self.base else { return }
        for index in self.links.indices {
            // A fragment alone, such as `#top`, stays on the page, unless `<base>` declares another URL.
            let isFragment = self.links[index].template.text.utf8.first == UInt8(ascii: "#")
            if !isFragment || base != given { self.links[index].base = base }
        }
        for index in self.pixels.indices { self.pixels[index].base = base }
    }
}

extension URLTemplate {
    /// The absolute URL, as far as it is known.
    func resolved(from base: HTTPURL?) -> String {
        // Browsers remove tabs and line breaks from URLs (WHATWG URL §4.4).
        let text = String(decoding: self.text.utf8.filter { $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
        if let base, !HTTPURL.hasScheme(text.utf8), let whole = try? base.resolving(text) {
            return whole.text + (text.firstIndex(of: "#").map { text[$0...] } ?? "")
        }
        return text.hasPrefix("//") ? "https:" + text : text
    }
}
