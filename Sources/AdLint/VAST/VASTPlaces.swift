import AdCore
import AdHTML
import AdMarkup

/// An address in a document: what it is for, and where it stands.
struct VASTPlace {
    enum Use: Equatable {
        case impression, error, viewable, clickTracking, clickThrough, media, resource, script, tag, survey, caption
        case tracking(event: String)

        /// Whether it is called without anybody looking at the answer.
        var isTracker: Bool {
            switch self {
            case .impression, .error, .viewable, .clickTracking, .tracking: true
            default: false
            }
        }
    }

    let use: Use
    let element: LintElement

    var text: String { self.element.text }
    var place: SourcePlace { self.element.textPlace }
    var line: Int { self.element.textLine }

    /// What the address is for, in words.
    var name: String {
        if case .tracking(let event) = self.use, !event.isEmpty { return "<Tracking event=\"\(event.excerpt(30))\">" }
        return "<\(self.element.written.excerpt(40))>"
    }

    /// The address that an element has as its text; nil if its text is none.
    init?(_ element: LintElement) {
        // An extension is everybody's own, but for the verifications that stood there before 4.1.
        if element.isForeign, element.outer("Verification") == nil { return nil }
        switch element.name {
        case "Impression": self.use = .impression
        case "Error": self.use = .error
        case "Viewable", "NotViewable", "ViewUndetermined": self.use = .viewable
        case "Tracking": self.use = .tracking(event: element.attribute("event") ?? "")
        case "ClickTracking", "CustomClick", "NonLinearClickTracking", "CompanionClickTracking", "IconClickTracking":
            self.use = .clickTracking
        case "IconViewTracking": self.use = .tracking(event: "view")
        case "ClickThrough", "NonLinearClickThrough", "CompanionClickThrough", "IconClickThrough":
            self.use = .clickThrough
        case "MediaFile", "Mezzanine", "InteractiveCreativeFile": self.use = .media
        case "ClosedCaptionFile": self.use = .caption
        case "StaticResource", "IFrameResource", "FlashResource": self.use = .resource
        case "JavaScriptResource", "ExecutableResource": self.use = .script
        case "VASTAdTagURI", "AdTagURI": self.use = .tag
        case "Survey": self.use = .survey
        default: return nil
        }
        self.element = element
    }
}
