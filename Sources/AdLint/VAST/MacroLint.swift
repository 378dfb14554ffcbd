import AdCore
import AdHTML
import AdMarkup

/// Checks the macros in the URLs of a document (VAST 4.3 §6).
struct MacroLint {
    /// The macros that are reported once per document, not once per URL.
    private var reported: Set<String> = []

    mutating func check(_ url: URLElement, _ log: inout LintLog) {
        let text = url.text
        let macros = LintMacros.macros(in: text)
        if url.use == .error, !text.isEmpty,
            !macros.contains(where: { ["ERRORCODE", "ERROR_CODE"].contains($0.name.asciiUppercased) })
        {
            log.add(.errorcodeMissing, url.place, "\(text.quotedURL) has no [ERRORCODE]")
        }
        self.others(in: url, besides: macros, &log)
        for macro in macros {
            if url.use == .media, macro.style != .foreign, macro.style != .percent {
                log.add(.macroInMedia, url.place, "\(macro.text.excerpt(70)) is in \(url.name)")
                continue
            }
            switch macro.style {
            case .foreign: self.unresolved(macro, in: url, &log)
            case .percent:
                if LintMacros.release(of: macro.name) == nil {
                    self.unresolved(macro, in: url, &log)
                } else {
                    log.add(.macroForm, url.place, "\(macro.text.excerpt(70)) is in \(url.name)")
                }
            case .spaced:
                let suggestion = LintMacros.mistakes[macro.name] ?? macro.name
                log.add(
                    .macroMisspelt,
                    url.place,
                    "\(macro.text.excerpt(70)) in \(url.name) must be [\(suggestion)], without spaces"
                )
            case .unclosed:
                log.add(.macroUnclosed, url.place, "\(macro.text.excerpt(70)) in \(url.name) has no closing ]")
            case .escaped: self.escaped(macro, in: url, &log)
            case .brackets: self.check(macro, in: url, &log)
            }
        }
    }

    /// Reports a macro that no player replaces: it belongs to an ad server, to a vendor, or to no known system.
    private mutating func unresolved(_ macro: LintMacros.Macro, in url: URLElement, _ log: inout LintLog) {
        switch AdMacroSpelling.all(in: macro.text, limit: 1).first?.kind {
        case .adServer:
            guard self.reported.insert(macro.text).inserted else { return }
            return log.add(.macroServing, url.place, "\(macro.text.excerpt(70)) is in \(url.name)")
        case .vendor(let vendor): return self.vendor(vendor, macro.text, in: url, &log)
        case .player, .unknown, nil: break
        }
        let known = LintMacros.release(of: macro.name) == nil ? LintMacros.mistakes[macro.name] : macro.name
        let hint = known.map { "; VAST's macro is [\($0)]" } ?? ""
        log.add(.macroUnresolved, url.place, "\(macro.text.excerpt(70)) is in \(url.name)\(hint)")
    }

    /// Reports the forms that only ad servers and people use: `##NAME##`, `%n`, `INSERT_CLICK_HERE`.
    private mutating func others(in url: URLElement, besides macros: [LintMacros.Macro], _ log: inout LintLog) {
        let text = url.text
        for macro in AdMacroSpelling.all(in: text) {
            let written = macro.text(in: text)
            guard !macros.contains(where: { $0.text == written || $0.text.firstRange(of: macro.name) != nil }) else {
                continue
            }
            switch (macro.style, macro.kind) {
            case (.hashes, _), (.ats, _), (.placeholder, _), (.braces, _), (.doubleBraces, _), (.dollars, _),
                (.underscores, _):
                guard macro.kind == .unknown else { continue }
                log.add(.macroUnresolved, url.place, "\(written.excerpt(70)) is in \(url.name)")
            case (.letter, _):
                guard self.reported.insert(written).inserted else { continue }
                log.add(.macroServing, url.place, "\(written.excerpt(70)) is in \(url.name)")
            case (.brackets, _), (.percent, _), (.dollar, _): continue
            }
        }
    }

    /// A vendor's macro is reported once per document.
    private mutating func vendor(_ vendor: String, _ text: String, in url: URLElement, _ log: inout LintLog) {
        guard self.reported.insert(text).inserted else { return }
        log.add(.macroVendor, url.place, "\(text.excerpt(70)) is a macro of \(vendor)")
    }

    private func escaped(_ macro: LintMacros.Macro, in url: URLElement, _ log: inout LintLog) {
        let name = macro.name
        if LintMacros.release(of: name) != nil || LintMacros.mistakes[name] != nil {
            return log.add(.macroEscaped, url.place, "\(macro.text.excerpt(70)) is in \(url.name)")
        }
        // `list%5Bname%5D=` is a form field, and a macro in a nested URL belongs to the next server.
        let isValue = url.text.firstRange(of: "=" + macro.text) != nil
        guard isValue, name.utf8.count > 2, name == name.asciiUppercased else { return }
        log.add(.macroUnknown, url.place, "VAST has no macro \(macro.text.excerpt(70)); it is in \(url.name)")
    }

    private mutating func check(_ macro: LintMacros.Macro, in url: URLElement, _ log: inout LintLog) {
        let name = macro.name
        guard let release = LintMacros.release(of: name) else {
            // VMAP 1.0.1 spells the macro this way.
            if name == "ERROR_CODE", url.element.ancestor("AdBreak") != nil { return }
            switch AdMacroVocabulary.kind(name, .brackets) {
            case .vendor(let vendor): return self.vendor(vendor, macro.text, in: url, &log)
            case .adServer:
                guard self.reported.insert(macro.text).inserted else { return }
                return log.add(.macroServing, url.place, "\(macro.text.excerpt(70)) is in \(url.name)")
            case .player, .unknown: break
            }
            let uppercased = name.asciiUppercased
            let suggestion =
                LintMacros.mistakes[uppercased] ?? (LintMacros.release(of: uppercased) != nil ? uppercased : nil)
                ?? log.suggestion(for: uppercased, as: .macro, among: LintMacros.names)
            if let suggestion {
                log.add(.macroMisspelt, url.place, "[\(name.excerpt())] in \(url.name) must be [\(suggestion)]")
            } else {
                log.add(.macroUnknown, url.place, "VAST has no macro [\(name.excerpt())]; it is in \(url.name)")
            }
            return
        }
        if self.isMisplaced(name, in: url) {
            log.add(.macroMisplaced, url.place, "[\(name)] is in \(url.name)")
        }
        guard let declared = url.element.release, self.reported.insert(name).inserted else { return }
        if release > declared {
            log.add(
                .macroNotYet,
                url.place,
                "[\(name)] was added in \(release.text), the document declares \(declared.text)"
            )
        } else if name == "CONTENTPLAYHEAD", declared >= .v41 {
            log.add(.macroOld, url.place, "[\(name)] is in a document that declares \(declared.text)")
        }
    }

    private func isMisplaced(_ name: String, in url: URLElement) -> Bool {
        switch name {
        case "ERRORCODE": url.use.isTracker && url.use != .error && url.use != .tracking(event: "error")
        case "REASON": url.use.isTracker && url.use != .tracking(event: "verificationNotExecuted")
        case "CLICKPOS": url.use.isTracker && url.use != .clickTracking
        default: false
        }
    }
}

extension String {
    /// The text with ASCII letters made capitals.
    fileprivate var asciiUppercased: String {
        String(decoding: self.utf8.map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 }, as: UTF8.self)
    }
}
