import AdCore
import AdHTML
import AdMarkup

/// Looks at the macros of a banner: in addresses, in texts of scripts, and in text that is shown.
enum PlaceholderLint {
    /// The attributes that hold addresses whatever their values look like.
    private static let addresses: Set<String> = [
        "href", "src", "action", "data", "poster", "srcset", "xlink:href", "background", "formaction", "content",
    ]

    static func check(
        _ document: HTMLDocument,
        _ tags: [HTMLTag],
        _ code: ScriptCode,
        _ stage: LintStage,
        _ log: inout LintLog
    ) {
        // What was said of a macro once need not be said of each of its places.
        var told: Set<String> = []
        for tag in tags {
            for attribute in tag.attributes where !attribute.name.hasPrefix("on") && !attribute.value.isEmpty {
                let isAddress =
                    self.addresses.contains(attribute.name) || attribute.name.hasPrefix("data-")
                    || attribute.value.firstRange(of: "://") != nil
                for macro in AdMacroSpelling.all(in: attribute.value) where isAddress || macro.isCertain {
                    self.report(
                        macro,
                        in: attribute.value,
                        of: "\(attribute.name.excerpt()) of <\(tag.name.excerpt())>",
                        at: attribute.place,
                        stage,
                        &told,
                        &log
                    )
                }
            }
        }
        for token in code.tokens where token.kind == .text {
            let isAddress = token.text.firstRange(of: "://") != nil
            for macro in AdMacroSpelling.all(in: token.text) where isAddress || macro.isCertain {
                // The text begins behind its quotation mark.
                let start = SourcePlace(line: token.place.line, column: token.place.column.map { $0 + 1 })
                self.report(macro, in: token.text, of: "a script", at: start, stage, &told, &log)
            }
        }
        var search = MarkupSearch(document.markup)
        for placeholder in document.placeholders where !told.contains(placeholder.text) {
            guard let macro = AdMacroSpelling.all(in: placeholder.text).first else { continue }
            self.report(
                macro,
                in: placeholder.text,
                of: "the markup",
                at: search.place(line: placeholder.line, of: placeholder.text),
                stage,
                &told,
                &log
            )
        }
    }

    private static func report(
        _ macro: AdMacroSpelling,
        in text: String,
        of part: @autoclosure () -> String,
        at start: @autoclosure () -> SourcePlace,
        _ stage: LintStage,
        _ told: inout Set<String>,
        _ log: inout LintLog
    ) {
        let written = macro.text(in: text)
        guard told.count < 1000, told.insert(written).inserted else { return }
        var place: SourcePlace {
            let start = start()
            // Of a text without its column the line is all that is known.
            guard start.column != nil else { return start }
            var places = SourcePlaces(from: start)
            return places.place(at: macro.range.lowerBound, in: Array(text.utf8))
        }
        let shown = written.excerpt(70)
        switch macro.kind {
        case .adServer where stage == .tag: log.add(.macroServing, place, "\(shown) stands in \(part())")
        case .vendor(let vendor): log.add(.macroVendor, place, "\(shown) is a macro of \(vendor)")
        case .player, .adServer, .unknown:
            log.add(macro.isClick ? .htmlMacroClick : .htmlMacroUnresolved, place, "\(shown) stands in \(part())")
        }
    }
}

extension AdMacroSpelling {
    /// Whether it is a macro also where the text around it is no address.
    fileprivate var isCertain: Bool {
        switch self.style {
        case .percent, .dollar, .hashes, .ats, .note: true
        // `[SALE]`, `{{title}}` and `__proto__` stand in many texts.
        case .brackets, .doubleBraces, .underscores, .braces, .dollars:
            self.isClick && !self.name.utf8.contains { (0x61...0x7A).contains($0) }
        case .letter: false
        }
    }
}
