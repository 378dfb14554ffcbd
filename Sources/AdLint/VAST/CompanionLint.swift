import AdCore
import AdHTML
import AdMarkup

/// Checks companions, icons and overlays (VAST 4.3 §3.11 to §3.13).
enum CompanionLint {
    static func companions(_ group: LintElement, isWrapped: Bool, _ log: inout LintLog) {
        if let required = group.attribute("required")?.trimmed, !["all", "any", "none"].contains(required) {
            log.add(.companionRequiredWrong, group.place(of: "required"), "required is \(required.quoted)")
        }
        for companion in group.children("Companion") {
            self.size(of: companion, .companionSizeMissing, &log)
            let zeros = ["width", "height"].filter { Double(companion.attribute($0)?.trimmed ?? "") == 0 }
            if let side = zeros.first {
                log.add(
                    .companionSizeZero,
                    companion.place(of: side),
                    "\(zeros.joined(separator: " and ")) of <Companion> is 0"
                )
            }
            if self.isWithoutResource(companion) {
                // A wrapper's companion may only track the companion of the inline ad.
                if !isWrapped { log.add(.companionEmpty, companion.place) }
            } else if self.isImage(companion), companion.child("CompanionClickThrough") == nil {
                log.add(.companionClickthroughMissing, companion.place)
            }
            if let mode = companion.attribute("renderingMode")?.trimmed,
                !["default", "end-card", "concurrent"].contains(mode)
            {
                log.add(
                    .companionRenderingWrong,
                    companion.place(of: "renderingMode"),
                    "renderingMode is \(mode.quoted)"
                )
            }
            self.resources(of: companion, &log)
        }
    }

    static func overlays(_ group: LintElement, isWrapped: Bool, _ log: inout LintLog) {
        let overlays = group.children("NonLinear")
        if overlays.isEmpty, !isWrapped { log.add(.nonlinearNone, group.place) }
        for overlay in overlays {
            if !isWrapped { self.size(of: overlay, .nonlinearSizeMissing, &log) }
            if self.isWithoutResource(overlay) {
                if !isWrapped { log.add(.nonlinearEmpty, overlay.place) }
            } else if self.isImage(overlay), overlay.child("NonLinearClickThrough") == nil {
                log.add(.nonlinearClickthroughMissing, overlay.place)
            }
            if let text = overlay.attribute("minSuggestedDuration")?.trimmed {
                if case .valid = LintTime.duration(text) {
                } else {
                    log.add(
                        .nonlinearDurationWrong,
                        overlay.place(of: "minSuggestedDuration"),
                        "minSuggestedDuration is \(text.quoted)"
                    )
                }
            }
            if let framework = overlay.attribute("apiFramework")?.trimmed.asciiLowercased, framework.hasPrefix("vpaid")
            {
                log.add(
                    .vpaidUsed,
                    overlay.place(of: "apiFramework"),
                    "<NonLinear> has apiFramework=\"\(framework.excerpt())\""
                )
            }
            self.resources(of: overlay, &log)
        }
    }

    static func icons(_ group: LintElement, _ log: inout LintLog) {
        for icon in group.children("Icon") {
            if (icon.attribute("program") ?? "").trimmed.isEmpty {
                log.add(.iconProgramMissing, icon.place)
            }
            self.size(of: icon, .iconSizeMissing, &log)
            for (name, words) in [("xPosition", ["left", "right"]), ("yPosition", ["top", "bottom"])] {
                guard let value = icon.attribute(name)?.trimmed, !words.contains(value), Int(value) == nil else {
                    continue
                }
                log.add(.iconPositionWrong, icon.place(of: name), "\(name) is \(value.quoted)")
            }
            for name in ["duration", "offset"] {
                guard let value = icon.attribute(name)?.trimmed else { continue }
                switch LintTime.offset(value) {
                case .valid(.time): break
                case .repaired(.time, _):
                    log.add(.offsetForm, icon.place(of: name), "\(name) of <Icon> is \(value.quoted)")
                case .valid(.percent), .repaired(.percent, _), .invalid:
                    log.add(.offsetWrong, icon.place(of: name), "\(name) of <Icon> is \(value.quoted)")
                }
            }
            if self.isWithoutResource(icon) {
                log.add(.iconEmpty, icon.place)
            } else if icon.child("IconClicks")?.child("IconClickThrough") == nil {
                log.add(.iconClickthroughMissing, icon.place)
            }
            self.resources(of: icon, &log)
        }
    }

    // MARK: All three

    private static func isWithoutResource(_ element: LintElement) -> Bool {
        element.children("StaticResource", "IFrameResource", "HTMLResource").isEmpty
    }

    /// Whether all resources are images; HTML may have links of its own.
    private static func isImage(_ element: LintElement) -> Bool {
        let resources = element.children("StaticResource", "IFrameResource", "HTMLResource")
        return resources.allSatisfy {
            $0.name == "StaticResource" && MediaType.plain($0.attribute("creativeType") ?? "").hasPrefix("image/")
        }
    }

    private static func size(of element: LintElement, _ rule: LintRule, _ log: inout LintLog) {
        let missing = ["width", "height"].filter { (element.attribute($0) ?? "").trimmed.isEmpty }
        if !missing.isEmpty {
            log.add(rule, element.place, "<\(element.name)> has no \(missing.joined(separator: " and no "))")
        }
    }

    private static func resources(of element: LintElement, _ log: inout LintLog) {
        for resource in element.children("StaticResource") {
            guard let written = resource.attribute("creativeType")?.trimmed, !written.isEmpty else {
                log.add(.resourceTypeMissing, resource.place)
                continue
            }
            let type = MediaType.plain(written)
            if LintType.flash.contains(type) {
                log.add(.resourceFlash, resource.place(of: "creativeType"), "creativeType is \(written.quoted)")
            } else if !LintType.isMIME(type) {
                log.add(.resourceTypeWrong, resource.place(of: "creativeType"), "creativeType is \(written.quoted)")
            }
        }
        for resource in element.children("HTMLResource") {
            if let inner = resource.children.first {
                log.add(
                    .resourceMarkupRaw,
                    inner.place,
                    "<\(inner.written.excerpt())> is an element of <HTMLResource>"
                )
            } else if resource.attribute("xmlEncoded")?.trimmed != "true", !resource.text.isEmpty {
                HTMLLint.resource(resource.text, at: resource.textPlace, &log)
            }
        }
    }
}
