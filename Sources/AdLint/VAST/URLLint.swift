import AdCore
import AdHTML
import AdMarkup

/// Checks each URL of a document, and its macros.
enum URLLint {
    static func check(_ tree: LintTree, _ log: inout LintLog) {
        var macros = MacroLint()
        for element in tree.elements {
            guard let url = URLElement(element) else { continue }
            self.check(url, &log)
            macros.check(url, &log)
        }
    }

    private static func check(_ url: URLElement, _ log: inout LintLog) {
        let text = url.text
        if text.isEmpty {
            // Children instead of text have a finding of their own.
            guard url.element.isEmpty else { return }
            let rule: LintRule = url.isRequired ? .urlRequiredEmpty : .urlEmpty
            return log.add(rule, url.element.place, "\(url.name) is empty")
        }
        // Ad servers write `about:blank` (RFC 6694 §3) where the schema requires a URL and there is none.
        if text == "about:blank" { return }
        // Servers fetch a mezzanine by any protocol that they agree on.
        if url.element.name == "Mezzanine" { return }
        guard
            let scheme = URLCheck.check(
                text,
                url.name,
                at: url.place,
                mayBeLink: url.use == .clickThrough,
                &log
            )
        else { return }
        if scheme == "data" { return self.data(url, &log) }
        guard scheme == "http" else { return }
        log.add(self.rule(for: url), url.place, "\(url.name) is \(text.quotedURL)")
    }

    private static func data(_ url: URLElement, _ log: inout LintLog) {
        switch url.use {
        case .media:
            if url.element.name != "InteractiveCreativeFile" {
                log.add(.mediaDataAddress, url.place, "\(url.name) is \(url.text.quoted)")
            }
        case .resource, .caption: break
        default: log.add(.urlSchemeWrong, url.place, "\(url.name) is \(url.text.quoted)")
        }
    }

    private static func rule(for url: URLElement) -> LintRule {
        switch url.use {
        case .clickThrough, .survey: .clickthroughInsecure
        case .script: .scriptInsecure
        case .media:
            LintType.script.contains(MediaType.plain(url.element.attribute("type") ?? ""))
                ? .scriptInsecure : .mediaInsecure
        case .resource, .caption: .mediaInsecure
        case .tag: .tagInsecure
        case .impression, .error, .viewable, .clickTracking, .tracking: .trackerInsecure
        }
    }
}

extension URLElement {
    /// Whether the ad can't work without this URL.
    fileprivate var isRequired: Bool {
        switch self.use {
        case .media, .resource, .script, .tag: true
        default: false
        }
    }
}
