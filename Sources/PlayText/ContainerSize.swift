package import AdCore
package import AdHTML
import AdMarkup

/// The size of an ad's container, and the rule that decided it.
package struct ContainerSize: Equatable, Sendable {
    package enum Rule: String, CaseIterable, Sendable {
        /// `--size`.
        case size
        /// `<meta name="ad.size">`.
        case adSize
        /// The only element at the top of the document has a width and a height.
        case rootElement
        /// The only image of the document has a width and a height.
        case image
        /// The VAST document's media file has a width and a height (VAST 4.3 §3.9.1).
        case mediaFile
        /// No other rule applies: a banner is as wide as the screen, other formats fill it.
        case screen

        package var text: String {
            switch self {
            case .size: "--size"
            case .adSize: "ad.size"
            case .rootElement: "the document's root element"
            case .image: "the document's only image"
            case .mediaFile: "the media file"
            case .screen: "the screen"
            }
        }
    }

    /// The size; nil if the screen decides it.
    let size: Size?
    let rule: Rule
    /// The screen around it.
    let screen: Size
    /// Why the declared size is ignored.
    package private(set) var issue: AdIssue?

    /// A phone in portrait orientation.
    static let phone = Size(width: 390, height: 844)
    /// The range of a declared side: the smallest side of an IAB banner is 31 points, and the largest screens are 4K.
    private static let declarable = 16.0...4_096.0

    /// Decides the size.
    ///
    /// A document's declared size is used only for a banner without a size in the ad response. A size of the ad response
    /// is laid out within the container, and a full-screen ad fills the screen.
    ///
    /// - Parameters:
    ///   - chosen: The user's `--size`.
    ///   - kind: The format of the ad.
    ///   - requested: The size in the ad response.
    ///   - declared: The size that the document declares.
    ///   - naturalSize: The size of the media file; nil for a placement, which a video fills.
    ///   - screen: The screen of the stage.
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

    /// The screen for an ad of a declared size: a device's, enlarged if the ad is larger.
    static func screen(for size: Size?, on device: Size = phone) -> Size {
        guard let size else { return device }
        return Size(width: max(size.width, device.width), height: max(size.height, device.height))
    }

    /// The screen for a document that is known before the load.
    ///
    /// `device` is the size of the simulated device's screen; nil for a phone's.
    package static func screen(
        chosen: Size?,
        declared: HTMLDocument.DeclaredSize?,
        device: Size? = nil
    ) -> Size {
        let device = device ?? self.phone
        if let chosen { return self.screen(for: chosen, on: device) }
        let size = declared.map { Size(width: Double($0.width), height: Double($0.height)) }
        return self.screen(for: size.flatMap { self.isDeclarable($0) ? $0 : nil }, on: device)
    }

    /// The container for the stage.
    package func container(for kind: ShowRules.Kind) -> AdContainer {
        if let size { return AdContainer(width: size.width, height: size.height, screen: self.screen) }
        return kind == .banner ? AdContainer(width: self.screen.width, screen: self.screen) : .fullScreen(self.screen)
    }

    /// The members that it adds to the event `shown`; a banner without a height chooses its own.
    package func detail(for kind: ShowRules.Kind) -> [AdJSON.Member] {
        let container = self.container(for: kind)
        let sides = [container.width, container.height].compactMap { $0.map { AdJSON.double($0).text() } }
        let text = sides.joined(separator: "x") + (sides.count == 1 ? " wide" : "")
        return [.init("container", .string(text)), .init("containerRule", .string(self.rule.rawValue))]
    }

    private static func isDeclarable(_ size: Size) -> Bool {
        self.declarable.contains(size.width) && self.declarable.contains(size.height)
    }

    private static func issue(_ declared: HTMLDocument.DeclaredSize, _ screen: Size) -> AdIssue {
        let size = "\(declared.width)x\(declared.height)"
        let available = "\(Int(screen.width))x\(Int(screen.height))"
        return AdIssue(
            "container.unusable",
            at: .whole,
            "the document's declared size \(size) does not fit the screen of \(available) and is ignored; use --size \(size)"
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
