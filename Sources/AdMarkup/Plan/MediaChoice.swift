public import AdCore

/// Which of a video's files are played, in which order, and why the others are not.
///
/// ```swift
/// let choice = MediaChoice(of: linear, by: VideoPolicy())
/// for refused in choice.refused { print(refused.file.url, refused.error.message) }
/// ```
public struct MediaChoice: Hashable, Sendable {
    /// A file that is not played.
    public struct Refusal: Hashable, Sendable {
        /// The file.
        public let file: VASTMediaFile
        /// Why, with the code that is reported where no other file can be played.
        public let error: VASTError
    }

    /// What can be played, the most suitable first.
    public let files: [MediaFile]
    /// What can't be.
    public let refused: [Refusal]
    /// Why nothing can be played; nil where something can.
    public let failure: VASTError?

    /// Chooses by what a stage can play; macros in addresses are filled in with these values.
    public init(of linear: VASTLinear, by policy: VideoPolicy, values: MacroValues = MacroValues()) {
        var files: [(file: MediaFile, rank: Rank)] = []
        var refused: [Refusal] = []
        for (index, file) in linear.mediaFiles.enumerated() {
            switch MediaChoice.judged(file, policy, values) {
            case .success(let playable): files.append((playable, Rank(playable, index, policy)))
            case .failure(let error): refused.append(Refusal(file: file, error: error))
            }
        }
        self.files = files.sorted { $0.rank < $1.rank }.map(\.file)
        self.refused = refused
        self.failure = files.isEmpty ? MediaChoice.failure(of: linear, refused) : nil
    }

    private static func failure(of linear: VASTLinear, _ refused: [Refusal]) -> VASTError {
        guard let first = refused.first else {
            if linear.interactiveFiles.isEmpty {
                return VASTError(401, "the video has no <MediaFile>; give it one of type video/mp4")
            }
            return VASTError(902, "the video is nothing but a program (SIMID), which is not run; add a <MediaFile>")
        }
        let codes = Set(refused.map(\.error.code))
        let code = codes.count == 1 ? first.error.code : codes.contains(405) ? 405 : 403
        let reasons = refused.prefix(3).map(\.error.message).joined(separator: "; ")
        let text =
            refused.count == 1 ? "its only file can't be played" : "none of its \(refused.count) files can be played"
        return VASTError(code, "\(text): \(reasons)", line: first.file.line)
    }

    private static func judged(
        _ file: VASTMediaFile,
        _ policy: VideoPolicy,
        _ values: MacroValues
    ) -> Result<MediaFile, VASTError> {
        func refuse(_ code: Int, _ why: String) -> Result<MediaFile, VASTError> {
            .failure(VASTError(code, why, line: file.line))
        }
        if file.isVPAID { return refuse(901, "it is a program after VPAID, which is not run") }
        if let framework = file.apiFramework, !framework.isEmpty {
            return refuse(403, "it needs \(framework.excerpt(40)), which is not there")
        }
        let url: HTTPURL
        do throws(HTTPURL.Fault) {
            url = try values.finished(file.url)
        } catch {
            return refuse(401, "its address can't be called: \(error.reason)")
        }
        let told = file.type.map(MediaChoice.plain).flatMap { $0.isEmpty ? nil : $0 }
        guard let type = told ?? MediaChoice.type(ofName: url) else {
            return refuse(403, "it does not tell its type; write type=\"video/mp4\"")
        }
        let isStream = file.delivery?.asciiLowercased == "streaming" || MediaChoice.streams.contains(type)
        if isStream, !policy.playsStreams {
            return refuse(403, "it is a stream (\(type)), and only whole files are played")
        }
        guard policy.types.contains(type) || (isStream && MediaChoice.streams.contains(type)) else {
            let known = policy.types.joined(separator: ", ")
            return refuse(403, "its type is \(type.excerpt(60)), and \(known) can be played")
        }
        if !url.isSecure, !policy.allowsInsecure { return refuse(403, "its address is not encrypted; write https") }
        if let codec = MediaChoice.strangeCodec(file, policy) {
            return refuse(405, "its codec is \(codec.excerpt(40)), which can't be decoded")
        }
        if let mediaType = file.mediaType, !mediaType.isEmpty, mediaType.asciiLowercased != "2d" {
            return refuse(405, "it is \(mediaType.excerpt(20)), and only flat video can be shown")
        }
        if file.isScalable == false, let size = file.size, let room = policy.container, !size.fits(room) {
            return refuse(203, "it may not be scaled, and with \(size) it does not fit into \(room)")
        }
        let bitrate = file.bitrate ?? file.maxBitrate ?? file.minBitrate
        return .success(MediaFile(url, type: type, size: file.size, bitrate: bitrate))
    }

