import AdCore
import AdHTML
import AdMarkup

/// Looks at the macros in addresses.
struct MacroLint {
    /// What was said of a macro once need not be said of each address.
    private var told: Set<String> = []

    mutating func check(_ place: VASTPlace, _ log: inout LintLog) {
        let text = place.text
        let macros = LintMacros.macros(in: text)
        if place.use == .error, !text.isEmpty,
            !macros.contains(where: { ["ERRORCODE", "ERROR_CODE"].contains($0.name.asciiUppercased) })
        {
            log.add(.errorcodeMissing, place.place, "\(text.quotedAddress) has no [ERRORCODE]")
        }
        self.others(in: place, besides: macros, &log)
        for macro in macros {
            if place.use == .media, macro.style != .foreign, macro.style != .percent {
                log.add(.macroInMedia, place.place, "\(macro.text.excerpt(70)) stands in \(place.name)")
                continue
            }
            switch macro.style {
            case .foreign: self.unresolved(macro, in: place, &log)
            case .percent:
                if LintMacros.release(of: macro.name) == nil {
                    self.unresolved(macro, in: place, &log)
                } else {
                    log.add(.macroForm, place.place, "\(macro.text.excerpt(70)) stands in \(place.name)")
                }
            case .spaced:
                let meant = LintMacros.mistakes[macro.name] ?? macro.name
                log.add(
                    .macroMisspelt,
                    place.place,
                    "\(macro.text.excerpt(70)) in \(place.name) must be [\(meant)], without blanks"
                )
            case .unclosed:
                log.add(.macroUnclosed, place.place, "\(macro.text.excerpt(70)) in \(place.name) has no ] behind it")
            case .escaped: self.escaped(macro, in: place, &log)
            case .brackets: self.check(macro, in: place, &log)
            }
        }
    }

    /// Reports a macro that no player replaces: one of an ad server, of a vendor, or of no known system.
    private mutating func unresolved(_ macro: LintMacros.Macro, in place: VASTPlace, _ log: inout LintLog) {
        switch AdMacroSpelling.all(in: macro.text, limit: 1).first?.kind {
        case .adServer:
            guard self.told.insert(macro.text).inserted else { return }
            return log.add(.macroServing, place.place, "\(macro.text.excerpt(70)) stands in \(place.name)")
        case .vendor(let vendor): return self.vendor(vendor, macro.text, in: place, &log)
        case .player, .unknown, nil: break
        }
        let known = LintMacros.release(of: macro.name) == nil ? LintMacros.mistakes[macro.name] : macro.name
        let hint = known.map { "; VAST has [\($0)] for it" } ?? ""
        log.add(.macroUnresolved, place.place, "\(macro.text.excerpt(70)) stands in \(place.name)\(hint)")
    }

    /// The forms that only ad servers and people write: `##NAME##`, `%n`, `INSERT_CLICK_HERE`.
    private mutating func others(in place: VASTPlace, besides macros: [LintMacros.Macro], _ log: inout LintLog) {
        let text = place.text
        for macro in AdMacroSpelling.all(in: text) {
            let written = macro.text(in: text)
            guard !macros.contains(where: { $0.text == written || $0.text.firstRange(of: macro.name) != nil }) else {
                continue
            }
            switch (macro.style, macro.kind) {
            case (.hashes, _), (.ats, _), (.note, _), (.braces, _), (.doubleBraces, _), (.dollars, _),
                (.underscores, _):
                guard macro.kind == .unknown else { continue }
                log.add(.macroUnresolved, place.place, "\(written.excerpt(70)) stands in \(place.name)")
            case (.letter, _):
                guard self.told.insert(written).inserted else { continue }
                log.add(.macroServing, place.place, "\(written.excerpt(70)) stands in \(place.name)")
            case (.brackets, _), (.percent, _), (.dollar, _): continue
            }
        }
    }

    /// A vendor's macro is reported once per document.
    private mutating func vendor(_ vendor: String, _ text: String, in place: VASTPlace, _ log: inout LintLog) {
        guard self.told.insert(text).inserted else { return }
        log.add(.macroVendor, place.place, "\(text.excerpt(70)) is a macro of \(vendor)")
    }

    private func escaped(_ macro: LintMacros.Macro, in place: VASTPlace, _ log: inout LintLog) {
        let name = macro.name
        if LintMacros.release(of: name) != nil || LintMacros.mistakes[name] != nil {
            return log.add(.macroEscaped, place.place, "\(macro.text.excerpt(70)) stands in \(place.name)")
        }
        // `list%5Bname%5D=` is a field of a form, and in an address within the address it is the next server's.
        let isValue = place.text.firstRange(of: "=" + macro.text) != nil
        guard isValue, name.utf8.count > 2, name == name.asciiUppercased else { return }
        log.add(.macroUnknown, place.place, "VAST knows no \(macro.text.excerpt(70)); it stands in \(place.name)")
    }

    private mutating func check(_ macro: LintMacros.Macro, in place: VASTPlace, _ log: inout LintLog) {
        let name = macro.name
        guard let release = LintMacros.release(of: name) else {
            // The specification of VMAP writes it so.
            if name == "ERROR_CODE", place.element.outer("AdBreak") != nil { return }
            switch AdMacroVocabulary.kind(name, .brackets) {
            case .vendor(let vendor): return self.vendor(vendor, macro.text, in: place, &log)
            case .adServer:
                guard self.told.insert(macro.text).inserted else { return }
                return log.add(.macroServing, place.place, "\(macro.text.excerpt(70)) stands in \(place.name)")
            case .player, .unknown: break
            }
            let loud = name.asciiUppercased
            let meant =
                LintMacros.mistakes[loud] ?? (LintMacros.release(of: loud) != nil ? loud : nil)
                ?? log.meant(by: loud, as: .macro, among: LintMacros.names)
            if let meant {
                log.add(.macroMisspelt, place.place, "[\(name.excerpt())] in \(place.name) must be [\(meant)]")
            } else {
                log.add(.macroUnknown, place.place, "VAST knows no [\(name.excerpt())]; it stands in \(place.name)")
            }
            return
        }
        if self.isMisplaced(name, in: place) {
            log.add(.macroMisplaced, place.place, "[\(name)] stands in \(place.name)")
        }
        guard let declared = place.element.release, self.told.insert(name).inserted else { return }
        if release > declared {
            log.add(
                .macroNotYet,
                place.place,
                "[\(name)] came with \(release.text), and the document says \(declared.text)"
            )
        } else if name == "CONTENTPLAYHEAD", declared >= .v41 {
            log.add(.macroOld, place.place, "[\(name)] stands in a document of \(declared.text)")
        }
    }

    private func isMisplaced(_ name: String, in place: VASTPlace) -> Bool {
        switch name {
        case "ERRORCODE": place.use.isTracker && place.use != .error && place.use != .tracking(event: "error")
        case "REASON": place.use.isTracker && place.use != .tracking(event: "verificationNotExecuted")
        case "CLICKPOS": place.use.isTracker && place.use != .clickTracking
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
