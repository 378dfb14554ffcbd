import AdHTML
import AdMarkup

/// What is played, and whether a phone can.
extension LintRule {
    static let media: [LintRule] = [
        .adUnplayable, .mediaUnplayable, .mediaFileUnplayable, .mediaCodecUnclear, .mediaDeliveryWhole, .mediaNoMp4,
        .mediaTypeMissing, .mediaTypeWrong, .mediaDeliveryMissing, .mediaDeliveryWrong,
        .mediaDeliveryMismatch, .mediaSizeMissing, .mediaSizeZero, .mediaExtensionMismatch, .mediaFlash,
        .mediaApiMissing, .mediaApiUnknown, .mediaApiMeasures, .mediaBitrateMissing, .mediaBitrateBits,
        .mediaBitrateRange,
        .mediaBitrateHeavy, .mediaTwice, .mediaMany, .mediaDataAddress, .mezzanineAttributesMissing,
        .interactiveApiMissing,
        .simidTypeWrong, .captionTypeMissing, .captionLanguageMissing,
    ]

    static let adUnplayable = LintRule(
        "ad-unplayable",
        .error,
        "The ad can't be played",
        why: "The player refuses it as a whole, and reports the error code.",
        cure: "Do what the finding says, or send another ad."
    )

    static let mediaUnplayable = LintRule(
        "media-unplayable",
        .error,
        "No media file can be played",
        why: "There is nothing to play: error 403, or 405 where a codec can't be decoded.",
        cure: "Do what the finding says: an MP4 (H.264, AAC) without apiFramework plays everywhere."
    )

    static let mediaFileUnplayable = LintRule(
        "media-file-unplayable",
        .error,
        "A media file can't be played",
        why: "Players that choose it show nothing; others ignore it.",
        cure: "Do what the finding says, or take the file out."
    )

    static let mediaCodecUnclear = LintRule(
        "media-codec-unclear",
        .info,
        "A codec is not written as RFC 6381 says",
        why: "Players ignore it, and some strict ones pass over the file.",
        cure: "Write codec=\"avc1.42E01E, mp4a.40.2\", or leave it out."
    )

    static let mediaDeliveryWhole = LintRule(
        "media-delivery-whole",
        .warning,
        "A whole file is declared as streaming",
        why: "Players that play only whole files ignore it.",
        cure: "Write delivery=\"progressive\" for MP4 and WebM."
    )

    static let mediaNoMp4 = LintRule(
        "media-no-mp4",
        .warning,
        "There is neither MP4 nor HLS",
        why: "iPhones play these two; WebM and DASH leave half of the phones without an ad.",
        cure: "Add an MP4 (H.264, AAC) as <MediaFile type=\"video/mp4\">."
    )

    static let mediaTypeMissing = LintRule(
        "media-type-missing",
        .error,
        "A media file has no type",
        why: "Players choose by type, and pass over what has none.",
        cure: "Add type, as in type=\"video/mp4\"."
    )

    static let mediaTypeWrong = LintRule(
        "media-type-wrong",
        .error,
        "A media type is no MIME type",
        why: "Players choose by type, and pass over what they don't know.",
        cure: "Write the MIME type, as in video/mp4 instead of mp4."
    )

    static let mediaDeliveryMissing = LintRule(
        "media-delivery-missing",
        .warning,
        "A media file has no delivery",
        why: "The schema requires it, and strict players answer with error 101.",
        cure: "Add delivery=\"progressive\", or \"streaming\" for HLS and DASH."
    )

    static let mediaDeliveryWrong = LintRule(
        "media-delivery-wrong",
        .warning,
        "There is no such delivery",
        why: "Players pass over the file, or guess.",
        cure: "Write progressive or streaming."
    )

    static let mediaDeliveryMismatch = LintRule(
        "media-delivery-mismatch",
        .warning,
        "A playlist is declared as progressive",
        why: "Players try to play a list of files as one video.",
        cure: "Write delivery=\"streaming\" for HLS and DASH."
    )

    static let mediaSizeMissing = LintRule(
        "media-size-missing",
        .warning,
        "A media file has no width or height",
        why: "The schema requires both, and players choose by them.",
        cure: "Add width and height in pixels."
    )

    static let mediaSizeZero = LintRule(
        "media-size-zero",
        .warning,
        "The width or height of a video is 0",
        why: "Players that choose by size ignore it.",
        cure: "Write the size of the video in pixels."
    )

