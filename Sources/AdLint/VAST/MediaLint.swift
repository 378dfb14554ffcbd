import AdCore
import AdHTML
import AdMarkup

/// Checks the media files of a linear ad (VAST 4.3 §3.9).
enum MediaLint {
    static func check(_ linear: LintElement, _ files: [LintElement], _ log: inout LintLog) {
        var seen: [String: Int] = [:]
        for file in files {
            self.check(file, &log)
            let address = file.text
            if address.isEmpty { continue }
            if let line = seen[address] {
                log.add(.mediaTwice, file.place, "\(address.quotedURL) is already listed on line \(line)")
            } else {
                seen[address] = file.line
            }
        }
        self.bitrates(files, &log)
        if !linear.isWrapped { self.phonePlayback(linear, files, &log) }
        // Before VAST 4.1 a mezzanine had no attributes.
        let hasDetails = linear.release.map { $0 >= .v41 } ?? true
        for mezzanine in hasDetails ? linear.children("MediaFiles").flatMap({ $0.children("Mezzanine") }) : [] {
            let missing = ["delivery", "type", "width", "height"].filter {
                (mezzanine.attribute($0) ?? "").trimmed.isEmpty
            }
            if !missing.isEmpty {
                log.add(
                    .mezzanineAttributesMissing,
                    mezzanine.place,
                    "<Mezzanine> has no \(missing.joined(separator: ", "))"
                )
            }
        }
        for file in linear.descendants("InteractiveCreativeFile") where !file.isForeign {
            self.interactive(file, hasMedia: linear.isWrapped || !files.isEmpty, &log)
        }
        for caption in linear.descendants("ClosedCaptionFile") where !caption.isForeign {
            if (caption.attribute("type") ?? "").trimmed.isEmpty {
                log.add(.captionTypeMissing, caption.place)
            }
            if (caption.attribute("language") ?? "").trimmed.isEmpty {
                log.add(.captionLanguageMissing, caption.place)
            }
        }
    }

    private static func interactive(_ file: LintElement, hasMedia: Bool, _ log: inout LintLog) {
        guard let framework = file.attribute("apiFramework")?.trimmed, !framework.isEmpty else {
            return log.add(.interactiveApiMissing, file.place)
        }
        let type = MediaType.plain(file.attribute("type") ?? "")
        switch framework.asciiLowercased {
        case "simid":
            if type != "text/html" {
                log.add(.simidTypeWrong, file.place, "the type of the SIMID creative is \(type.quoted)")
            }
            if !hasMedia {
                let isBesideMezzanine = file.parent?.child("Mezzanine") != nil
                let what = isBesideMezzanine ? "there is a <Mezzanine>, but no <MediaFile>" : "there is no <MediaFile>"
                log.add(.simidWithoutMedia, file.place, what)
            }
            if (file.attribute("variableDuration") ?? "").trimmed.isEmpty { log.add(.simidDurationFixed, file.place) }
        case let name where name.hasPrefix("vpaid") || name == "flashvpaid": VerificationLint.vpaid(file, type, &log)
        case "omid": self.measurement(file, &log)
        case let name where !self.frameworks.contains(name):
            log.add(.mediaApiUnknown, file.place(of: "apiFramework"), "apiFramework is \(framework.quoted)")
        default: break
        }
    }

    private static func measurement(_ file: LintElement, _ log: inout LintLog) {
        log.add(.mediaApiMeasures, file.place(of: "apiFramework"), "<\(file.name)> has apiFramework=\"OMID\"")
    }

    // MARK: Single files

    /// The known values of `apiFramework`, in lower case.
    static let frameworks: Set<String> = [
        "vpaid", "simid", "mraid", "mraid-1", "mraid-2", "mraid-3", "clicktag", "flashvpaid", "vpaid1.0",
        "vpaid2.0", "vpaid-1", "vpaid-2",
    ]

