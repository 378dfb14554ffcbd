public import AdCore
import AdMarkup

extension HTMLDocument {
    /// A link: `<a>`, `<area>`, or a link in SVG.
    public struct Link: Hashable, Sendable {
        /// The address as it was written, macros included.
        public let template: URLTemplate
        /// The frame or window it opens in: its own `target`, else that of `<base>`.
        public let target: String?
        /// The line, counted from 1.
        public let line: Int
        /// Whether it is in `noscript` or `template`, or is the fallback of media.
        public let isInert: Bool
        /// What a relative URL is resolved against.
        var base: HTTPURL?

        /// The click-through URL; nil if it opens nothing outside the creative.
        ///
        /// What it leaves out comes from the document's `base`. Without one, an address that lacks nothing but its
        /// scheme (`//host/path`) gets `https`, as it has on a stage.
        public var landing: ClickThroughURL? { ClickThroughURL(self.template.resolved(from: self.base)) }
    }

    /// A image.
    public struct Image: Hashable, Sendable {
        /// Where an image comes from.
        public enum Role: String, Hashable, Sendable {
            /// An image element, or an image in SVG.
            case picture
            /// The background of a box, from an attribute, an inline style or a style sheet in the markup.
            case background
        }

        /// The address as it was written; of several sizes the first.
        public let template: URLTemplate
        /// Whether it is an image of its own or a background.
        public let role: Role
        /// The width in CSS pixels, where it is given outright.
        public let width: Double?
        /// The height in CSS pixels, where it is given outright.
        public let height: Double?
        /// The line, counted from 1.
        public let line: Int
        /// Whether it is in `noscript` or `template`, or is the fallback of media.
        public let isInert: Bool
    }

    /// An invisible image: 1 × 1 or smaller, or hidden.
    public struct Pixel: Hashable, Sendable {
        /// The address as it was written, macros included.
        public let template: URLTemplate
        /// The line, counted from 1.
        public let line: Int
        /// Whether it is in `noscript` or `template`, or is the fallback of media: then it is never fetched.
        public let isInert: Bool
        /// Where its address begins, if it does not say the whole.
        var base: HTTPURL?

        /// The address it calls; nil if that is no `http` address.
        public var tracking: TrackingURL? { TrackingURL(self.template.resolved(from: self.base)) }
    }

    /// Where a script or a style sheet comes from.
    public enum Source: Hashable, Sendable {
        /// From an address.
        case external(URLTemplate)
        /// From the markup itself.
        case inline(byteCount: Int)
    }

    /// A script element.
    public struct Script: Hashable, Sendable {
        /// Where it comes from.
        public let source: Source
        /// Whether it holds data, or code in a language that browsers don't run.
        public let isData: Bool
        /// The line, counted from 1.
        public let line: Int
    }

    /// A style sheet.
    public struct Stylesheet: Hashable, Sendable {
        /// Where it comes from.
        public let source: Source
        /// The line, counted from 1.
        public let line: Int
    }

    /// Something in the page that is a world of its own.
    public struct Embed: Hashable, Sendable {
        /// What kind of element it is.
        public enum Kind: String, Hashable, Sendable {
            /// A frame with a page of its own.
            case iframe
            /// A video.
            case video
            /// A sound.
            case audio
            /// A surface that a script draws on.
            case canvas
            /// A drawing.
            case svg
            /// A plug-in, or a file shown in place.
            case object
            /// A plug-in, in the old way.
            case embed
        }

        /// What kind of element it is.
        public let kind: Kind
        /// The address as it was written; of media with several sources the first.
        public internal(set) var template: URLTemplate?
        /// The width in CSS pixels, where it is given outright.
        public let width: Double?
        /// The height in CSS pixels, where it is given outright.
        public let height: Double?
        /// Whether it is invisible: hidden, or 1 × 1 or smaller.
        public let isHidden: Bool
        /// The line, counted from 1.
        public let line: Int
    }

    /// A form for the user to fill in.
    public struct Form: Hashable, Sendable {
        /// Where it is sent, as it was written; nil if that is the creative's own address.
        public let action: URLTemplate?
        /// The line, counted from 1.
        public let line: Int
    }

    /// What a viewport declaration asks for.
    public struct Viewport: Hashable, Sendable {
        /// The layout width.
        public enum Width: Hashable, Sendable {
            /// As wide as the screen, or the container.
            case device
            /// So many CSS pixels.
            case pixels(Double)
        }

        /// The declaration as it was written.
        public let content: String
        /// The width, where it names one.
        public let width: Width?
        /// The scale at the beginning, where it names one.
        public let initialScale: Double?
        /// The line, counted from 1.
        public let line: Int
    }

    /// The size that a creative declares.
    public struct DeclaredSize: Hashable, Sendable {
        /// Where the size was found, the strongest first.
        public enum Evidence: String, Hashable, Sendable {
            /// `<meta name="ad.size">`
            case meta
            /// The only element at the top has a width and a height.
            case rootElement
            /// The only image has a width and a height.
            case image
        }

        /// The width in CSS pixels.
        public let width: Int
        /// The height in CSS pixels.
        public let height: Int
        /// Where it was found.
        public let evidence: Evidence
    }

    /// A redirect without a click.
    public struct Refresh: Hashable, Sendable {
        /// After how many seconds.
        public let delay: Double
        /// Where to; nil if the creative loads itself again.
        public let template: URLTemplate?
        /// The line, counted from 1.
        public let line: Int
    }

    /// Something fetched over plain `http`.
    public struct InsecureResource: Hashable, Sendable {
        /// What it is for.
        public enum Kind: String, Hashable, Sendable {
            /// A image, a background or a poster.
            case image
            /// An invisible image.
            case pixel
            /// A script.
            case script
            /// A style sheet.
            case stylesheet
            /// The page in a frame.
            case frame
            /// Video or audio.
            case media
            /// A plug-in, or a file shown in place.
            case object
            /// Something that a style names and does not paint: mostly a font.
            case font
        }

        /// What it is for.
        public let kind: Kind
        /// The address as it was written.
        public let template: URLTemplate
        /// The line, counted from 1.
        public let line: Int
    }
}
