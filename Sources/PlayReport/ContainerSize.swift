package import AdCore
package import AdHTML
import AdMarkup

/// The room that an ad is shown in, and the rule that decided it.
package struct ContainerSize: Equatable, Sendable {
    /// What decided the size.
    enum Rule: String, CaseIterable, Sendable {
        /// `--size`.
        case size
        /// `<meta name="ad.size">`.
        case adSize
        /// The document's only element at the top has a width and a height.
        case rootElement
        /// The document's only picture has a width and a height.
        case image
        /// The VAST document's media file has a width and a height (VAST 4.3 §3.9.1).
        case mediaFile
        /// Nothing said a size: a banner is as wide as the screen, anything else as large.
        case screen

        /// The rule as people read it.
        var words: String {
            switch self {
            case .size: "--size"
            case .adSize: "ad.size"
            case .rootElement: "the document's root element"
            case .image: "the document's only picture"
            case .mediaFile: "the media file"
            case .screen: "the screen"
            }
        }
    }

    /// The size; nil where the screen is what there is.
    let size: Size?
    let rule: Rule
    /// The screen around it.
    let screen: Size
    /// Why a size that was declared is not used.
    package private(set) var issue: AdIssue?

    /// A phone held upright.
    static let phone = Size(width: 390, height: 844)
    /// The largest and the smallest side that a creative may declare: no banner of the IAB's is smaller than 31 points, and
    /// no screen that ads are made for is larger than 4K.
    private static let declarable = 16.0...4_096.0

    /// Decides the room.
    ///
    /// Only what leaves its size to the container is shown as large as its document says: a server's own size is laid out
    /// in the room that there is, and what covers the screen in an app does so here.
    ///
    /// - Parameters:
    ///   - chosen: What the user says.
    ///   - kind: What kind of ad it is.
    ///   - requested: The size that the answer asks for.
    ///   - declared: The size that the document says it was made for.
    ///   - naturalSize: The size of the video; nil where a slot was asked for, which a video fills.
    ///   - screen: The screen that the stage has.
    package init(
        chosen: Size?,
        kind: ShowRules.Kind,
        requested: RequestedSize,
        declared: HTMLDocument.DeclaredSize?,
        naturalSize: Size? = nil,
        screen: Size = ContainerSize.phone
    ) {
        self.screen = screen
        if let chosen {
            (self.size, self.rule) = (chosen, .size)
        } else if let naturalSize, ContainerSize.isDeclarable(naturalSize) {
            let scale = min(1, screen.width / naturalSize.width, screen.height / naturalSize.height)
            self.size = Size(
                width: (naturalSize.width * scale).rounded(),
                height: (naturalSize.height * scale).rounded()
            )
            self.rule = .mediaFile
        } else if let declared, kind == .banner, requested == .adaptive {
            let size = Size(width: Double(declared.width), height: Double(declared.height))
            guard ContainerSize.isDeclarable(size), size.width <= screen.width, size.height <= screen.height else {
                (self.size, self.rule) = (nil, .screen)
                self.issue = ContainerSize.issue(declared, screen)
                return
            }
            (self.size, self.rule) = (size, Rule(declared.evidence))
        } else {
            (self.size, self.rule) = (nil, .screen)
        }
    }

    /// The screen for an ad of a declared size: a phone's, or as much larger as the ad needs.
    static func screen(for size: Size?) -> Size {
        guard let size else { return self.phone }
        return Size(width: max(size.width, self.phone.width), height: max(size.height, self.phone.height))
    }

    /// The screen for a document that is known before anything is shown.
    package static func screen(chosen: Size?, declared: HTMLDocument.DeclaredSize?) -> Size {
        if let chosen { return self.screen(for: chosen) }
        let size = declared.map { Size(width: Double($0.width), height: Double($0.height)) }
        return self.screen(for: size.flatMap { self.isDeclarable($0) ? $0 : nil })
    }

    /// The room as a stage wants it.
    package func container(for kind: ShowRules.Kind) -> AdContainer {
        if let size { return AdContainer(width: size.width, height: size.height, screen: self.screen) }
        return kind == .banner ? AdContainer(width: self.screen.width, screen: self.screen) : .fullScreen(self.screen)
    }

    /// What `shown` says of it; a banner chooses its height where nothing else does.
    package func detail(for kind: ShowRules.Kind) -> [AdJSON.Member] {
        let room = self.container(for: kind)
        let sides = [room.width, room.height].compactMap { $0.map { AdJSON.double($0).text() } }
        let text = sides.joined(separator: "x") + (sides.count == 1 ? " wide" : "")
        return [.init("container", .string(text)), .init("containerRule", .string(self.rule.rawValue))]
    }

    private static func isDeclarable(_ size: Size) -> Bool {
        self.declarable.contains(size.width) && self.declarable.contains(size.height)
    }

    private static func issue(_ declared: HTMLDocument.DeclaredSize, _ screen: Size) -> AdIssue {
        let size = "\(declared.width)x\(declared.height)"
        let room = "\(Int(screen.width))x\(Int(screen.height))"
        return AdIssue(
            "container.unusable",
            at: .whole,
            "the document's size of \(size) does not fit the screen of \(room), and is not used; --size \(size) gives it room"
        )
    }
}

extension ContainerSize.Rule {
    fileprivate init(_ evidence: HTMLDocument.DeclaredSize.Evidence) {
        switch evidence {
        case .meta: self = .adSize
        case .rootElement: self = .rootElement
        case .image: self = .image
        }
    }
}
