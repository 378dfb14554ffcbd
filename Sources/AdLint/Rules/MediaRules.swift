/// Media files, and whether phones can play them.
extension LintRule {
    static let media: [LintRule] = [
        .adUnplayable, .mediaUnplayable, .mediaFileUnplayable, .mediaCodecUnclear, .mediaDeliveryWhole, .mediaNoMp4,
        .mediaTypeMissing, .mediaTypeWrong, .mediaDeliveryMissing, .mediaDeliveryWrong,
        .mediaDeliveryMismatch, .mediaSizeMissing, .mediaSizeZero, .mediaExtensionMismatch, .mediaFlash,
        .mediaApiMissing, .mediaApiUnknown, .mediaApiMeasures, .mediaBitrateMissing, .mediaBitrateBits,
        .mediaBitrateRange,
        .mediaBitrateHeavy, .mediaTwice, .mediaMany, .mediaDataAddress, .mezzanineAttributesMissing,
        .interactiveApiMissing,
        .simidTypeWrong, .simidWithoutMedia, .simidDurationFixed, .captionTypeMissing, .captionLanguageMissing,
    ]

    static let adUnplayable = LintRule(
        "ad-unplayable",
        .error,
        "Ad can't be played",
        why: "The player rejects the whole ad, and fires its error URLs with the error code.",
        fix: "Fix what the message names, or send another ad."
    )

    static let mediaUnplayable = LintRule(
        "media-unplayable",
        .error,
        "No playable media file",
        why: "There is nothing to play: error 403, or 405 where a codec can't be decoded.",
        fix: "Fix what the message names: MP4 (H.264, AAC) without apiFramework plays everywhere.",
        specification: "VAST 4.3 §2.3.6.3"
    )

    static let mediaFileUnplayable = LintRule(
        "media-file-unplayable",
        .error,
        "Media file can't be played",
        why: "A player that chooses it shows nothing; others skip it.",
        fix: "Fix what the message names, or remove the file."
    )

    static let mediaCodecUnclear = LintRule(
        "media-codec-unclear",
        .info,
        "codec is not in the form of RFC 6381",
        why: "Players ignore the attribute, and some strict ones skip the file.",
        fix: "Write codec=\"avc1.42E01E, mp4a.40.2\", or remove it.",
        specification: "VAST 4.3 §3.9.1"
    )

    static let mediaDeliveryWhole = LintRule(
        "media-delivery-whole",
        .warning,
        "Progressive file declared as streaming",
        why: "Players that play only progressive files skip it.",
        fix: "Write delivery=\"progressive\" for MP4 and WebM.",
        specification: "VAST 4.3 §3.9.1"
    )

    static let mediaNoMp4 = LintRule(
        "media-no-mp4",
        .warning,
        "Neither MP4 nor HLS",
        why: "iPhones play these two; with WebM or DASH alone, half of the phones show no ad.",
        fix: "Add an MP4 (H.264, AAC) as <MediaFile type=\"video/mp4\">."
    )

    static let mediaTypeMissing = LintRule(
        "media-type-missing",
        .error,
        "<MediaFile> without a type",
        why: "Players choose files by type, and skip those without one.",
        fix: "Add type, such as type=\"video/mp4\".",
        specification: "VAST 4.3 §3.9.1"
    )

    static let mediaTypeWrong = LintRule(
        "media-type-wrong",
        .error,
        "Media type is not a MIME type",
        why: "Players choose files by type, and skip those of unknown types.",
        fix: "Write the MIME type, such as video/mp4 instead of mp4.",
        specification: "VAST 4.3 §3.9.1"
    )

    static let mediaDeliveryMissing = LintRule(
        "media-delivery-missing",
        .warning,
        "<MediaFile> without delivery",
        why: "The schema requires it; strict players reject the ad with error 101.",
        fix: "Add delivery=\"progressive\", or \"streaming\" for HLS and DASH.",
        specification: "VAST 4.3 §3.9.1"
    )

    static let mediaDeliveryWrong = LintRule(
        "media-delivery-wrong",
        .warning,
        "Unknown delivery",
        why: "Players skip the file, or guess.",
        fix: "Write progressive or streaming.",
        specification: "VAST 4.3 §3.9.1"
    )

    static let mediaDeliveryMismatch = LintRule(
        "media-delivery-mismatch",
        .warning,
        "Playlist declared as progressive",
        why: "Players try to play the playlist as if it were a video.",
        fix: "Write delivery=\"streaming\" for HLS and DASH.",
        specification: "VAST 4.3 §3.9.1"
    )

    static let mediaSizeMissing = LintRule(
        "media-size-missing",
        .warning,
        "<MediaFile> without width or height",
        why: "The schema requires both, and players choose files by them.",
        fix: "Add width and height in pixels.",
        specification: "VAST 4.3 §3.9.1"
    )

    static let mediaSizeZero = LintRule(
        "media-size-zero",
        .warning,
        "Video width or height is 0",
        why: "Only audio may have 0: players that choose by size skip the file.",
        fix: "Write the size of the video in pixels.",
        specification: "VAST 4.3 §3.9.1"
    )

    static let mediaExtensionMismatch = LintRule(
        "media-extension-mismatch",
        .warning,
        "Type and file extension do not match",
        why: "Players choose by type, and then fail to play the file.",
        fix: "Write the type that the file really has."
    )

