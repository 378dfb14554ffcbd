import AdCore

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
            log.add(.errorcodeMissing, place.line, "\(text.quotedAddress) has no [ERRORCODE]")
        }
        for macro in macros {
            if place.use == .media, macro.style != .foreign, macro.style != .percent {
                log.add(.macroInMedia, place.line, "\(macro.text.excerpt(70)) stands in \(place.name)")
                continue
            }
            switch macro.style {
            case .foreign: self.unresolved(macro, in: place, &log)
            case .percent:
                if LintMacros.release(of: macro.name) == nil {
                    self.unresolved(macro, in: place, &log)
                } else {
                    log.add(.macroForm, place.line, "\(macro.text.excerpt(70)) stands in \(place.name)")
                }
            case .spaced:
                let meant = LintMacros.mistakes[macro.name] ?? macro.name
                log.add(
                    .macroMisspelt,
                    place.line,
                    "\(macro.text.excerpt(70)) in \(place.name) must be [\(meant)], without blanks"
                )
            case .unclosed:
                log.add(.macroUnclosed, place.line, "\(macro.text.excerpt(70)) in \(place.name) has no ] behind it")
            case .escaped: self.escaped(macro, in: place, &log)
            case .brackets: self.check(macro, in: place, &log)
            }
        }
    }

    private func unresolved(_ macro: LintMacros.Macro, in place: VASTPlace, _ log: inout LintLog) {
        let known = LintMacros.release(of: macro.name) == nil ? LintMacros.mistakes[macro.name] : macro.name
        let hint = known.map { "; VAST has [\($0)] for it" } ?? ""
        log.add(.macroUnresolved, place.line, "\(macro.text.excerpt(70)) stands in \(place.name)\(hint)")
    }

    private func escaped(_ macro: LintMacros.Macro, in place: VASTPlace, _ log: inout LintLog) {
        let name = macro.name
        if LintMacros.release(of: name) != nil || LintMacros.mistakes[name] != nil {
            return log.add(.macroEscaped, place.line, "\(macro.text.excerpt(70)) stands in \(place.name)")
        }
        // `list%5Bname%5D=` is a field of a form, and in an address within the address it is the next server's.
        let isValue = place.text.firstRange(of: "=" + macro.text) != nil
        guard isValue, name.utf8.count > 2, name == name.asciiUppercased else { return }
        log.add(.macroUnknown, place.line, "VAST knows no \(macro.text.excerpt(70)); it stands in \(place.name)")
    }

    private mutating func check(_ macro: LintMacros.Macro, in place: VASTPlace, _ log: inout LintLog) {
        let name = macro.name
        guard let release = LintMacros.release(of: name) else {
            // The specification of VMAP writes it so.
            if name == "ERROR_CODE", place.element.outer("AdBreak") != nil { return }
            let loud = name.asciiUppercased
            let meant =
                LintMacros.mistakes[loud] ?? (LintMacros.release(of: loud) != nil ? loud : nil)
                ?? log.meant(by: loud, among: LintMacros.names)
            if let meant {
                log.add(.macroMisspelt, place.line, "[\(name.excerpt())] in \(place.name) must be [\(meant)]")
            } else {
                log.add(.macroUnknown, place.line, "VAST knows no [\(name.excerpt())]; it stands in \(place.name)")
            }
            return
        }
        if self.isMisplaced(name, in: place) {
            log.add(.macroMisplaced, place.line, "[\(name)] stands in \(place.name)")
        }
        guard let declared = place.element.release, self.told.insert(name).inserted else { return }
        if release > declared {
            log.add(
                .macroNotYet,
                place.line,
                "[\(name)] came with \(release.text), and the document says \(declared.text)"
            )
        } else if name == "CONTENTPLAYHEAD", declared >= .v41 {
            log.add(.macroOld, place.line, "[\(name)] stands in a document of \(declared.text)")
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