    private static let streams: Set<String> = [
        "application/x-mpegurl", "application/vnd.apple.mpegurl", "application/dash+xml",
    ]

    /// A type without its parameters, in lower case.
    private static func plain(_ type: String) -> String {
        String(type.prefix { $0 != ";" }).trimmed.asciiLowercased
    }

    private static func type(ofName url: HTTPURL) -> String? {
        let path = url.text.prefix { $0 != "?" }.asciiLowercased
        if path.hasSuffix(".mp4") || path.hasSuffix(".m4v") { return "video/mp4" }
        if path.hasSuffix(".webm") { return "video/webm" }
        if path.hasSuffix(".m3u8") { return "application/x-mpegurl" }
        return nil
    }

    private static func strangeCodec(_ file: VASTMediaFile, _ policy: VideoPolicy) -> String? {
        let codecs = (file.codec ?? "").split(separator: ",").map { String($0).trimmed }
        return codecs.first { codec in
            let name = codec.asciiLowercased
            return !codec.isEmpty && !policy.codecs.contains { name.hasPrefix($0) }
        }
    }
}

extension VASTMediaFile {
    /// Its size in pixels, where both sides are told and make sense.
    var size: Size? {
        guard let width, let height, width > 0, height > 0 else { return nil }
        return Size(width: Double(width), height: Double(height))
    }
}

extension Size {
    fileprivate func fits(_ room: Size) -> Bool { self.width <= room.width && self.height <= room.height }
}

/// How suitable a file is: less is better.
private struct Rank: Comparable {
    /// Whether it takes more than the line is meant to give.
    private let isOverBudget: Bool
    /// How far its picture is from the room: 0 where it fills it, or has up to twice its sides.
    private let distance: Double
    private let type: Int
    /// Better pictures first; over the budget the thriftiest first.
    private let bitrate: Int
    private let index: Int

    init(_ file: MediaFile, _ index: Int, _ policy: VideoPolicy) {
        let budget = policy.mostBitrate
        self.isOverBudget = budget.map { (file.bitrate ?? 0) > $0 } ?? false
        self.distance = Rank.distance(file.size, policy)
        self.type = policy.types.firstIndex(of: file.type) ?? policy.types.count
        self.bitrate = self.isOverBudget ? (file.bitrate ?? 0) : -(file.bitrate ?? 0)
        self.index = index
    }

    /// Rounded, so that nearly the same size does not decide over the type.
    private static func distance(_ size: Size?, _ policy: VideoPolicy) -> Double {
        guard let size, let room = policy.container, room.width > 0, room.height > 0 else { return 0 }
        let pixels = min(
            room.width * policy.pixelRatio / size.width,
            room.height * policy.pixelRatio / size.height
        )
        // A picture that has to be made larger looks worse than one that has to be made smaller.
        let stretch = pixels > 1 ? pixels : 1 / pixels / 2
        return (max(0, stretch - 1) * 2).rounded() / 2
    }

    static func < (left: Rank, right: Rank) -> Bool {
        if left.isOverBudget != right.isOverBudget { return right.isOverBudget }
        // Where no file keeps to the budget, the one that comes nearest to it is best.
        if left.isOverBudget, left.bitrate != right.bitrate { return left.bitrate < right.bitrate }
        return (left.distance, Double(left.type), Double(left.bitrate), Double(left.index))
            < (right.distance, Double(right.type), Double(right.bitrate), Double(right.index))
    }
}