    private static func check(_ file: LintElement, _ log: inout LintLog) {
        let written = (file.attribute("type") ?? "").trimmed
        let type = MediaType.plain(written)
        if written.isEmpty {
            log.add(.mediaTypeMissing, file.place)
        } else if !LintType.isMIME(type) {
            log.add(.mediaTypeWrong, file.place(of: "type"), "type is \(written.quoted)")
        } else if LintType.flash.contains(type) {
            log.add(.mediaFlash, file.place(of: "type"), "type is \(written.quoted)")
        } else if let types = LintType.types(ofFile: file.text), !types.contains(type) {
            log.add(
                .mediaExtensionMismatch,
                file.place(of: "type"),
                "type is \(written.quoted), but the file is \(file.text.quotedURL)"
            )
        }
        self.delivery(file, type, &log)
        let framework = (file.attribute("apiFramework") ?? "").trimmed.asciiLowercased
        if LintType.script.contains(type), framework.isEmpty {
            log.add(.mediaApiMissing, file.place, "<MediaFile type=\"\(written.excerpt())\"> has no apiFramework")
        } else if framework == "omid" {
            self.measurement(file, &log)
        } else if !framework.isEmpty, !self.frameworks.contains(framework) {
            log.add(.mediaApiUnknown, file.place(of: "apiFramework"), "apiFramework is \(framework.quoted)")
        }
        if framework.hasPrefix("vpaid") {
            VerificationLint.vpaid(file, type, &log)
        }
        let isVideo = type.hasPrefix("video/") && framework.isEmpty
        for side in ["width", "height"] {
            let value = file.attribute(side)?.trimmed
            if value == nil || value == "" {
                if !type.hasPrefix("audio/") { log.add(.mediaSizeMissing, file.place, "<MediaFile> has no \(side)") }
            } else if isVideo, Int(value ?? "") == 0 {
                log.add(.mediaSizeZero, file.place(of: side), "\(side) is 0")
            }
        }
    }

    private static func delivery(_ file: LintElement, _ type: String, _ log: inout LintLog) {
        guard let delivery = file.attribute("delivery")?.trimmed, !delivery.isEmpty else {
            return log.add(.mediaDeliveryMissing, file.place)
        }
        if delivery != "progressive", delivery != "streaming" {
            log.add(.mediaDeliveryWrong, file.place(of: "delivery"), "delivery is \(delivery.quoted)")
        } else if delivery == "progressive", LintType.playlist.contains(type) {
            log.add(
                .mediaDeliveryMismatch,
                file.place(of: "delivery"),
                "a file of type \(type.quoted) is declared as progressive"
            )
        }
    }

    // MARK: All files of an ad

    /// Whether a file is a program that needs an API of the player, and not a video.
    static func needsInterface(_ file: LintElement) -> Bool {
        let framework = (file.attribute("apiFramework") ?? "").trimmed.asciiLowercased
        if LintType.script.contains(MediaType.plain(file.attribute("type") ?? "")) { return true }
        // Most files have none.
        return !framework.isEmpty && ["vpaid", "flashvpaid", "simid", "mraid"].contains { framework.hasPrefix($0) }
    }

    private static func bitrates(_ files: [LintElement], _ log: inout LintLog) {
        let videos = files.filter {
            $0.attribute("apiFramework") == nil && ($0.attribute("delivery")?.trimmed ?? "") != "streaming"
        }
        var least: (rate: Double, file: LintElement)?
        for file in videos {
            let names = ["bitrate", "minBitrate", "maxBitrate"]
            let rates = names.map { file.attribute($0).flatMap { Double($0.trimmed) } }
            for (name, rate) in zip(names, rates) where rate ?? 0 >= 100_000 {
                log.add(.mediaBitrateBits, file.place(of: name), "\(name) is \(file.attribute(name)?.excerpt() ?? "")")
            }
            if let low = rates[1], let high = rates[2] {
                if low > high {
                    log.add(
                        .mediaBitrateRange,
                        file.place(of: "minBitrate"),
                        "minBitrate \(low) is greater than maxBitrate \(high)"
                    )
                }
            } else if rates[1] != nil || rates[2] != nil {
                log.add(.mediaBitrateRange, file.place, "only one of minBitrate and maxBitrate is set")
            }
            let rate = rates[0] ?? rates[2]
            if rate == nil, videos.count > 1 { log.add(.mediaBitrateMissing, file.place, "<MediaFile> has no bitrate") }
            if let rate, rate > 0, rate < 100_000, rate < least?.rate ?? .infinity { least = (rate, file) }
        }
        if let least, least.rate > 5000 {
            log.add(.mediaBitrateHeavy, least.file.place, "the smallest bitrate is \(Int(least.rate)) kbit/s")
        }
    }

    private static func phonePlayback(_ linear: LintElement, _ files: [LintElement], _ log: inout LintLog) {
        guard let first = files.first else { return }
        let videos = files.filter { !self.needsInterface($0) }
        let types = videos.map { MediaType.plain($0.attribute("type") ?? "") }
        // A missing or invalid type has a finding of its own, and nothing is known about the file.
        guard types.allSatisfy(LintType.isMIME) else { return }
        // `PlayabilityLint` reports an ad without any playable file.
        if types.contains(where: LintType.playableOnPhones.contains),
            !types.contains(where: LintType.playableOnEveryPhone.contains)
        {
            log.add(
                .mediaNoMp4,
                first.place,
                "the only types are \(Set(types).sorted().prefix(5).joined(separator: ", ").excerpt(120))"
            )
        }
    }
}
