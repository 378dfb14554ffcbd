import AdCore
import AdHTML
import AdMarkup

/// Checks a VMAP schedule of ad breaks (VMAP 1.0.1).
enum VMAPLint {
    private static let namespace = "www.iab.net/videosuite/vmap"

    static func check(_ root: LintElement, _ log: inout LintLog) {
        if (root.attribute("version") ?? "").trimmed.isEmpty {
            log.add(.vmapVersionMissing, root.place)
        }
        if !(root.namespace ?? "").asciiLowercased.contains("iab.net/") {
            log.add(
                .vmapNamespaceMissing,
                root.place,
                "the namespace is \((root.namespace ?? "").quoted) instead of http://\(self.namespace)"
            )
        }
        let breaks = root.children("AdBreak")
        if breaks.isEmpty { log.add(.vmapEmpty, root.place) }
        var ids: [String: (line: Int, offset: String)] = [:]
        for adBreak in breaks {
            self.schedule(adBreak, &log)
            guard let id = adBreak.attribute("breakId")?.trimmed, !id.isEmpty else { continue }
            let offset = adBreak.attribute("timeOffset")?.trimmed ?? ""
            if let other = ids[id], other.offset != offset {
                // Some servers write a pod as several breaks with the same offset.
                log.add(
                    .vmapBreakidTwice,
                    adBreak.place(of: "breakId"),
                    "the break on line \(other.line) is also \(id.quoted)"
                )
            } else {
                ids[id] = (adBreak.line, offset)
            }
        }
    }

    private static func schedule(_ adBreak: LintElement, _ log: inout LintLog) {
        if let offset = adBreak.attribute("timeOffset")?.trimmed, !offset.isEmpty {
            if !self.isOffset(offset) {
                log.add(.vmapOffsetWrong, adBreak.place(of: "timeOffset"), "timeOffset is \(offset.quoted)")
            }
        } else {
            log.add(.vmapOffsetMissing, adBreak.place)
        }
        if let types = adBreak.attribute("breakType")?.trimmed, !types.isEmpty {
            let known = ["linear", "nonlinear", "display"]
            if !types.split(separator: ",", omittingEmptySubsequences: false).allSatisfy({ known.contains($0.trimmed) })
            {
                log.add(.vmapBreaktypeWrong, adBreak.place(of: "breakType"), "breakType is \(types.quoted)")
            }
        } else {
            log.add(.vmapBreaktypeMissing, adBreak.place)
        }
        if let interval = adBreak.attribute("repeatAfter")?.trimmed {
            if case .valid = LintTime.duration(interval) {
            } else {
                log.add(.vmapRepeatWrong, adBreak.place(of: "repeatAfter"), "repeatAfter is \(interval.quoted)")
            }
        }
        if let source = adBreak.child("AdSource") {
            self.source(source, &log)
        } else {
            log.add(.vmapSourceMissing, adBreak.place)
        }
        for tracking in adBreak.children("TrackingEvents").flatMap({ $0.children("Tracking") }) {
            let event = tracking.attribute("event")?.trimmed ?? ""
            if !["breakStart", "breakEnd", "error"].contains(event) {
                log.add(.vmapEventWrong, tracking.place(of: "event"), "the event is \(event.quoted)")
            }
        }
    }

    private static func source(_ source: LintElement, _ log: inout LintLog) {
        let contents = source.children("VASTAdData", "VASTData", "AdTagURI", "CustomAdData")
        if contents.isEmpty { log.add(.vmapSourceEmpty, source.place) }
        if contents.count > 1 {
            log.add(
                .vmapSourceSeveral,
                contents[1].place,
                "<AdSource> has <\(contents[0].name)> and <\(contents[1].name)>"
            )
        }
        for content in contents {
            if content.name == "VASTData" { log.add(.vmapElementOld, content.place) }
            guard content.name == "AdTagURI" || content.name == "CustomAdData" else { continue }
            guard let template = content.attribute("templateType")?.trimmed, !template.isEmpty else {
                log.add(.vmapTemplateMissing, content.place, "<\(content.name)> has no templateType")
                continue
            }
            if !["vast", "vast1", "vast2", "vast3", "vast4", "proprietary"].contains(template.asciiLowercased) {
                log.add(.vmapTemplateWrong, content.place(of: "templateType"), "templateType is \(template.quoted)")
            }
        }
    }

    /// Whether a text is a valid `timeOffset`: `start`, `end`, `00:10:00`, `50%` or `#2` (VMAP 1.0.1).
    private static func isOffset(_ text: String) -> Bool {
        if text == "start" || text == "end" { return true }
        if text.hasPrefix("#") { return (Int(text.dropFirst()) ?? 0) > 0 }
        return if case .valid = LintTime.offset(text) { true } else { false }
    }
}
