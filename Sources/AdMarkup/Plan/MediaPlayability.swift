import AdCore

/// Decides whether a media file can be played; the playback plan and the linter share this decision.
///
/// VAST 4.3 §3.9.1 defines the attributes. An attribute that is unclear, or contradicts what the file clearly is, is
/// ignored; the file remains playable.
enum MediaPlayability: Hashable, Sendable {
    /// The file can be played; the repairs list the attributes that were corrected or ignored.
    case playable(MediaFile, [MediaRepair])
    /// The file can't be played.
    case unplayable(MediaRefusal)

    /// Decides by what a stage can play; macros in the URL are replaced by these values.
    init(of file: VASTMediaFile, by policy: VideoPolicy, values: MacroValues = MacroValues()) {
        var repairs: [MediaRepair] = []
        do throws(MediaRefusal) {
            let playable = try MediaPlayability.playableFile(file, policy, values, &repairs)
            self = .playable(playable, repairs)
        } catch {
            self = .unplayable(error)
        }
    }

    private static func playableFile(
        _ file: VASTMediaFile,
        _ policy: VideoPolicy,
        _ values: MacroValues,
        _ repairs: inout [MediaRepair]
    ) throws(MediaRefusal) -> MediaFile {
        let url: HTTPURL
        do throws(HTTPURL.ParseError) {
            url = try values.finished(file.url)
        } catch {
            if file.isVPAID { throw .program("VPAID") }
            throw .address(error.reason)
        }
        try self.checkFramework(file, at: url, policy, &repairs)
        let type = try self.type(of: file, at: url, policy, &repairs)
        if !url.isSecure, !policy.allowsInsecure { throw .insecure }
        try self.checkCodec(file, policy, &repairs)
        try self.checkProjection(file, &repairs)
        if file.isScalable == false, let size = file.size, let room = policy.container, !size.fits(room) {
            throw .tooLarge(size, room: room)
        }
        let bitrate = file.bitrate ?? file.maxBitrate ?? file.minBitrate
        return MediaFile(url, type: type, size: file.size, bitrate: bitrate)
    }

    // MARK: The container

    /// The type of the container: the `type` attribute, or else that of the file extension.
    private static func type(
        of file: VASTMediaFile,
        at url: HTTPURL,
        _ policy: VideoPolicy,
        _ repairs: inout [MediaRepair]
    ) throws(MediaRefusal) -> String {
        let written = MediaType.plain(file.type ?? "")
        let named = MediaType(ofName: url)
        let type: String
        if !MediaType.isUnspecific(written) {
            type = MediaType.aliases[written] ?? written
        } else if let named {
            type = named.rawValue
            if !written.isEmpty {
                let text = "type is \u{201C}\(written.shortened(60))\u{201D}, but the file extension means \(type)"
                repairs.append(MediaRepair(.type, text))
            }
        } else if let short = MediaType.shortNames[written] {
            type = short
            repairs.append(MediaRepair(.type, "type is \u{201C}\(written)\u{201D}; it should be \(type)"))
        } else {
            throw .unknownType
        }
        if MediaType.streams.contains(type) {
            guard policy.playsStreams else { throw .stream(type) }
            return type
        }
        guard policy.types.contains(type) else { throw .container(type, playable: policy.types) }
        if file.delivery?.asciiLowercased == "streaming" {
            // A playlist is not a media file, whatever its type.
            if let named, named == .hls || named == .dash {
                guard policy.playsStreams else { throw .stream(named.rawValue) }
                return named.rawValue
            }
            let text =
                "delivery is \u{201C}streaming\u{201D}, but \(type) over HTTP is progressive; it is played as that"
            repairs.append(MediaRepair(.delivery, text))
        }
        return type
    }

    // MARK: The other attributes

    /// Frameworks that a file can't be played without; other names are ignored (VAST 4.3 §3.9.1).
    private static let frameworks = ["simid", "mraid"]

    private static func checkFramework(
        _ file: VASTMediaFile,
        at url: HTTPURL,
        _ policy: VideoPolicy,
        _ repairs: inout [MediaRepair]
    ) throws(MediaRefusal) {
        guard let framework = file.apiFramework, !framework.isEmpty else { return }
        if !self.isVideo(file, at: url, policy) {
            if file.isVPAID { throw .program("VPAID") }
            let name = framework.asciiLowercased
            if self.frameworks.contains(where: name.hasPrefix) { throw .program(framework.shortened(40)) }
        }
        let text = "apiFramework is \u{201C}\(framework.shortened(40))\u{201D}, but the file is a video; it is ignored"
        repairs.append(MediaRepair(.apiFramework, text))
    }

    /// Whether a file is a video by its type, and by its file extension if it has one.
    ///
    /// Executable files are scripts, pages or Flash; on anything else the `apiFramework` is a leftover.
    private static func isVideo(_ file: VASTMediaFile, at url: HTTPURL, _ policy: VideoPolicy) -> Bool {
        let type = MediaType.plain(file.type ?? "")
        guard policy.types.contains(MediaType.aliases[type] ?? type) else { return false }
        return MediaType(ofName: url).map { policy.types.contains($0.rawValue) } ?? !url.hasFileExtension
    }

    private static func checkCodec(
        _ file: VASTMediaFile,
        _ policy: VideoPolicy,
        _ repairs: inout [MediaRepair]
    ) throws(MediaRefusal) {
        guard let written = file.codec, !written.isEmpty else { return }
        var isUnclear = false
        let entries = MediaCodec.entries(in: written)
        for (text, entry) in entries ?? [] {
            switch entry {
            case .registered(let codec), .plain(let codec):
                if policy.undecodableCodecs.contains(codec) { throw .codec(text.trimmed.shortened(40)) }
                if case .plain = entry { isUnclear = true }
            case .unclear: isUnclear = true
            }
        }
        guard isUnclear || entries == nil else { return }
        let text = "codec is \u{201C}\(written.shortened(40))\u{201D}, which is not a name of RFC 6381; it is ignored"
        repairs.append(MediaRepair(.codec, text))
    }

    private static func checkProjection(
        _ file: VASTMediaFile,
        _ repairs: inout [MediaRepair]
    ) throws(MediaRefusal) {
        guard let written = file.mediaType, !written.isEmpty else { return }
        switch written.asciiLowercased {
        case "2d": return
        case "3d", "360", "360vr", "vr": throw .projection(written.shortened(20))
        default:
            let text =
                "mediaType is \u{201C}\(written.shortened(20))\u{201D}; known values are 2D, 3D and 360; it is ignored"
            repairs.append(MediaRepair(.mediaType, text))
        }
    }
}

extension VASTMediaFile {
    /// The size in pixels; nil if a side is missing or zero.
    var size: Size? {
        guard let width, let height, width > 0, height > 0 else { return nil }
        return Size(width: Double(width), height: Double(height))
    }
}

extension HTTPURL {
    /// Whether the last path component has a file extension.
    fileprivate var hasFileExtension: Bool {
        let path = self.target.prefix { $0 != "?" }
        return path.split(separator: "/").last?.contains(".") ?? false
    }
}

extension Size {
    fileprivate func fits(_ room: Size) -> Bool { self.width <= room.width && self.height <= room.height }
}
