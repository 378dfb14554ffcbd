#if canImport(UIKit)
    /// https://developer.apple.com/documentation/swiftui/uiviewrepresentable
    @MainActor @preconcurrency public protocol UIViewRepresentable: View where Self.Body == Never {
        /// https://developer.apple.com/documentation/swiftui/uiviewrepresentable/uiviewtype
        associatedtype UIViewType: UIView

        /// https://developer.apple.com/documentation/swiftui/uiviewrepresentable/coordinator
        associatedtype Coordinator = Void

        /// https://developer.apple.com/documentation/swiftui/uiviewrepresentable/context
        typealias Context = UIViewRepresentableContext<Self>

        /// https://developer.apple.com/documentation/swiftui/uiviewrepresentable/makeuiview(context:)
        @MainActor @preconcurrency func makeUIView(context: Self.Context) -> Self.UIViewType

        /// https://developer.apple.com/documentation/swiftui/uiviewrepresentable/updateuiview(_:context:)
        @MainActor @preconcurrency func updateUIView(_ uiView: Self.UIViewType, context: Self.Context)

        /// https://developer.apple.com/documentation/swiftui/uiviewrepresentable/dismantleuiview(_:coordinator:)
        @MainActor @preconcurrency
        static func dismantleUIView(_ uiView: Self.UIViewType, coordinator: Self.Coordinator)

        /// https://developer.apple.com/documentation/swiftui/uiviewrepresentable/makecoordinator()
        @MainActor @preconcurrency func makeCoordinator() -> Self.Coordinator

        /// https://developer.apple.com/documentation/swiftui/uiviewrepresentable/sizethatfits(_:uiview:context:)
        @available(iOS 16.0, tvOS 16.0, *) @MainActor @preconcurrency
        func sizeThatFits(_ proposal: ProposedViewSize, uiView: Self.UIViewType, context: Self.Context) -> CGSize?
    }

    extension UIViewRepresentable {
        /// https://developer.apple.com/documentation/swiftui/uiviewrepresentable/dismantleuiview(_:coordinator:)
        @MainActor @preconcurrency
        public static func dismantleUIView(_ uiView: Self.UIViewType, coordinator: Self.Coordinator)

        /// https://developer.apple.com/documentation/swiftui/uiviewrepresentable/sizethatfits(_:uiview:context:)
        @available(iOS 16.0, tvOS 16.0, *) @MainActor @preconcurrency
        public func sizeThatFits(_ proposal: ProposedViewSize, uiView: Self.UIViewType, context: Self.Context)
            -> CGSize?

        /// https://developer.apple.com/documentation/swiftui/view/body-8kl5o
        @MainActor @preconcurrency public var body: Never { get }
    }

    extension UIViewRepresentable where Self.Coordinator == Void {
        /// https://developer.apple.com/documentation/swiftui/uiviewrepresentable/makecoordinator()
        @MainActor @preconcurrency public func makeCoordinator() -> Self.Coordinator
    }

    /// https://developer.apple.com/documentation/swiftui/uiviewrepresentablecontext
    @MainActor @preconcurrency public struct UIViewRepresentableContext<Representable: UIViewRepresentable> {
        /// https://developer.apple.com/documentation/swiftui/uiviewrepresentablecontext/coordinator
        @MainActor @preconcurrency public let coordinator: Representable.Coordinator

        /// https://developer.apple.com/documentation/swiftui/uiviewrepresentablecontext/environment
        @MainActor @preconcurrency public var environment: EnvironmentValues { get }
    }

    /// https://developer.apple.com/documentation/swiftui/uihostingcontroller
    @MainActor @preconcurrency open class UIHostingController<Content: View>: UIViewController {
        /// https://developer.apple.com/documentation/swiftui/uihostingcontroller/init(rootview:)
        public init(rootView: Content)

        /// https://developer.apple.com/documentation/uikit/uiviewcontroller/init(coder:)
        public required dynamic init?(coder aDecoder: NSCoder)

        /// https://developer.apple.com/documentation/swiftui/uihostingcontroller/rootview
        public var rootView: Content { get set }
    }
#endif
