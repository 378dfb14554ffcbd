import AdCore

/// Which responses a card shows as its image.
enum CardImageRule {
    /// The most bytes of an image; more would fill the memory of a feed with cards.
    static let byteLimit = 8 << 20
    /// How long an image may take.
    static let timeLimit = Duration.seconds(20)

    /// Why a response is no image; nil if it is one.
    static func refusal(status: Int, mediaType: String?, bytes: Int) -> String? {
        guard (200...299).contains(status) else { return "status \(status)" }
        // Without a type the decoder decides.
        if let mediaType, !mediaType.isEmpty, !mediaType.lowercased().hasPrefix("image/") {
            return "its type is \(mediaType.excerpt(60)), which is no image"
        }
        guard bytes <= CardImageRule.byteLimit else { return "it is larger than \(CardImageRule.byteLimit >> 20) MiB" }
        return bytes == 0 ? "it is empty" : nil
    }

    /// The size at which an image is decoded, in pixels: as small as still fills a place, and never larger than it is.
    static func thumbnail(of image: Size, filling place: Size) -> Size {
        guard image.width > 0, image.height > 0 else { return image }
        let factor = min(1, max(place.width / image.width, place.height / image.height))
        return Size(width: max(1, image.width * factor), height: max(1, image.height * factor))
    }

    /// Whether an image that was decoded for a place must be loaded again for another one: after a rotation, for example.
    static func isTooSmall(_ decoded: Size, for place: Size) -> Bool {
        place.width > decoded.width * 1.25 || place.height > decoded.height * 1.25
    }

    /// The report of an image that can't be shown.
    static func failure(_ image: HTTPURL, _ reason: String) -> FailedRequest {
        FailedRequest(url: Redaction.address(image.text), reason: reason)
    }
}
