import Foundation

/// https://developer.apple.com/documentation/adattributionkit/appimpression
@available(iOS 17.4, *)
public struct AppImpression {
    /// https://developer.apple.com/documentation/adattributionkit/appimpression/init(compactjws:)
    public init(compactJWS: String) async throws

    /// https://developer.apple.com/documentation/adattributionkit/appimpression/issupported
    @available(iOS 18.0, *)
    public static var isSupported: Bool { get }

    /// https://developer.apple.com/documentation/adattributionkit/appimpression/beginview()
    public func beginView() async throws

    /// https://developer.apple.com/documentation/adattributionkit/appimpression/endview()
    public func endView() async throws
}
