import AdCore
import CLibXML2
import LibC

/// Builds a document from the parser's events.
///
/// It is a value at a fixed address: each event reaches it through a pointer.
struct VASTReader {
    /// An open element.
    struct Open {
        let element: VASTElement
        let line: Int
    }

    /// A creative that is being parsed; one element may contain several kinds of creatives.
    struct CreativeDraft {
        var id: String?
        var adID: String?
        var sequence: Int?
        var apiFramework: String?
        var universalAdIDs: [VASTUniversalAdID] = []
        var extensions: [VASTNode] = []
        var bodies: [VASTCreative.Body] = []
        var line: Int
    }

    /// The attributes of an element with text, until its end.
    struct Pending {
        var id: String?
        var type: String?
        var event: String?
        var offset: MediaOffset?
        var version: String?
        var authority: String?
        var registry: String?
        var registryValue: String?
        var model: String?
        var currency: String?
        var language: String?
        var apiFramework: String?
        var hasVariableDuration: Bool?
        var width: Int?
        var height: Int?
        var delivery: String?
        var codec: String?
        var isOffsetWrong = false
    }

    let limits: VASTLimits
    let expectedRoot: VASTRoot
    /// The number of lines before the parser's first line.
    let linesBefore: Int
    var document = VASTDocument()
    var root: String?
    var issues: IssueLog

    var open: [Open] = []
    /// The depth inside an unknown element that is skipped.
    var skipped = 0
    var text: [UInt8] = []
    var isCollecting = false
    var line = 0

    var ad: VASTAd?
    var inline: VASTInline?
    var wrapper: VASTWrapper?
    var creative: CreativeDraft?
    var linear: VASTLinear?
    var nonLinears: VASTNonLinears?
    var nonLinear: VASTNonLinear?
    var companions: VASTCompanions?
    var companion: VASTCompanion?
    var icon: VASTIcon?
    var media: VASTMediaFile?
    var verification: VASTVerification?
    var viewable: VASTViewable?
    var isInFallback = false
    var pending = Pending()
    /// Whether the last element with text had attributes.
    var hasPending = false
    var schedule = VMAPDocument()
    var adBreak: VMAPBreak?
    var source: VMAPSource?
    /// The open elements of an extension, outermost first.
    var nodes: [VASTNode] = []

    /// The line of a CDATA section without an end, where the document was cut; nil if there is none.
    var unclosedCDATA: Int?
    /// The first error that the parser reported.
    var firstError: (code: Int32, line: Int, message: String)?
    var stop: VASTError?

    init(_ limits: VASTLimits, expectedRoot: VASTRoot, linesBefore: Int) {
        self.limits = limits
        self.expectedRoot = expectedRoot
        self.linesBefore = linesBefore
        self.issues = IssueLog(limit: limits.issues)
        self.open.reserveCapacity(32)
        self.text.reserveCapacity(512)
    }

    /// The parent of the current element.
    var parent: VASTElement? { self.open.count > 1 ? self.open[self.open.count - 2].element : nil }

    // MARK: Issues

    mutating func addIssue(_ code: String, _ message: @autoclosure () -> String) {
        self.addIssue(code, self.line, message())
    }

    mutating func addIssue(_ code: String, _ line: Int, _ message: @autoclosure () -> String) {
        guard self.issues.hasRoom else { return self.issues.count() }
        self.issues.add(code, line: line, message())
    }

    /// A value, whose repair is recorded; nil if it is invalid.
    mutating func accept<Value>(_ value: VASTValue<Value>, of what: StaticString, _ bytes: ByteView) -> Value? {
        switch value {
        case .valid(let value): return value
        case .repaired(let value, let reason):
            self.addIssue("vast.\(what).odd", "\(what) is \u{201C}\(bytes.prefix(40).text)\u{201D}: \(reason)")
            return value
        case .invalid(let reason):
            if !bytes.isEmpty {
                self.addIssue(
                    "vast.\(what).wrong",
                    "\(what) is \u{201C}\(bytes.prefix(40).text)\u{201D}: \(reason); it is ignored"
                )
            }
            return nil
        }
    }
}

/// Limits for parsing a VAST or VMAP document.
public struct VASTLimits: Hashable, Sendable {
    /// The largest document in bytes.
    public var bytes = 4 * 1024 * 1024
    /// The longest tag in bytes, because libxml2 compares each attribute of a tag with all others.
    public var tag = 64 * 1024
    /// The deepest nesting of elements.
    public var depth = 128
    /// The maximum number of ads that are read.
    public var ads = 1000
    /// The maximum number of issues that are listed; one more counts the others.
    public var issues = 200

    /// The default limits.
    public static let standard = VASTLimits()

    /// Creates the default limits.
    public init() {}
}
