public import AdCore
import AdMarkup

extension HTMLDocument {
    /// A link: `<a>`, `<area>`, or a link in SVG.
    public struct Link: Hashable, Sendable {
        /// The URL as it is in the markup, including macros.
        public let template: URLTemplate
        /// The frame or window that it opens in: its own `target`, else that of `<base>`.
        public let target: String?
        /// The line, counted from 1.
        public let line: Int
        /// Whether it is in `noscript` or `template`, or is the fallback of media.
        public let isInert: Bool
        /// The URL that a relative URL is resolved against.
        var base: HTTPURL?

        /// The click-through URL; nil if the link opens nothing outside the creative.
        ///
        /// A relative URL is resolved against the document's `base`. Without a base, a URL that lacks only its scheme
        /// (`//host/path`) becomes an `https` URL, as on a stage.
        public var clickThroughURL: ClickThroughURL? { ClickThroughURL(self.template.resolved(from: self.base)) }
    }

    /// An image.
    public struct Image: Hashable, Sendable {
        /// How an image is used.
        public enum Role: String, Hashable, Sendable {
            /// An `<img>`, or an image in SVG.
            case picture
            /// The background of an element, from an attribute, an inline style or a style sheet of the markup.
            case background
        }

        /// The URL as it is in the markup; of several sizes the first.
        public let template: URLTemplate
        /// Whether it is an image element or a background.
        public let role: Role
        /// The width in CSS pixels; nil if it is not in pixels.
        public let width: Double?
        /// The height in CSS pixels; nil if it is not in pixels.
        public let height: Double?
        /// The line, counted from 1.
        public let line: Int
        /// Whether it is in `noscript` or `template`, or is the fallback of media.
        public let isInert: Bool
    }

    /// An invisible image: 1 × 1 or smaller, or hidden.
    public struct Pixel: Hashable, Sendable {
        /// The URL as it is in the markup, including macros.
        public let template: URLTemplate
        /// The line, counted from 1.
        public let line: Int
        /// Whether it is in `noscript` or `template`, or is the fallback of media, so it never loads.
        public let isInert: Bool
        /// The URL that a relative URL is resolved against.
        var base: HTTPURL?

        /// The tracking URL; nil if it is not an `http` or `https` URL.
        public var tracking: TrackingURL? { TrackingURL(self.template.resolved(from: self.base)) }
    }

    /// The source of a script or a style sheet.
    public enum Source: Hashable, Sendable {
        /// A file at a URL.
        case external(URLTemplate)
        /// The markup itself.
        case inline(byteCount: Int)
    }

    /// A script element.
    public struct Script: Hashable, Sendable {
        /// The source of the code.
        public let source: Source
        /// Whether it holds data, or code that browsers don't run.
        public let isData: Bool
        /// The line, counted from 1.
        public let line: Int
    }

    /// A style sheet.
    public struct Stylesheet: Hashable, Sendable {
        /// The source of the code.
        public let source: Source
        /// The line, counted from 1.
        public let line: Int
    }

    /// An embedded element: a frame, a media element, a drawing or a plug-in.
    public struct Embed: Hashable, Sendable {
        /// The kind of an element.
        public enum Kind: String, Hashable, Sendable {
            /// A frame.
            case iframe
            /// A video.
            case video
            /// An audio element.
            case audio
            /// A canvas, which a script draws on.
            case canvas
            /// An SVG drawing.
            case svg
            /// An `<object>`: a plug-in or an embedded file.
            case object
            /// An `<embed>`: a plug-in.
            case embed
        }

        /// The kind of the element.
        public let kind: Kind
        /// The URL as it is in the markup; of media with several sources the first.
        public internal(set) var template: URLTemplate?
        /// The width in CSS pixels; nil if it is not in pixels.
        public let width: Double?
        /// The height in CSS pixels; nil if it is not in pixels.
        public let height: Double?
        /// Whether it is invisible: hidden, or 1 × 1 or smaller.
        public let isHidden: Bool
        /// The line, counted from 1.
        public let line: Int
    }

    /// A form.
    public struct Form: Hashable, Sendable {
        /// The `action` as it is in the markup; nil if it is missing.
        public let action: URLTemplate?
        /// The line, counted from 1.
        public let line: Int
    }

    /// A viewport declaration.
    public struct Viewport: Hashable, Sendable {
        /// The layout width.
        public enum Width: Hashable, Sendable {
            /// The width of the screen or container (`device-width`).
            case device
            /// A number of CSS pixels.
            case pixels(Double)
        }

        /// The declaration as it is in the markup.
        public let content: String
        /// The declared width.
        public let width: Width?
        /// The declared initial scale.
        public let initialScale: Double?
        /// The line, counted from 1.
        public let line: Int
    }

    /// The size that a creative declares.
    public struct DeclaredSize: Hashable, Sendable {
        /// Where the size was found, the strongest evidence first.
        public enum Evidence: String, Hashable, Sendable {
            /// `<meta name="ad.size">`
            case meta
            /// The width and height of the only top-level element.
            case rootElement
            /// The width and height of the only image.
            case image
        }

        /// The width in CSS pixels.
        public let width: Int
        /// The height in CSS pixels.
        public let height: Int
        /// Where the size was found.
        public let evidence: Evidence
    }

    /// A redirect without a click.
    public struct Refresh: Hashable, Sendable {
        /// The delay in seconds.
        public let delay: Double
        /// The URL; nil if the creative reloads itself.
        public let template: URLTemplate?
        /// The line, counted from 1.
        public let line: Int
    }

    /// A resource that loads over plain `http`.
    public struct InsecureResource: Hashable, Sendable {
        /// The use of a resource.
        public enum Kind: String, Hashable, Sendable {
            /// An image, a background or a poster.
            case image
            /// An impression pixel.
            case pixel
            /// A script.
            case script
            /// A style sheet.
            case stylesheet
            /// The page of a frame.
            case frame
            /// Video or audio.
            case media
            /// A plug-in or an embedded file.
            case object
            /// A file in a style that is not an image, usually a font.
            case font
        }

        /// The use of the resource.
        public let kind: Kind
        /// The URL as it is in the markup.
        public let template: URLTemplate
        /// The line, counted from 1.
        public let line: Int
    }
}
