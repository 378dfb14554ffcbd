import AdCore
import AdHTML
import AdMarkup

/// Checks a VAST document: its version (VAST 4.3 §3.2), its pods (§3.3.1), and each of its ads.
enum VASTLint {
    static func check(_ root: LintElement, from source: HTTPURL?, _ log: inout LintLog) {
        self.version(root, &log)
        let ads = root.children("Ad")
        if ads.isEmpty, root.children("Error").isEmpty, !SchemaLint.startsWithTag(root.text) {
            log.add(.adNone, root.place, "<VAST> has neither <Ad> nor <Error>")
        }
        if !ads.isEmpty, let error = root.child("Error") {
            log.add(.errorBesideAd, error.place)
        }
        self.ids(ads, &log)
        self.sequences(ads, &log)
        for ad in ads { AdElementLint.check(ad, from: source, &log) }
    }

    private static func version(_ root: LintElement, _ log: inout LintLog) {
        guard let written = root.attribute("version") else {
            return log.add(.versionMissing, root.place)
        }
        let version = written.trimmed
        if version.hasPrefix("1") {
            log.add(.versionOne, root.place(of: "version"), "the version is \(version.quoted)")
        } else if VASTRelease(version: version) == nil {
            log.add(.versionUnknown, root.place(of: "version"), "the version is \(version.quoted)")
        }
    }

    private static func ids(_ ads: [LintElement], _ log: inout LintLog) {
        var seen: [String: Int] = [:]
        for ad in ads {
            guard let id = ad.attribute("id")?.trimmed, !id.isEmpty else {
                if let release = ad.release, release < .v40 { log.add(.adIdMissing, ad.place) }
                continue
            }
            if let line = seen[id] {
                log.add(.adIdTwice, ad.place(of: "id"), "the ad on line \(line) also has the id \(id.quoted)")
            } else {
                seen[id] = ad.line
            }
        }
    }

    private static func sequences(_ ads: [LintElement], _ log: inout LintLog) {
        var places: [Int: SourcePlace] = [:]
        for ad in ads {
            guard let written = ad.attribute("sequence")?.trimmed else { continue }
            var line: SourcePlace { ad.place(of: "sequence") }
            guard let number = Int(written), number > 0 else {
                log.add(.adSequenceWrong, line, "sequence is \(written.quoted)")
                continue
            }
            if let other = places[number] {
                log.add(.adSequenceTwice, line, "the ad on line \(other.line) also has sequence \(number)")
            } else {
                places[number] = ad.place
            }
        }
        if ads.count == 1, let ad = ads.first, places.count == 1 {
            log.add(
                ad.child("Wrapper") == nil ? .adSequenceLone : .adSequenceLoneWrapper,
                ad.place(of: "sequence"),
                "the only ad has sequence=\"\(ad.attribute("sequence")?.excerpt() ?? "")\""
            )
            return
        }
        let numbers = places.keys.sorted()
        for (index, number) in numbers.enumerated() where number != index + 1 {
            log.add(.adSequenceGap, places[number], "sequence is \(number) instead of \(index + 1)")
            return
        }
    }
}
