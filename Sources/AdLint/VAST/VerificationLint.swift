import AdCore
import AdHTML
import AdMarkup

/// Checks VPAID files and verification scripts (VAST 4.3 §1.8, §3.16, §3.17).
enum VerificationLint {
    /// Checks a file that needs a player with VPAID.
    static func vpaid(_ file: LintElement, _ type: String, _ log: inout LintLog) {
        log.add(
            .vpaidUsed,
            file.place(of: "apiFramework"),
            "<\(file.name)> has apiFramework=\"\(file.attribute("apiFramework")?.excerpt() ?? "")\""
        )
        if !type.isEmpty, !LintType.script.contains(type), !LintType.flash.contains(type) {
            log.add(.vpaidTypeWrong, file.place(of: "type"), "the type of the VPAID file is \(type.quoted)")
        }
    }

    static func check(_ body: LintElement, _ log: inout LintLog) {
        var seen: [String: Int] = [:]
        for verification in body.descendants("Verification")
        where !verification.isForeign || verification.parent?.name == "AdVerifications" {
            let script = self.script(of: verification, &log)
            guard let script, !script.isEmpty else { continue }
            let key = script + "\n" + (verification.child("VerificationParameters")?.text ?? "")
            if let line = seen[key] {
                log.add(
                    .verificationTwice,
                    verification.place,
                    "line \(line) already runs \(script.quotedURL)"
                )
            } else {
                seen[key] = verification.line
            }
            if verification.isForeign, let release = body.release, release >= .v41 {
                log.add(
                    .verificationInExtension,
                    verification.place,
                    "<Verification> is in an <Extension>, the document declares \(release.text)"
                )
            }
        }
    }

    /// Checks one verification, and returns the URL of its script.
    private static func script(of verification: LintElement, _ log: inout LintLog) -> String? {
        if (verification.attribute("vendor") ?? "").trimmed.isEmpty {
            log.add(.verificationVendorMissing, verification.place)
        }
        let resources = verification.children("JavaScriptResource", "ExecutableResource", "FlashResource")
        if resources.isEmpty {
            log.add(.verificationEmpty, verification.place)
        }
        for flash in resources where flash.name == "FlashResource" {
            log.add(.resourceFlash, flash.place, "<FlashResource> is in <Verification>")
        }
        for script in resources where script.name == "JavaScriptResource" {
            let framework = (script.attribute("apiFramework") ?? "").trimmed
            if framework.isEmpty {
                log.add(.verificationApiMissing, script.place, "<JavaScriptResource> has no apiFramework")
            } else if framework.asciiLowercased != "omid" {
                log.add(
                    .verificationApiUnknown,
                    script.place(of: "apiFramework"),
                    "apiFramework is \(framework.quoted)"
                )
            }
            if script.attribute("browserOptional") == nil, let release = script.release, release >= .v41 {
                log.add(.verificationBrowserMissing, script.place, "<JavaScriptResource> has no browserOptional")
            }
        }
        if let release = verification.release, release >= .v41 {
            let events = verification.children("TrackingEvents").flatMap { $0.children("Tracking") }
            if !events.contains(where: { $0.attribute("event") == "verificationNotExecuted" }) {
                log.add(
                    .verificationFailureUntracked,
                    verification.place,
                    "<Verification> does not track verificationNotExecuted"
                )
            }
        }
        return resources.first { $0.name == "JavaScriptResource" }?.text
    }
}
