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
        /// What the decision rests on.
        package let cause: MediaRefusal
    }

    /// What can be played, the most suitable first.
    public let files: [MediaFile]
    /// What can't be.
    public let refused: [Refusal]
    /// Why nothing can be played; nil if something can.
    public let failure: VASTError?
    /// Which attributes of the files that can be played were not taken at their word.
    package let repairs: MediaRepairs

    /// How many files are tried one after the other where each of them fails.
    package static let mostFiles = 100

    /// Chooses by what a stage can play; macros in addresses are filled in with these values.
    public init(of linear: VASTLinear, by policy: VideoPolicy, values: MacroValues = MacroValues()) {
        var files: [(file: MediaFile, rank: Rank)] = []
        var refused: [Refusal] = []
        var repairs = MediaRepairs()
        for (index, file) in linear.mediaFiles.enumerated() {
            switch MediaPlayability(of: file, by: policy, values: values) {
            case .playable(let playable, let odd):
                files.append((playable, Rank(playable, index, policy)))
                for repair in odd { repairs.add(repair, to: file) }
            case .unplayable(let refusal):
                refused.append(Refusal(file: file, error: refusal.error(line: file.line), cause: refusal))
            }
        }
        files.sort { $0.rank < $1.rank }
        self.files = files.prefix(MediaChoice.mostFiles).map(\.file)
        self.refused = refused
        self.repairs = repairs
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
        var reasons: [String] = []
        for refusal in refused where reasons.count < 3 && !reasons.contains(refusal.cause.reason) {
            reasons.append(refusal.cause.reason)
        }
        reasons.append(first.cause.fix)
        let text =
            refused.count == 1 ? "its only file can't be played" : "none of its \(refused.count) files can be played"
        return VASTError(code, "\(text): \(reasons.joined(separator: "; "))", line: first.file.line)
    }
}

/// How suitable a file is: less is better.
private struct Rank: Comparable {
    /// Whether it takes more than the line is meant to give.
    private let isOverBudget: Bool
    /// How far its image is from the room: 0 where it fills it, or has up to twice its sides.
    private let distance: Double
    private let type: Int
    /// Better images first; over the budget the thriftiest first.
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
        // A image that has to be made larger looks worse than one that has to be made smaller.
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
