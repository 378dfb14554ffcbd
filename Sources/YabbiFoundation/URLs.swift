public import AdCore
public import Foundation
public import YabbiAds

extension HTTPURL {
    /// Creates a URL from Foundation's; a relative one is resolved against its base.
    public init(url: URL) throws(ParseError) { try self.init(parsing: url.absoluteString) }
}

extension URL {
    /// Creates Foundation's URL from one of this package.
    ///
    /// Brackets outside of its host are escaped, because Foundation holds none. It is nil where Foundation holds no such
    /// URL at all.
    public init?(_ url: HTTPURL) { self.init(string: PercentEncoding.withoutBrackets(url.text)) }

    /// Creates Foundation's URL from the click-through URL of an ad, for the app's `URLOpener`.
    ///
    /// Brackets outside of its host are escaped, because Foundation holds none. It is nil where Foundation holds no such
    /// URL at all; the opener then reports the link as not opened.
    public init?(_ url: ClickThroughURL) { self.init(string: PercentEncoding.withoutBrackets(url.text)) }
}

extension BeaconFolder {
    /// Creates a folder from a `file:` URL, as `FileManager` returns them.
    ///
    /// - Parameter url: The URL of the folder, which is created when it is needed.
    /// - Throws: `AdSetupError` for a URL that is no file's.
    public init(url: URL) throws(AdSetupError) { try self.init(url.absoluteString) }
}
