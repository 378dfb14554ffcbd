import AdBundle
package import AdCore
package import WebStage

/// What runs the ads of a lab: the command implements it.
package protocol LabHost: Sendable {
    /// What the page offers: devices, networks, providers, creatives.
    var offers: AdJSON { get }
    /// Starts an ad, which reports to `ad`.
    func start(_ order: LabOrder, reportingTo ad: LabAd) throws(LabError) -> any LabRun
    /// Compares two runs; the error names the one that can't be read.
    func compare(_ a: LabSide, _ b: LabSide) async throws(LabError) -> AdJSON
}

/// A side of a comparison: an ad of the lab, or the report page or trace of a run of another day.
package enum LabSide: Sendable {
    case run(any LabRun)
    case file([UInt8], name: String)
}

/// One running or ended ad.
package protocol LabRun: AnyObject, Sendable {
    /// The command line that repeats the run.
    var command: String { get }
    /// Sends an input of the user to the stage; inputs are handled in order.
    func send(_ input: LabInput)
    /// Performs an action of the user or the host app; an unknown one is an error.
    func perform(_ action: LabAction) throws(LabError)
    /// Ends the run.
    func end()
    /// The documents with the linter's findings.
    func source() async -> AdJSON
    /// The structure of the documents as a tree.
    func structure() async -> AdJSON
    /// A file about the run; nil if there is none (yet).
    func file(_ kind: LabFile) async -> [UInt8]?
    /// About how many bytes the run keeps.
    var bytes: Int { get }
}

/// A field of a form with its value; a field with several values is listed once for each.
package struct LabField: Hashable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// What to show: a source, and options of the command.
package struct LabOrder: Hashable, Sendable {
    package enum Source: Hashable, Sendable {
        /// Markup, or the bytes of a file, with a name.
        case document([UInt8], name: String)
        /// A URL, or the path of a file or folder of this computer.
        case address(String)
        case placement(provider: String, fields: [LabField])
        case bundled(String)
    }

    package let source: Source
    /// Long options of `show` without hyphens, in order; an empty value is a flag.
    package let options: [LabField]

    package init(_ source: Source, options: [LabField]) {
        self.source = source
        self.options = options
    }

    /// The bytes of its document.
    var bytes: Int { if case .document(let bytes, _) = self.source { bytes.count } else { 0 } }

    /// What the page has sent, as a file whose name the command that repeats the run has, too.
    package var file: (name: String, bytes: [UInt8])? {
        guard case .document(let bytes, let name) = self.source else { return nil }
        guard name != LabOrder.pastedName else { return ("pasted.txt", bytes) }
        let plain = name.split(separator: "/").last.map(String.init) ?? name
        let isSafe = { (character: Character) in
            character.isASCII && (character.isLetter || character.isNumber || "._- ".contains(character))
        }
        let safe = String(plain.map { isSafe($0) ? $0 : "_" })
        // A name such as - or .. would be read as something else. A folder was sent as a zip.
        let named = safe.contains { $0.isLetter || $0.isNumber } ? safe : "ad"
        let isFolder = AdBundle.isZip(bytes) && !named.asciiLowercased.hasSuffix(".zip")
        return (isFolder ? named + ".zip" : named, bytes)
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

/// Why a request is refused, for its response.
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