    static let mediaFlash = LintRule(
        "media-flash",
        .error,
        "Flash media file",
        why: "Flash has not been supported since 2020.",
        fix: "Remove it, and send an MP4.",
        specification: "VAST 4.3 §1.7"
    )

    static let mediaApiMissing = LintRule(
        "media-api-missing",
        .error,
        "Executable file without apiFramework",
        why: "Players treat it as a video, and fail with error 405.",
        fix: "Use <InteractiveCreativeFile> with SIMID, or add apiFramework=\"VPAID\" for old players.",
        specification: "VAST 4.3 §3.9.1"
    )

    static let mediaApiUnknown = LintRule(
        "media-api-unknown",
        .warning,
        "Unknown apiFramework",
        why: "Players skip files that need an API they do not have.",
        fix: "Remove apiFramework from a plain video; only programs need one, such as SIMID or VPAID.",
        specification: "VAST 4.3 §3.9.1"
    )

    static let mediaApiMeasures = LintRule(
        "media-api-measures",
        .warning,
        "Media file declared as OMID",
        why: "OMID measures and plays nothing; players that don't know it skip the file.",
        fix: "Remove apiFramework, and put the OMID scripts into <AdVerifications>.",
        specification: "VAST 4.3 §3.9.1"
    )

    static let mediaBitrateMissing = LintRule(
        "media-bitrate-missing",
        .info,
        "Several media files without a bitrate",
        why: "Players can't choose the file that suits the network.",
        fix: "Add bitrate in kbit/s to each file.",
        specification: "VAST 4.3 §3.9.1"
    )

    static let mediaBitrateBits = LintRule(
        "media-bitrate-bits",
        .warning,
        "Bitrate looks like bits per second",
        why: "The unit is kbit/s: players take the file to be too heavy, and choose another.",
        fix: "Write kbit/s: 1500, not 1500000.",
        specification: "VAST 4.3 §3.9.1"
    )

    static let mediaBitrateRange = LintRule(
        "media-bitrate-range",
        .warning,
        "Invalid minBitrate or maxBitrate",
        why: "Players can't tell whether the network is fast enough.",
        fix: "Give both, with the smaller value as minBitrate.",
        specification: "VAST 4.3 §3.9.1"
    )

    static let mediaBitrateHeavy = LintRule(
        "media-bitrate-heavy",
        .info,
        "Even the smallest media file is heavy",
        why: "On a mobile network it stutters, or users see a black screen.",
        fix: "Add a file of 1500 kbit/s or less."
    )

    static let mediaTwice = LintRule(
        "media-twice",
        .warning,
        "Duplicate media file",
        why: "Players gain nothing from the second one.",
        fix: "Keep one."
    )

    static let mediaMany = LintRule(
        "media-many",
        .warning,
        "More media files than players try",
        why: "The response is slow to read, and the files beyond the limit are never played.",
        fix: "List fewer: one for each size and bitrate that phones need."
    )

    static let mediaDataAddress = LintRule(
        "media-data-address",
        .warning,
        "Media file in a data: URL",
        why: "Most players don't support it, and it makes the response heavy.",
        fix: "Host the file, and use its URL."
    )

    static let mezzanineAttributesMissing = LintRule(
        "mezzanine-attributes-missing",
        .warning,
        "<Mezzanine> without a required attribute",
        why: "Ad-stitching servers reject it.",
        fix: "Add delivery, type, width and height.",
        specification: "VAST 4.3 §3.9.2"
    )

    static let interactiveApiMissing = LintRule(
        "interactive-api-missing",
        .warning,
        "<InteractiveCreativeFile> without apiFramework",
        why: "Players don't know which API the file needs, and don't run it.",
        fix: "Add apiFramework=\"SIMID\".",
        specification: "VAST 4.3 §3.9.3"
    )

    static let simidTypeWrong = LintRule(
        "simid-type-wrong",
        .warning,
        "SIMID creative is not HTML",
        why: "Players load it into a frame, as a page.",
        fix: "Write type=\"text/html\".",
        specification: "VAST 4.3 §3.9.3"
    )

    static let simidWithoutMedia = LintRule(
        "simid-without-media",
        .warning,
        "SIMID creative without a media file",
        why: "Players without SIMID have nothing to show (error 902), and a mezzanine is never played.",
        fix: "Add an MP4 <MediaFile>.",
        specification: "VAST 4.3 §3.9.3"
    )

    static let simidDurationFixed = LintRule(
        "simid-duration-fixed",
        .info,
        "SIMID creative without variableDuration",
        why: "Players refuse its requests to pause the video, to extend the ad and to stop it.",
        fix: "Add variableDuration=\"true\" if it does one of these.",
        specification: "SIMID 1.2 §5"
    )

    static let captionTypeMissing = LintRule(
        "caption-type-missing",
        .info,
        "Caption file without a type",
        why: "Players can't tell whether they can read it.",
        fix: "Add type, such as type=\"text/vtt\".",
        specification: "VAST 4.3 §3.9.5"
    )

    static let captionLanguageMissing = LintRule(
        "caption-language-missing",
        .info,
        "Caption file without a language",
        why: "Players can't offer it to the users who read it.",
        fix: "Add language, such as language=\"en\".",
        specification: "VAST 4.3 §3.9.5"
    )
}
