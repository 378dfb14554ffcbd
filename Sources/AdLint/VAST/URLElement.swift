import AdCore
import AdHTML
import AdMarkup

/// An element whose text is a URL, and what the URL is for.
struct URLElement {
    enum Use: Equatable, Sendable {
        case impression, error, viewable, clickTracking, clickThrough, media, resource, script, tag, survey, caption
        case tracking(event: String)

        /// Whether the URL is a tracker, whose response is ignored.
        var isTracker: Bool {
            switch self {
            case .impression, .error, .viewable, .clickTracking, .tracking: true
            default: false
            }
        }

        /// The use of the text of an element; nil if it is not a URL, and for `Tracking` without its event.
        init?(elementNamed name: String) {
            switch name {
            case "Impression": self = .impression
            case "Error": self = .error
            case "Viewable", "NotViewable", "ViewUndetermined": self = .viewable
            case "Tracking": self = .tracking(event: "")
            case "ClickTracking", "CustomClick", "NonLinearClickTracking", "CompanionClickTracking",
                "IconClickTracking":
                self = .clickTracking
            case "IconViewTracking": self = .tracking(event: "view")
            case "ClickThrough", "NonLinearClickThrough", "CompanionClickThrough", "IconClickThrough":
                self = .clickThrough
            case "MediaFile", "Mezzanine", "InteractiveCreativeFile": self = .media
            case "ClosedCaptionFile": self = .caption
            case "StaticResource", "IFrameResource", "FlashResource": self = .resource
            case "JavaScriptResource", "ExecutableResource": self = .script
            case "VASTAdTagURI", "AdTagURI": self = .tag
            case "Survey": self = .survey
            default: return nil
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
        guard let use = element.elementName.urlUse else { return nil }
        if element.isForeign, element.name != element.elementName.corrected || element.ancestor("Verification") == nil {
            return nil
        }
        self.use = use == .tracking(event: "") ? .tracking(event: element.attribute("event") ?? "") : use
        self.element = element
    }
}
