public import AdCore

/// Selects and ranks the media files of a linear creative (VAST 4.3 §3.9.1), with the reasons against the others.
///
/// ```swift
/// let choice = MediaChoice(of: linear, by: VideoPolicy())
/// for refused in choice.refused { print(refused.file.url, refused.error.message) }
/// ```
public struct MediaChoice: Hashable, Sendable {
    /// A file that can't be played.
    public struct Refusal: Hashable, Sendable {
        /// The file as the document describes it.
        public let file: VASTMediaFile
        /// The reason, with the error code that is reported when no other file can be played.
        public let error: VASTError
        /// The decision behind the reason.
        package let cause: MediaRefusal
    }

    /// The playable files, the most suitable first.
    public let files: [MediaFile]
    /// The files that can't be played.
    public let refused: [Refusal]
    /// The error when no file can be played; nil otherwise.
    public let failure: VASTError?
    /// The failure's message without its fix; nil if a file can be played, and without media files.
    package let reason: String?
    /// Attributes of playable files that were repaired or ignored.
    package let repairs: MediaRepairs

    /// The maximum number of files that are tried one after another.
    package static let maxFiles = 100

    /// Selects the files that a stage can play; macros in their URLs are replaced by these values.
    public init(of linear: VASTLinear, by policy: VideoPolicy, values: MacroValues = MacroValues()) {
        var files: [(file: MediaFile, rank: Rank)] = []
        var refused: [Refusal] = []
        var causes: [(number: Int, cause: MediaRefusal)] = []
        var repairs = MediaRepairs()
        for (index, file) in linear.mediaFiles.enumerated() {
            switch MediaPlayability(of: file, by: policy, values: values) {
            case .playable(let playable, let fileRepairs):
                files.append((playable, Rank(playable, index, policy)))
                for repair in fileRepairs { repairs.add(repair, to: file) }
            case .unplayable(let refusal):
                refused.append(
                    Refusal(file: file, error: refusal.error(file: index + 1, line: file.line), cause: refusal)
                )
                causes.append((index + 1, refusal))
            }
        }
        files.sort { $0.rank < $1.rank }
        self.files = files.prefix(MediaChoice.maxFiles).map(\.file)
        self.refused = refused
        self.repairs = repairs
        self.reason = files.isEmpty ? MediaChoice.reason(causes) : nil
        self.failure = files.isEmpty ? MediaChoice.failure(of: linear, refused, self.reason) : nil
    }

    /// Why none of the files can be played, with at most three different causes.
    private static func reason(_ causes: [(number: Int, cause: MediaRefusal)]) -> String? {
        guard let first = causes.first else { return nil }
        if causes.count == 1 { return "the only media file \(first.cause.reason)" }
        var reasons: [String] = []
        var clauses: [String] = []
        for (number, cause) in causes where reasons.count < 3 && !reasons.contains(cause.reason) {
            reasons.append(cause.reason)
            clauses.append("media file \(number) \(cause.reason)")
        }
        return "none of the \(causes.count) media files can be played: \(clauses.joined(separator: "; "))"
    }

    /// The error for a video without a playable file (VAST 4.3 §2.3.6.3): 401 without a file, 902 with an interactive file
    /// only, the refusals' code if they agree, else 405 if a file can't be decoded, else 403.
    private static func failure(of linear: VASTLinear, _ refused: [Refusal], _ reason: String?) -> VASTError {
        guard let first = refused.first, let reason else {
            if linear.interactiveFiles.isEmpty {
                return VASTError(401, "the video has no <MediaFile>; add one of type video/mp4")
            }
            return VASTError(
                902,
                "the video has only an <InteractiveCreativeFile>, which is not run; add a <MediaFile>"
            )
        }
        let codes = Set(refused.map(\.error.code))
        let code = codes.count == 1 ? first.error.code : codes.contains(405) ? 405 : 403
        return VASTError(code, "\(reason); \(first.cause.fix)", line: first.file.line)
    }
}

/// The rank of a file: the lowest is the best.
private struct Rank: Comparable {
    /// Whether the bitrate exceeds the limit.
    private let isOverBudget: Bool
    /// How far the size is from the container: 0 for one that fills it or is up to twice as large.
    private let distance: Double
    private let type: Int
    /// Higher bitrates first; above the limit the lowest first.
    private let bitrate: Int
    private let index: Int

    init(_ file: MediaFile, _ index: Int, _ policy: VideoPolicy) {
        let budget = policy.maximumBitrate
        self.isOverBudget = budget.map { (file.bitrate ?? 0) > $0 } ?? false
        self.distance = Rank.distance(file.size, policy)
        self.type = policy.types.firstIndex(of: file.type) ?? policy.types.count
        self.bitrate = self.isOverBudget ? (file.bitrate ?? 0) : -(file.bitrate ?? 0)
        self.index = index
    }

    /// Rounded, so that a small difference in size does not outweigh the type.
    private static func distance(_ size: Size?, _ policy: VideoPolicy) -> Double {
        guard let size, let container = policy.container, container.width > 0, container.height > 0 else { return 0 }
        let pixels = min(
            container.width * policy.pixelRatio / size.width,
            container.height * policy.pixelRatio / size.height
        )
        // Enlarging looks worse than reducing.
        let stretch = pixels > 1 ? pixels : 1 / pixels / 2
        return (max(0, stretch - 1) * 2).rounded() / 2
    }

    static func < (left: Rank, right: Rank) -> Bool {
        if left.isOverBudget != right.isOverBudget { return right.isOverBudget }
        // When no file is within the limit, the one closest to it is best.
        if left.isOverBudget, left.bitrate != right.bitrate { return left.bitrate < right.bitrate }
        return (left.distance, Double(left.type), Double(left.bitrate), Double(left.index))
            < (right.distance, Double(right.type), Double(right.bitrate), Double(right.index))
    }
}
