import AdCore

/// A codec that the `codec` attribute of a media file names (VAST 4.3 §3.9.1, RFC 6381 §3).
public enum MediaCodec: String, CaseIterable, Hashable, Sendable {
    /// H.264, also called AVC.
    case avc
    /// H.265, also called HEVC.
    case hevc
    /// AV1.
    case av1
    /// VP8.
    case vp8
    /// VP9.
    case vp9
    /// VP6, of Flash videos.
    case vp6
    /// Sorenson Spark and H.263, of Flash videos and early phones.
    case sorenson
    /// MPEG-1 or MPEG-2 video.
    case mpeg2
    /// MPEG-4 Part 2 video, as in DivX and Xvid.
    case mpeg4Part2
    /// Windows Media Video, VC-1.
    case windowsMedia
    /// RealVideo.
    case realVideo
    /// Theora.
    case theora
    /// Apple ProRes.
    case proRes
    /// Dolby Vision on HEVC.
    case dolbyVision
    /// AAC.
    case aac
    /// MP3.
    case mp3
    /// Opus.
    case opus
    /// Vorbis.
    case vorbis
    /// FLAC.
    case flac
    /// Dolby Digital, Dolby Digital Plus and Dolby AC-4.
    case dolbyAudio
    /// DTS.
    case dts
    /// Windows Media Audio.
    case windowsMediaAudio
    /// AMR, of early phones.
    case amr

    /// The codecs that browsers on phones and desktops can't decode, or not all of them.
    public static let undecodableInBrowsers: Set<MediaCodec> = [
        .hevc, .vp6, .sorenson, .mpeg2, .mpeg4Part2, .windowsMedia, .realVideo, .theora, .proRes, .dolbyVision,
        .dolbyAudio, .dts, .windowsMediaAudio, .amr,
    ]

    /// The sample entries of RFC 6381, and the names that WebM uses.
    private static let sampleEntries: [String: MediaCodec] = [
        "avc1": .avc, "avc2": .avc, "avc3": .avc, "avc4": .avc, "hev1": .hevc, "hvc1": .hevc, "av01": .av1,
        "vp08": .vp8, "vp8": .vp8, "vp09": .vp9, "vp9": .vp9, "mp4v": .mpeg4Part2, "s263": .sorenson,
        "vc-1": .windowsMedia,
        "theora": .theora, "apch": .proRes, "apcn": .proRes, "apcs": .proRes, "apco": .proRes, "ap4h": .proRes,
        "dvh1": .dolbyVision, "dvhe": .dolbyVision, "mp4a": .aac, "opus": .opus, "vorbis": .vorbis, "flac": .flac,
        "ac-3": .dolbyAudio, "ec-3": .dolbyAudio, "ac-4": .dolbyAudio, "dtsc": .dts, "dtse": .dts,
        "dtsh": .dts, "dtsl": .dts, "dtsx": .dts, "samr": .amr, "sawb": .amr, "mp3": .mp3,
    ]

    /// Other common names, in lower case, without dots, hyphens, underscores and spaces.
    private static let plainNames: [String: MediaCodec] = [
        "h264": .avc, "x264": .avc, "avc": .avc, "mpeg4avc": .avc, "h265": .hevc, "x265": .hevc, "hevc": .hevc,
        "av1": .av1, "vp80": .vp8, "vp90": .vp9, "vp6": .vp6, "vp60": .vp6, "vp61": .vp6, "vp62": .vp6, "vp6f": .vp6,
        "vp6a": .vp6, "on2vp6": .vp6, "flv1": .sorenson, "flv4": .vp6, "sorenson": .sorenson,
        "sorensonspark": .sorenson, "sorensonh263": .sorenson, "spark": .sorenson, "h263": .sorenson,
        "mpeg1": .mpeg2, "mpeg2": .mpeg2, "mpeg1video": .mpeg2, "mpeg2video": .mpeg2, "divx": .mpeg4Part2,
        "dx50": .mpeg4Part2, "xvid": .mpeg4Part2, "mp4v": .mpeg4Part2, "wmv": .windowsMedia, "wmv1": .windowsMedia,
        "wmv2": .windowsMedia, "wmv3": .windowsMedia, "wmv9": .windowsMedia, "vc1": .windowsMedia,
        "wvc1": .windowsMedia,
        "rv30": .realVideo, "rv40": .realVideo, "realvideo": .realVideo, "prores": .proRes, "dolbyvision": .dolbyVision,
        "aac": .aac, "heaac": .aac, "aaclc": .aac, "ac3": .dolbyAudio, "eac3": .dolbyAudio, "dts": .dts,
        "wma": .windowsMediaAudio, "wma2": .windowsMediaAudio, "wmav2": .windowsMediaAudio, "amr": .amr,
    ]

    /// The codec of a sample entry, as in `mp4a`.
    package static func named(_ sampleEntry: String) -> MediaCodec? { self.sampleEntries[sampleEntry.asciiLowercased] }

    /// Whether it is one of sound.
    package var isSound: Bool {
        switch self {
        case .aac, .mp3, .opus, .vorbis, .flac, .dolbyAudio, .dts, .windowsMediaAudio, .amr: true
        case .avc, .hevc, .av1, .vp8, .vp9, .vp6, .sorenson, .mpeg2, .mpeg4Part2, .windowsMedia, .realVideo, .theora,
            .proRes, .dolbyVision:
            false
        }
    }

    /// One entry of a `codec` attribute.
    enum Entry: Equatable {
        /// A codec as RFC 6381 writes it.
        case registered(MediaCodec)
        /// A codec by another name.
        case plain(MediaCodec)
        /// An unknown name.
        case unclear
    }

    /// Parses one entry.
    static func entry(_ text: some StringProtocol) -> Entry {
        let small = text.trimmed.asciiLowercased
        if let codec = self.sampleEntries[String(small.prefix { $0 != "." })] { return .registered(codec) }
        let bare = String(decoding: small.utf8.filter { $0.isASCIILetter || $0.isDigit }, as: UTF8.self)
        if let codec = self.plainNames[bare] ?? self.sampleEntries[bare] { return .plain(codec) }
        return .unclear
    }

    /// The entries of an attribute; nil if it is too long.
    static func entries(in text: String) -> [(text: Substring, entry: Entry)]? {
        guard text.utf8.count <= 200 else { return nil }
        let parts = text.split { ",;+/".contains($0) }
        return parts.filter { !$0.trimmed.isEmpty }.map { ($0, self.entry($0)) }
    }
}
