import AdCore
import CLibXML2
import LibC

/// Builds a document from the parser's events.
///
/// It is a value at a fixed place, not an object: each event reaches it through a pointer.
struct VASTReader {
    /// An element that is open.
    struct Open {
        let element: VASTElement
        let line: Int
    }

    /// A creative that is being read: one element may hold several kinds of creatives.
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

    /// What the attributes of an element with text said, until its text is there.
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

    /// Which root is awaited.
    enum Root { case vast, vmap }

    let limits: VASTLimits
    let wanted: Root
    /// How many lines were left out before the parser's first.
    let linesBefore: Int
    var document = VASTDocument()
    var root: String?
    var issues: IssueLog

    var open: [Open] = []
    /// How many elements are open inside one that VAST does not know.
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
    var plan = VMAPDocument()
    var adBreak: VMAPBreak?
    var source: VMAPSource?
    /// The elements of an extension that are open, outermost first.
    var nodes: [VASTNode] = []

    /// Where the document was cut because a CDATA section has no end; nil for one that goes to its own end.
    var unclosedCDATA: Int?
    /// The first fault that the parser told of.
    var fault: (code: Int32, line: Int, words: String)?
    var stop: VASTError?

    init(_ limits: VASTLimits, wanted: Root, linesBefore: Int) {
        self.limits = limits
        self.wanted = wanted
        self.linesBefore = linesBefore
        self.issues = IssueLog(limit: limits.issues)
        self.open.reserveCapacity(32)
        self.text.reserveCapacity(1024)
    }

    /// The element around the one that is being read.
    var parent: VASTElement? { self.open.count > 1 ? self.open[self.open.count - 2].element : nil }

    // MARK: Issues

    mutating func addIssue(_ code: String, _ message: @autoclosure () -> String) {
        self.addIssue(code, self.line, message())
    }

    mutating func addIssue(_ code: String, _ line: Int, _ message: @autoclosure () -> String) {
        guard self.issues.hasRoom else { return self.issues.count() }
        self.issues.add(code, line: line, message())
    }

    /// A value, its repair noted; nil if it can't be had.
    mutating func accept<Value>(_ value: VASTValue<Value>, of what: StaticString, _ bytes: ByteView) -> Value? {
        switch value {
        case .right(let value): return value
        case .repaired(let value, let why):
            self.addIssue("vast.\(what).odd", "\(what) is \u{201C}\(bytes.prefix(40).text)\u{201D}: \(why)")
            return value
        case .wrong(let why):
            if !bytes.isEmpty {
                self.addIssue(
                    "vast.\(what).wrong",
                    "\(what) is \u{201C}\(bytes.prefix(40).text)\u{201D}: \(why), and was left out"
                )
            }
            return nil
        }
    }
}

/// How much of a VAST or VMAP document is read before it counts as hostile.
public struct VASTLimits: Hashable, Sendable {
    /// The largest document, in bytes.
    public var bytes = 4 * 1024 * 1024
    /// The longest tag, in bytes: the parser compares each attribute of a tag with all others.
    public var tag = 64 * 1024
    /// How deep elements may be nested.
    public var depth = 128
    /// How many ads are read.
    public var ads = 1000
    /// How many issues are listed; one more says how many others there are.
    public var issues = 200

    /// The default limits.
    public static let standard = VASTLimits()

    /// The default limits, to be changed.
    public init() {}
}
