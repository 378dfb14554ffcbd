/// https://developer.apple.com/documentation/swiftui/text
@frozen public struct Text: View, Equatable, Sendable {
    /// https://developer.apple.com/documentation/swiftui/text/init(verbatim:)
    public init(verbatim content: String)

    /// https://developer.apple.com/documentation/swiftui/text
    @_disfavoredOverload public init<S: StringProtocol>(_ content: S)

    /// https://developer.apple.com/documentation/swiftui/view/body-8kl5o
    public var body: Never { get }
}

/// https://developer.apple.com/documentation/swiftui/button
public struct Button<Label: View>: View {
    /// https://developer.apple.com/documentation/swiftui/button/init(action:label:)
    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label)

    /// https://developer.apple.com/documentation/swiftui/view/body-8kl5o
    public var body: some View { get }
}

/// https://developer.apple.com/documentation/swiftui/vstack
@frozen public struct VStack<Content: View>: View {
    /// https://developer.apple.com/documentation/swiftui/vstack/init(alignment:spacing:content:)
    public init(
        alignment: HorizontalAlignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    )

    /// https://developer.apple.com/documentation/swiftui/view/body-8kl5o
    public var body: Never { get }
}

/// https://developer.apple.com/documentation/swiftui/zstack
@frozen public struct ZStack<Content: View>: View {
    /// https://developer.apple.com/documentation/swiftui/zstack/init(alignment:content:)
    public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content)

    /// https://developer.apple.com/documentation/swiftui/view/body-8kl5o
    public var body: Never { get }
}

/// https://developer.apple.com/documentation/swiftui/horizontalalignment
@frozen public struct HorizontalAlignment: Equatable, Sendable {
    /// https://developer.apple.com/documentation/swiftui/horizontalalignment/leading
    public static let leading: HorizontalAlignment

    /// https://developer.apple.com/documentation/swiftui/horizontalalignment/center
    public static let center: HorizontalAlignment
}

/// https://developer.apple.com/documentation/swiftui/color
@frozen public struct Color: View, Hashable, Sendable {
    /// https://developer.apple.com/documentation/swiftui/color/clear
    public static let clear: Color

    /// https://developer.apple.com/documentation/swiftui/color/black
    public static let black: Color

    /// https://developer.apple.com/documentation/swiftui/view/body-8kl5o
    public var body: Never { get }
}

/// https://developer.apple.com/documentation/swiftui/proposedviewsize
@available(iOS 16.0, macOS 13.0, tvOS 16.0, *)
@frozen public struct ProposedViewSize: Equatable, Sendable {
    /// https://developer.apple.com/documentation/swiftui/proposedviewsize/width
    public var width: CGFloat? { get set }

    /// https://developer.apple.com/documentation/swiftui/proposedviewsize/height
    public var height: CGFloat? { get set }
}
