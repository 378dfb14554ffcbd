import AdCore
import AdHTML
import AdMarkup

/// Checks a `<Creative>`, and above all linear ads (VAST 4.3 §3.7, §3.8).
enum CreativeLint {
    static func check(_ creative: LintElement, in body: LintElement, _ log: inout LintLog) {
        let kinds = creative.children("Linear", "NonLinearAds", "CompanionAds")
        if kinds.isEmpty, creative.children.allSatisfy({ $0.name != "InteractiveCreativeFile" }) {
            log.add(
                .creativeEmpty,
                creative.place,
                "<Creative> has neither <Linear> nor <NonLinearAds> nor <CompanionAds>"
            )
        }
        if Set(kinds.map(\.name)).count > 1 {
            log.add(.creativeTwoKinds, kinds[1].place, "<Creative> has <\(kinds[0].name)> and <\(kinds[1].name)>")
        }
        self.ids(creative, &log)
        for kind in kinds {
            switch kind.name {
            case "Linear": self.linear(kind, isWrapped: body.name == "Wrapper", &log)
            case "NonLinearAds": CompanionLint.overlays(kind, isWrapped: body.name == "Wrapper", &log)
            default: CompanionLint.companions(kind, isWrapped: body.name == "Wrapper", &log)
            }
        }
    }

    private static func ids(_ creative: LintElement, _ log: inout LintLog) {
        let ids = creative.children("UniversalAdId")
        if ids.isEmpty, !creative.isWrapped, creative.child("Linear") != nil, let release = creative.release,
            release >= .v40
        {
            log.add(.universaladidMissing, creative.place, "<Creative> of \(release.text) has no <UniversalAdId>")
        }
        for id in ids {
            if (id.attribute("idRegistry") ?? "").trimmed.isEmpty {
                log.add(.universaladidRegistryMissing, id.place)
            }
            if id.text.isEmpty, (id.attribute("idValue") ?? "").trimmed.isEmpty {
                log.add(.universaladidEmpty, id.place)
            }
        }
    }

    // MARK: Linear ads

    private static func linear(_ linear: LintElement, isWrapped: Bool, _ log: inout LintLog) {
        let files = linear.children("MediaFiles").flatMap { $0.children("MediaFile") }
        let interactive = linear.descendants("InteractiveCreativeFile")
        let isInteractive =
            !interactive.isEmpty
            || files.contains(where: MediaLint.needsInterface)
        let length = isWrapped ? nil : self.duration(of: linear, isInteractive: isInteractive, &log)
        self.skip(linear, length, &log)
        self.offsets(linear, length, &log)
        MediaLint.check(linear, files, &log)
        for icons in linear.children("Icons") { CompanionLint.icons(icons, &log) }
        guard !isWrapped else { return }
        self.clicks(linear, isInteractive: isInteractive, &log)
        if let parameters = linear.child("AdParameters"), !parameters.isEmpty, !isInteractive {
            log.add(.adparametersIdle, parameters.place, "<AdParameters> is next to plain media files")
        }
        self.quartiles(linear, &log)
    }

    private static func duration(of linear: LintElement, isInteractive: Bool, _ log: inout LintLog) -> Duration? {
        guard let element = linear.child("Duration") else {
            log.add(.durationMissing, linear.place, "<Linear> has no <Duration>")
            return nil
        }
        let text = element.text
        if LintTime.isMilliseconds(text) {
            log.add(.durationMilliseconds, element.textPlace, "<Duration> is \(text.quoted)")
            return nil
        }
        if let seconds = LintTime.millisecondsInSeconds(text) {
            log.add(.durationMilliseconds, element.textPlace, "<Duration> is \(text.quoted); did you mean \(seconds)?")
            return nil
        }
        let length: Duration
        switch LintTime.duration(text) {
        case .valid(let time): length = time
        case .repaired(let time, let why):
            log.add(.durationForm, element.textPlace, "<Duration> is \(text.quoted): \(why)")
            length = time
        case .invalid(let why):
            log.add(.durationWrong, element.textPlace, "<Duration> is \(text.quoted): \(why)")
            return nil
        }
        if length == .zero {
            // The length of an interactive creative may be unknown.
            if !isInteractive { log.add(.durationZero, element.textPlace, "<Duration> is \(text.quoted)") }
            return nil
        }
        if length > .seconds(600) { log.add(.durationLong, element.textPlace, "<Duration> is \(text.quoted)") }
        return length
    }

