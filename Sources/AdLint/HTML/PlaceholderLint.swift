import AdCore
import AdHTML
import AdMarkup

/// Reports unreplaced macros of a banner: in URLs, in strings of scripts, and in visible text.
enum PlaceholderLint {
    /// The attributes that hold URLs.
    private static let urlAttributes: Set<String> = [
        "href", "src", "action", "data", "poster", "srcset", "xlink:href", "background", "formaction", "content",
    ]

    static func check(
        _ document: HTMLDocument,
        _ tags: [HTMLTag],
        _ code: ScriptCode,
        _ state: ServingState,
        _ log: inout LintLog
    ) {
        // Each macro is reported once.
        var reported: Set<String> = []
        for tag in tags {
            for attribute in tag.attributes where !attribute.name.hasPrefix("on") && !attribute.value.isEmpty {
                let isAddress =
                    self.urlAttributes.contains(attribute.name) || attribute.name.hasPrefix("data-")
                    || attribute.value.firstRange(of: "://") != nil
                for macro in AdMacroSpelling.all(in: attribute.value) where isAddress || macro.isCertain {
                    self.report(
                        macro,
                        in: attribute.value,
                        of: "\(attribute.name.excerpt()) of <\(tag.name.excerpt())>",
                        at: attribute.place,
                        state,
                        &reported,
                        &log
                    )
                }
            }
        }
        for token in code.tokens where token.kind == .string {
            let isAddress = token.text.firstRange(of: "://") != nil
            for macro in AdMacroSpelling.all(in: token.text) where isAddress || macro.isCertain {
                // The string begins after its quotation mark.
                let start = SourcePlace(line: token.place.line, column: token.place.column.map { $0 + 1 })
                self.report(macro, in: token.text, of: "a script", at: start, state, &reported, &log)
            }
        }
        var search = MarkupSearch(document.markup)
        for placeholder in document.placeholders where !reported.contains(placeholder.text) {
            guard let macro = AdMacroSpelling.all(in: placeholder.text).first else { continue }
            self.report(
                macro,
                in: placeholder.text,
                of: "the markup",
                at: search.place(line: placeholder.line, of: placeholder.text),
                state,
                &reported,
                &log
            )
        }
    }

    private static func report(
        _ macro: AdMacroSpelling,
        in text: String,
        of part: @autoclosure () -> String,
        at start: @autoclosure () -> SourcePlace,
        _ state: ServingState,
        _ reported: inout Set<String>,
        _ log: inout LintLog
    ) {
        let written = macro.text(in: text)
        guard reported.count < 1000, reported.insert(written).inserted else { return }
        var place: SourcePlace {
            let start = start()
            // Without the column of the text, only the line is known.
            guard start.column != nil else { return start }
            var places = SourcePlaces(from: start)
            return places.place(at: macro.range.lowerBound, in: Array(text.utf8))
        }
        let shown = written.excerpt(70)
        switch macro.kind {
        case .adServer where state == .tag: log.add(.macroServing, place, "\(shown) is in \(part())")
        case .vendor(let vendor): log.add(.macroVendor, place, "\(shown) is a macro of \(vendor)")
        case .player, .adServer, .unknown:
            log.add(macro.isClick ? .htmlMacroClick : .htmlMacroUnresolved, place, "\(shown) is in \(part())")
        }
    }
}

extension AdMacroSpelling {
    /// Whether it is certainly a macro, even if the text around it is not a URL.
    fileprivate var isCertain: Bool {
        switch self.style {
        case .percent, .dollar, .hashes, .ats, .placeholder: true
        // Ordinary texts contain `[SALE]`, `{{title}}` and `__proto__`, too.
        case .brackets, .doubleBraces, .underscores, .braces, .dollars:
            self.isClick && !self.name.utf8.contains { (0x61...0x7A).contains($0) }
        case .letter: false
        }
    }
}
