import Foundation

/// https://developer.apple.com/documentation/swiftui/localizedstringkey
@frozen public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation {
    /// https://developer.apple.com/documentation/swiftui/localizedstringkey/init(_:)
    public init(_ value: String)

    /// https://developer.apple.com/documentation/swiftui/localizedstringkey/init(stringliteral:)
    public init(stringLiteral value: String)
}

extension Text {
    /// https://developer.apple.com/documentation/swiftui/text
    public init(_ key: LocalizedStringKey)
}

extension Button where Label == Text {
    /// https://developer.apple.com/documentation/swiftui/button
    nonisolated public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void)
}

/// https://developer.apple.com/documentation/swiftui/label
public struct Label<Title: View, Icon: View>: View {
    /// https://developer.apple.com/documentation/swiftui/view/body-8kl5o
    public var body: some View { get }
}

extension Label where Title == Text, Icon == Image {
    /// https://developer.apple.com/documentation/swiftui/label
    nonisolated public init(_ titleKey: LocalizedStringKey, systemImage name: String)
}

/// https://developer.apple.com/documentation/swiftui/image
@frozen public struct Image: View, Equatable, Sendable {
    /// https://developer.apple.com/documentation/swiftui/view/body-8kl5o
    public var body: Never { get }
}

/// https://developer.apple.com/documentation/swiftui/toggle
public struct Toggle<Label: View>: View {
    /// https://developer.apple.com/documentation/swiftui/view/body-8kl5o
    public var body: some View { get }
}

extension Toggle where Label == Text {
    /// https://developer.apple.com/documentation/swiftui/toggle
    nonisolated public init(_ titleKey: LocalizedStringKey, isOn: Binding<Bool>)
}

/// https://developer.apple.com/documentation/swiftui/textfield
public struct TextField<Label: View>: View {
    /// https://developer.apple.com/documentation/swiftui/view/body-8kl5o
    public var body: some View { get }
}

extension TextField where Label == Text {
    /// https://developer.apple.com/documentation/swiftui/textfield
    nonisolated public init(_ titleKey: LocalizedStringKey, text: Binding<String>)
}

/// https://developer.apple.com/documentation/swiftui/foreach
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {}

extension ForEach where ID == Data.Element.ID, Content: View, Data.Element: Identifiable {
    /// https://developer.apple.com/documentation/swiftui/foreach
    nonisolated public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
}

extension ForEach: View where Content: View {
    /// https://developer.apple.com/documentation/swiftui/foreach
    public typealias Body = Never

    /// https://developer.apple.com/documentation/swiftui/view/body-8kl5o
    public var body: Never { get }
}

/// https://developer.apple.com/documentation/swiftui/list
public struct List<SelectionValue: Hashable, Content: View>: View {
    /// https://developer.apple.com/documentation/swiftui/view/body-8kl5o
    public var body: some View { get }
}

extension List where SelectionValue == Never {
    /// https://developer.apple.com/documentation/swiftui/list
    nonisolated public init(@ViewBuilder content: () -> Content)
}

/// https://developer.apple.com/documentation/swiftui/tabview
public struct TabView<SelectionValue: Hashable, Content: View>: View {
    /// https://developer.apple.com/documentation/swiftui/view/body-8kl5o
    public var body: some View { get }
}

extension TabView where SelectionValue == Int {
    /// https://developer.apple.com/documentation/swiftui/tabview/init(content:)
    nonisolated public init(@ViewBuilder content: () -> Content)
}

extension View {
    /// https://developer.apple.com/documentation/swiftui/view/tabitem(_:)
    nonisolated public func tabItem<V: View>(@ViewBuilder _ label: () -> V) -> some View

    /// https://developer.apple.com/documentation/swiftui/view/onsubmit(of:_:)
    nonisolated public func onSubmit(_ action: @escaping (() -> Void)) -> some View

    /// https://developer.apple.com/documentation/swiftui/view/padding(_:)
    nonisolated public func padding(_ length: CGFloat) -> some View

    /// https://developer.apple.com/documentation/swiftui/view/onchange(of:perform:)
    nonisolated public func onChange<V: Equatable>(of value: V, perform action: @escaping (_ newValue: V) -> Void)
        -> some View
}
