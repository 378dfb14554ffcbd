public import AdCore

/// The app's data in requests to Smartico, and the URLs of the servers.
///
/// ```swift
/// let app = SmarticoApp(labelKey: "…", brandKey: nil, id: "com.example.game", version: "1.2.29", deviceID: deviceID)
/// ```
public struct SmarticoApp: Hashable, Sendable {
    /// The label's key from Smartico.
    public let labelKey: String
    /// The brand's key within the label; nil if the label has no brands.
    public let brandKey: String?
    /// The app's bundle id.
    public let id: String
    /// The app's version, as in `1.2.29`.
    public let version: String
    /// An id of this device, which the app stores.
    public let deviceID: String
    /// The device as messages describe it.
    public let agent: SmarticoAgent
    /// The user's current page in the app, as a URL or a name.
    public let page: String
    /// The URL of the WebSocket, without a query.
    public let socket: SocketURL
    /// The base URL of the HTTP calls.
    public let services: HTTPURL

    /// The default URL of the WebSocket.
    public static let standardSocket: SocketURL = {
        guard let url = SocketURL("wss://api.smartico.ai/websocket/services") else {
            preconditionFailure("invalid URL literal")
        }
        return url
    }()

    /// The base URL of the HTTP calls in an environment, as in 2 for `papi2`.
    public static func services(environment: Int) -> HTTPURL {
        guard let url = HTTPURL("https://papi\(max(0, environment)).smartico.ai/services/public") else {
            preconditionFailure("a number can't make the host invalid")
        }
        return url
    }

    /// Creates an app.
    public init(
        labelKey: String,
        brandKey: String?,
        id: String,
        version: String,
        deviceID: String,
        agent: SmarticoAgent = SmarticoAgent(),
        page: String? = nil,
        socket: SocketURL = SmarticoApp.standardSocket,
        services: HTTPURL = SmarticoApp.services(environment: 2)
    ) {
        self.labelKey = labelKey
        self.brandKey = brandKey
        self.id = id
        self.version = version
        self.deviceID = deviceID
        self.agent = agent
        self.page = page ?? "app://\(id)"
        self.socket = socket
        self.services = services
    }

    /// The URL of the WebSocket with the query that the server requires.
    func socketAddress() throws(AdError) -> SocketURL {
        guard !self.socket.http.target.contains("?") else {
            throw AdError(.invalidRequest, "the socket's URL has a query; remove it")
        }
        let query =
            "?master&domain=\(PercentEncoding.component(self.id))&version=\(PercentEncoding.component(self.version))"
        do throws(HTTPURL.ParseError) {
            return SocketURL(try HTTPURL(parsing: self.socket.http.text + query))
        } catch {
            throw AdError(.invalidRequest, "the socket's URL can't be used: \(error.reason)")
        }
    }
}

/// The device as Smartico's messages describe it.
public struct SmarticoAgent: Hashable, Sendable {
    /// A number that identifies the device; nil if there is none.
    public let fingerprint: Int64?
    /// The user agent of a browser; nil if there is none.
    public let userAgent: String?
    /// The domain of the user's page; nil in an app.
    public let host: String?
    /// The kind of device: `phone` or `tablet`.
    public let deviceType: String
    /// The browser's name; nil if there is none.
    public let browser: String?
    /// The operating system.
    public let os: String

    /// The kind of a phone.
    public static let phone = "NATIVE_PHONE"
    /// The kind of a tablet.
    public static let tablet = "NATIVE_TABLET"

    /// Creates a description of a device.
    public init(
        fingerprint: Int64? = nil,
        userAgent: String? = nil,
        host: String? = nil,
        deviceType: String = SmarticoAgent.phone,
        browser: String? = nil,
        os: String = "iOS"
    ) {
        self.fingerprint = fingerprint
        self.userAgent = userAgent
        self.host = host
        self.deviceType = deviceType
        self.browser = browser
        self.os = os
    }

    /// The fields in the order of the protocol, their names with a prefix.
    func json(_ prefix: String = "", minutesBehindUTC: Int) -> AdJSON {
        let fields: [(String, AdJSON?)] = [
            ("fp", self.fingerprint.map { .int($0) }), ("agent", self.userAgent.map { .string($0) }),
            ("host", self.host.map { .string($0) }), ("device_type", .string(self.deviceType)),
            ("tzoffset", .int(minutesBehindUTC)), ("browser", self.browser.map { .string($0) }),
            ("os", .string(self.os)),
        ]
        return .object(fields.compactMap { name, value in value.map { AdJSON.Member(prefix + name, $0) } })
    }
}

/// The user who is logged in.
public struct SmarticoUser: Hashable, Sendable {
    /// The app's own id of the user.
    public let id: String
    /// The hash that authenticates the user, if the label requires one.
    public let hash: String?

    /// Creates a user.
    public init(id: String, hash: String? = nil) {
        self.id = id
        self.hash = hash
    }
}

/// The device's registration for push notifications.
public struct SmarticoPush: Hashable, Sendable {
    /// The platforms as Smartico numbers them.
    public enum Platform: Int, Hashable, Sendable, CaseIterable {
        /// A browser on a desktop.
        case chromeDesktop, firefoxDesktop, edgeDesktop, operaDesktop, safariDesktop
        /// Anything else.
        case other
        /// An app for iOS.
        case iOS
        /// An app for Android.
        case android
        /// A browser on a phone.
        case chromeMobile, firefoxMobile, safariMobile, operaMobile
    }

    /// Whether the user allows push notifications, as Smartico numbers it.
    public enum Status: Int, Hashable, Sendable, CaseIterable {
        /// Allowed.
        case allowed
        /// Not asked yet.
        case ask
        /// Refused.
        case blocked
        /// Suspended for a time.
        case suspended
        /// This device has no push notifications.
        case notSupported
    }

    /// The push token; nil if there is none.
    public let token: String?
    /// Whether the user allows push notifications.
    public let status: Status
    /// The platform of the app.
    public let platform: Platform

    /// Creates a registration.
    public init(token: String?, status: Status = .allowed, platform: Platform) {
        self.token = token
        self.status = status
        self.platform = platform
    }
}