    private static func skip(_ linear: LintElement, _ length: Duration?, _ log: inout LintLog) {
        guard let written = linear.attribute("skipoffset")?.trimmed else { return }
        var line: SourcePlace { linear.place(of: "skipoffset") }
        if LintTime.isMilliseconds(written) {
            return log.add(.skipoffsetMilliseconds, line, "skipoffset is \(written.quoted)")
        }
        let offset = LintTime.offset(written)
        switch offset {
        case .invalid: log.add(.skipoffsetWrong, line, "skipoffset is \(written.quoted)")
        case .valid(.percent(let share)), .repaired(.percent(let share), _):
            if share >= 100 { log.add(.skipoffsetLate, line, "skipoffset is \(written.quoted)") }
        case .valid(.time(let time)), .repaired(.time(let time), _):
            if case .repaired = offset { log.add(.skipoffsetForm, line, "skipoffset is \(written.quoted)") }
            if let length, time >= length {
                log.add(.skipoffsetLate, line, "skipoffset is \(written.quoted), but the video ends at \(length)")
            }
        }
    }

    private static func offsets(_ linear: LintElement, _ length: Duration?, _ log: inout LintLog) {
        for tracking in linear.children("TrackingEvents").flatMap({ $0.children("Tracking") }) {
            let isProgress = tracking.attribute("event")?.trimmed == "progress"
            guard let written = tracking.attribute("offset")?.trimmed else {
                if isProgress {
                    log.add(.progressOffsetMissing, tracking.place)
                }
                continue
            }
            var line: SourcePlace { tracking.place(of: "offset") }
            guard isProgress else {
                let event = (tracking.attribute("event") ?? "").excerpt()
                log.add(.offsetIdle, line, "<Tracking event=\"\(event)\"> has the offset \(written.quoted)")
                continue
            }
            let offset = LintTime.offset(written)
            switch offset {
            case .invalid: log.add(.offsetWrong, line, "offset is \(written.quoted)")
            case .valid(.percent), .repaired(.percent, _): break
            case .valid(.time(let time)), .repaired(.time(let time), _):
                if case .repaired = offset { log.add(.offsetForm, line, "offset is \(written.quoted)") }
                if let length, time > length {
                    log.add(.offsetLate, line, "offset is \(written.quoted), but the video ends at \(length)")
                }
            }
        }
    }

    private static func clicks(_ linear: LintElement, isInteractive: Bool, _ log: inout LintLog) {
        let clicks = linear.child("VideoClicks")
        if clicks?.child("ClickThrough") != nil { return }
        if let tracking = clicks?.child("ClickTracking"), !isInteractive {
            log.add(.clicktrackingIdle, tracking.place, "<VideoClicks> has no <ClickThrough>")
        } else if !isInteractive {
            log.add(.clickthroughMissing, linear.place)
        }
    }

    private static let quartileNames = ["start", "firstQuartile", "midpoint", "thirdQuartile", "complete"]

    private static func quartiles(_ linear: LintElement, _ log: inout LintLog) {
        var missing = self.quartileNames
        for tracking in linear.children("TrackingEvents").flatMap({ $0.children("Tracking") }) {
            let event = tracking.attribute("event")?.trimmed
            missing.removeAll { $0 == event }
        }
        guard !missing.isEmpty, missing.count < self.quartileNames.count, let place = linear.child("TrackingEvents")
        else { return }
        log.add(.quartilesIncomplete, place.place, "no tracker for \(missing.joined(separator: ", "))")
    }
}
