package import AdCore
package import WebStage

/// What runs the ads of a lab: the command implements it.
package protocol LabHost: Sendable {
    /// What the page offers: devices, networks, providers, creatives.
    var offers: AdJSON { get }
    /// Starts an ad, which reports to `ad`.
    func start(_ order: LabOrder, reportingTo ad: LabAd) throws(LabError) -> any LabRun
    /// Compares two ads.
    func compare(_ first: any LabRun, _ second: any LabRun) async -> AdJSON
}

/// One running or ended ad.
package protocol LabRun: AnyObject, Sendable {
    /// The command line that repeats the run.
    var command: String { get }
    /// Sends an input of the user to the stage; inputs are handled in order.
    func send(_ input: LabInput)
    /// Performs an action of the user or the host app.
    func perform(_ action: LabAction)
    /// Ends the run.
    func end()
    /// The documents with the linter's findings.
    func source() async -> AdJSON
    /// The structure of the documents as a tree.
    func structure() async -> AdJSON
    /// A file about the run; nil if there is none (yet).
    func file(_ kind: LabFile) async -> [UInt8]?
}

/// What a page orders: a source and the command's options.
package struct LabOrder: Hashable, Sendable {
    package enum Source: Hashable, Sendable {
        /// Markup, or the bytes of a file, with a name.
        case document([UInt8], name: String)
        /// The path of a file or folder, or a URL.
        case address(String)
        case placement(provider: String, fields: [(name: String, value: String)])
        case bundled(String)

        package static func == (left: Source, right: Source) -> Bool {
            switch (left, right) {
            case (.document(let bytes, let name), .document(let others, let other)): bytes == others && name == other
            case (.address(let text), .address(let other)): text == other
            case (.placement(let provider, let fields), .placement(let other, let others)):
                provider == other && fields.map(\.name) == others.map(\.name)
                    && fields.map(\.value) == others.map(\.value)
            case (.bundled(let name), .bundled(let other)): name == other
            default: false
            }
        }

        package func hash(into hasher: inout Hasher) {
            switch self {
            case .document(let bytes, let name):
                hasher.combine(bytes)
                hasher.combine(name)
            case .address(let text): hasher.combine(text)
            case .placement(let provider, let fields):
                hasher.combine(provider)
                for field in fields { hasher.combine(field.value) }
            case .bundled(let name): hasher.combine(name)
            }
        }
    }

    package let source: Source
    /// Long options of `show` without hyphens, in order; an empty value is a flag.
    package let options: [(name: String, value: String)]

    package init(_ source: Source, options: [(name: String, value: String)]) {
        self.source = source
        self.options = options
    }

    package static func == (left: LabOrder, right: LabOrder) -> Bool {
        left.source == right.source && left.options.map(\.name) == right.options.map(\.name)
            && left.options.map(\.value) == right.options.map(\.value)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(self.source)
        for option in self.options { hasher.combine(option.value) }
    }
}

/// An input of the user, in points of the screen.
package enum LabInput: Hashable, Sendable {
    case point(BrowserStage.PointerStep, x: Double, y: Double)
    case tap(x: Double, y: Double)
    case scroll(x: Double, y: Double, dx: Double, dy: Double)
    case key(EngineKey)
}

/// An action of the user or the host app.
package enum LabAction: Hashable, Sendable {
    /// A word of `--do`.
    case step(String)
    case online(Bool)
    case resize(Size)
}

/// A file about a run.
package enum LabFile: String, Hashable, Sendable, CaseIterable {
    case report, har, trace, screenshot

    var type: String {
        switch self {
        case .report: "text/html; charset=utf-8"
        case .har: "application/json"
        case .trace: "text/plain; charset=utf-8"
        case .screenshot: "image/png"
        }
    }

    var fileName: String {
        switch self {
        case .report: "report.html"
        case .har: "requests.har"
        case .trace: "ad.trace"
        case .screenshot: "screenshot.png"
        }
    }
}

/// Why a request of a page can't be carried out.
package struct LabError: Error, Hashable, Sendable {
    package let message: String
    /// The member of the request that is wrong; nil if none is.
    package let field: String?
    package let status: Int

    package init(_ message: String, field: String? = nil, status: Int = 400) {
        self.message = message
        self.field = field
        self.status = status
    }
}
