/// A call of a browser interface by a creative that tools list: it identifies a device, stores data, or asks for
/// something.
package struct ScriptCall: Hashable, Sendable {
    /// What the interface is for.
    package enum Purpose: String, Hashable, Sendable, CaseIterable {
        /// Its result tells devices apart, as the pixels of a canvas or the name of the graphics card.
        case fingerprint
        /// It keeps data on the device, as a cookie.
        case storage
        /// It asks for a sensor or a permission, as for the position.
        case permission
        /// It starts a thread of its own, in which no call is seen.
        case worker
    }

    package let purpose: Purpose
    /// The interface, as in `canvas.toDataURL`.
    package let name: String

    package init(_ purpose: Purpose, _ name: String) {
        self.purpose = purpose
        self.name = name
    }
}

/// Sound or video that a creative itself has started.
package struct MediaStart: Hashable, Sendable {
    package enum Element: String, Hashable, Sendable, CaseIterable {
        case video, audio
        /// The Web Audio API.
        case webAudio = "webaudio"
    }

    package let element: Element
    /// Whether it can be heard.
    package let isAudible: Bool
    /// Whether the user had pressed the creative before.
    package let isAfterGesture: Bool

    package init(_ element: Element, isAudible: Bool, isAfterGesture: Bool) {
        self.element = element
        self.isAudible = isAudible
        self.isAfterGesture = isAfterGesture
    }
}

/// What a creative has used until it closes, and how it moves; what it did not tell when it closed is nil.
package struct ResourceUse: Hashable, Sendable {
    /// The processor time of its scripts, styles and layout.
    package let processor: Duration?
    /// The memory of its scripts and documents, in bytes.
    package let memory: Int?
    /// The number of nodes of its documents.
    package let nodes: Int?
    /// The declared end of its animations (CSS, Web Animations, SVG), since the document's start, or the length of an
    /// animated image; nil for none.
    package let animationEnd: Duration?
    /// Whether an animation is declared to run without an end.
    package let isEndless: Bool?
    /// When it last changed by a script, since the document's start; nil if it did not.
    package let lastChange: Duration?
    /// Whether it still changed by a script when it closed.
    package let isChanging: Bool?
    /// The cookies that it or its servers have stored, as in `id of ads.example`; nil if they are unknown.
    package let cookies: [String]?

    package init(
        processor: Duration? = .zero,
        memory: Int? = 0,
        nodes: Int? = 0,
        animationEnd: Duration? = nil,
        isEndless: Bool? = false,
        lastChange: Duration? = nil,
        isChanging: Bool? = false,
        cookies: [String]? = []
    ) {
        self.processor = processor
        self.memory = memory
        self.nodes = nodes
        self.animationEnd = animationEnd
        self.isEndless = isEndless
        self.lastChange = lastChange
        self.isChanging = isChanging
        self.cookies = cookies
    }

    var members: KeyValuePairs<String, AdJSON> {
        [
            "cpu": self.processor.map { .int($0.wholeMilliseconds) } ?? .null,
            "memory": self.memory.map { .int($0) } ?? .null, "nodes": self.nodes.map { .int($0) } ?? .null,
            "animationEnd": .seconds(self.animationEnd), "endless": self.isEndless.map { .bool($0) } ?? .null,
            "lastChange": .seconds(self.lastChange), "changing": self.isChanging.map { .bool($0) } ?? .null,
            "cookies": self.cookies.map { .array($0.map { .string($0) }) } ?? .null,
        ]
    }
}

extension AdJSON {
    fileprivate static func seconds(_ duration: Duration?) -> AdJSON { duration.map { .double($0.inSeconds) } ?? .null }
}