    static let mediaExtensionMismatch = LintRule(
        "media-extension-mismatch",
        .warning,
        "Type and file name contradict each other",
        why: "Players choose by type, and then can't play what they get.",
        cure: "Write the type of the file that is really there."
    )

    static let mediaFlash = LintRule(
        "media-flash",
        .error,
        "A media file needs Flash",
        why: "Nothing has played Flash since 2020.",
        cure: "Remove it, and send an MP4."
    )

    static let mediaApiMissing = LintRule(
        "media-api-missing",
        .error,
        "An executable file has no apiFramework",
        why: "Players take it for a video, and fail with error 405.",
        cure: "Add apiFramework=\"VPAID\" (old) or use <InteractiveCreativeFile> with SIMID."
    )

    static let mediaApiUnknown = LintRule(
        "media-api-unknown",
        .warning,
        "There is no such apiFramework",
        why: "Players pass over what they have no interface for.",
        cure: "Take apiFramework out of a plain video; only a program needs one, as SIMID or VPAID."
    )

    static let mediaApiMeasures = LintRule(
        "media-api-measures",
        .warning,
        "A file to play is declared as one for OMID",
        why: "OMID measures and plays nothing; players that don't know it pass over the file.",
        cure: "Leave apiFramework out, and put OMID's scripts into <AdVerifications>."
    )

    static let mediaBitrateMissing = LintRule(
        "media-bitrate-missing",
        .info,
        "Several media files, and no bitrate",
        why: "Players can't choose the one that suits the network.",
        cure: "Add bitrate in kbit/s to each."
    )

    static let mediaBitrateBits = LintRule(
        "media-bitrate-bits",
        .warning,
        "A bitrate looks like bits per second",
        why: "Players take it for thousands of times too much, and choose another file.",
        cure: "Write kbit/s: 1500, not 1500000."
    )

    static let mediaBitrateRange = LintRule(
        "media-bitrate-range",
        .warning,
        "minBitrate and maxBitrate don't fit",
        why: "Players can't tell whether the network suffices.",
        cure: "Give both, the smaller as minBitrate."
    )

    static let mediaBitrateHeavy = LintRule(
        "media-bitrate-heavy",
        .info,
        "Even the smallest file is heavy",
        why: "On a phone's network it stutters, or users see a black screen.",
        cure: "Add a file of 1500 kbit/s or less."
    )

    static let mediaTwice = LintRule(
        "media-twice",
        .warning,
        "The same file is listed twice",
        why: "Players gain nothing, and choose by chance.",
        cure: "Keep one."
    )

    static let mediaMany = LintRule(
        "media-many",
        .warning,
        "There are more media files than players try",
        why: "The document is slow to read, and the files beyond the bound are never played.",
        cure: "List fewer: one for each size and bitrate that phones need."
    )

    static let mediaDataAddress = LintRule(
        "media-data-address",
        .warning,
        "A media file is in the document itself",
        why: "Most players don't take data: URLs, and the document is heavy.",
        cure: "Put the file on a server, and give its address."
    )

    static let mezzanineAttributesMissing = LintRule(
        "mezzanine-attributes-missing",
        .warning,
        "A mezzanine lacks what it must have",
        why: "Stitching servers refuse it.",
        cure: "Give delivery, type, width and height."
    )

    static let interactiveApiMissing = LintRule(
        "interactive-api-missing",
        .warning,
        "An interactive file has no apiFramework",
        why: "Players don't know how to talk to it, and don't run it.",
        cure: "Add apiFramework=\"SIMID\"."
    )

    static let simidTypeWrong = LintRule(
        "simid-type-wrong",
        .warning,
        "A SIMID creative is no HTML",
        why: "Players load it into a frame, as a page.",
        cure: "Write type=\"text/html\"."
    )

    static let captionTypeMissing = LintRule(
        "caption-type-missing",
        .info,
        "A caption file has no type",
        why: "Players don't know whether they can read it.",
        cure: "Add type, as in type=\"text/vtt\"."
    )

    static let captionLanguageMissing = LintRule(
        "caption-language-missing",
        .info,
        "A caption file has no language",
        why: "Players can't offer it to those who speak it.",
        cure: "Add language, as in language=\"en\"."
    )
}
