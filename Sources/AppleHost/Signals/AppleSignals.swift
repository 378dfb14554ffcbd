#if canImport(UIKit)
    public import AdCore
    import AdRuntime
    import Foundation
    import Network
    import SystemSupport
    public import UIKit

    /// The signals of the system that ads depend on: whether the app or a scene of it is in front, and the network.
    ///
    /// - The app in the background is `.background(true)`.
    /// - An app that is on screen but not active, as under an alert or the list of apps, is `.covered(true)`.
    /// - The network is that of `NWPathMonitor`.
    ///
    /// What only the app knows it posts itself: what covers the ads, its views over them, the volume.
    public final class AppleSignals: HostSignals {
        private let source = HostSignalSource()
        private let machine = Locked(HostStateMachine())
        /// The signals in the order in which the machine decided them.
        private let unposted = SerialMailbox<HostSignal>()
        private let monitor = NWPathMonitor()
        private let tokens = Locked(NotificationTokens())

        /// Starts to watch the app, or one of its scenes.
        ///
        /// - Parameter scene: The scene that shows the ads; nil for an app with one scene. An app with several is in the
        ///   background only when all of them are, so each needs signals, and services, of its own.
        @MainActor public init(scene: UIScene? = nil) {
            let activity = scene.map { HostActivity($0.activationState) }
            self.handle(.activity(activity ?? HostActivity(UIApplication.shared.applicationState)))
            let names = scene == nil ? Self.appNotifications : Self.sceneNotifications
            for (name, activity) in names {
                let token = NotificationCenter.default.addObserver(forName: name, object: scene, queue: nil) {
                    [weak self] _ in
                    self?.handle(.activity(activity))
                }
                self.tokens.withLock { $0.list.append(token) }
            }
            self.monitor.pathUpdateHandler = { [weak self] path in self?.handle(.path(NetworkPath(path))) }
            self.monitor.start(queue: DispatchQueue(label: "yabbi.network"))
        }

        deinit {
            self.monitor.cancel()
            for token in self.tokens.withLock(\.list) { NotificationCenter.default.removeObserver(token) }
        }

        /// Reports the current state at once and then every change, until the observation is cancelled.
        public func observe(_ observer: @escaping @Sendable (HostSignal) -> Void) -> HostObservation {
            self.source.observe(observer)
        }

        /// Reports what only the app knows; `.background` and `.network` are the system's, and ignored.
        public func post(_ signal: HostSignal) { self.handle(.posted(signal)) }

        private func handle(_ input: HostStateMachine.Input) {
            self.machine.withLock { machine in
                for signal in machine.handle(input) { self.unposted.enqueue(signal) }
            }
            self.unposted.drain { self.source.post($0) }
        }

        private static let appNotifications: [(Notification.Name, HostActivity)] = [
            (UIApplication.didBecomeActiveNotification, .active),
            (UIApplication.willResignActiveNotification, .inactive),
            (UIApplication.didEnterBackgroundNotification, .background),
            (UIApplication.willEnterForegroundNotification, .inactive),
        ]

        private static let sceneNotifications: [(Notification.Name, HostActivity)] = [
            (UIScene.didActivateNotification, .active),
            (UIScene.willDeactivateNotification, .inactive),
            (UIScene.didEnterBackgroundNotification, .background),
            (UIScene.willEnterForegroundNotification, .inactive),
            (UIScene.didDisconnectNotification, .background),
        ]
    }

    /// The tokens of observers; they are opaque, and only given back.
    private struct NotificationTokens {
        var list: [any NSObjectProtocol] = []
    }

    extension HostActivity {
        fileprivate init(_ state: UIApplication.State) {
            switch state {
            case .active: self = .active
            case .inactive: self = .inactive
            default: self = .background
            }
        }

        fileprivate init(_ state: UIScene.ActivationState) {
            switch state {
            case .foregroundActive: self = .active
            case .foregroundInactive: self = .inactive
            default: self = .background
            }
        }
    }

    extension NetworkPath {
        fileprivate init(_ path: NWPath) {
            self.init(
                isUsable: path.status != .unsatisfied,
                usesCellular: path.usesInterfaceType(.cellular),
                usesLocalNetwork: path.usesInterfaceType(.wifi) || path.usesInterfaceType(.wiredEthernet),
                isExpensive: path.isExpensive
            )
        }
    }
#endif
