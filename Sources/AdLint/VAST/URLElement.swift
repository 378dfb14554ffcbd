import AdCore
import AdHTML
import AdMarkup

/// An element whose text is a URL, and what the URL is for.
struct URLElement {
    enum Use: Equatable {
        case impression, error, viewable, clickTracking, clickThrough, media, resource, script, tag, survey, caption
        case tracking(event: String)

        /// Whether the URL is a tracker, whose response is ignored.
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

    /// The element's tag, for messages.
    var name: String {
        if case .tracking(let event) = self.use, !event.isEmpty { return "<Tracking event=\"\(event.excerpt(30))\">" }
        return "<\(self.element.written.excerpt(40))>"
    }

    /// Creates a value from an element; nil if the element's text is not a URL.
    init?(_ element: LintElement) {
        // Extensions are not defined by VAST, except verifications, which were there before 4.1 (VAST 4.3 §3.16).
        if element.isForeign, element.ancestor("Verification") == nil { return nil }
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
