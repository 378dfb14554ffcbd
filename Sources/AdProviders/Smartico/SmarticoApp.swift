public import AdCore

/// The app as Smartico knows it, and where its servers are.
///
/// ```swift
/// let app = SmarticoApp(labelKey: "…", brandKey: nil, id: "com.example.game", version: "1.2.29", deviceID: deviceID)
/// ```
public struct SmarticoApp: Hashable, Sendable {
    /// The label's key, from Smartico.
    public let labelKey: String
    /// The brand's key within the label; nil where the label stands alone.
    public let brandKey: String?
    /// The app's technical name.
    public let id: String
    /// The app's version, as in `1.2.29`.
    public let version: String
    /// This device, by a name that the app keeps.
    public let deviceID: String
    /// What the device is.
    public let agent: SmarticoAgent
    /// Where the user is in the app, as an address or a name.
    public let page: String
    /// Where the socket is, without its query.
    public let socket: SocketURL
    /// Where calls without a socket go.
    public let services: HTTPURL

    /// Where the socket is where nothing else is said.
    public static let standardSocket: SocketURL = {
        guard let url = SocketURL("wss://api.smartico.ai/websocket/services") else {
            preconditionFailure("A literal is no address.")
        }
        return url
    }()

    /// Where calls without a socket go in an environment, as in 2 for `papi2`.
    public static func services(environment: Int) -> HTTPURL {
        guard let url = HTTPURL("https://papi\(max(0, environment)).smartico.ai/services/public") else {
            preconditionFailure("A number makes no bad host.")
        }
        return url
    }

    /// An app.
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

    /// Where the socket is, with what the server wants to know of whoever comes.
    func address() throws(AdError) -> SocketURL {
        guard !self.socket.http.target.contains("?") else {
            throw AdError(.invalidRequest, "the socket's address has a query; give it without")
        }
        let query =
            "?master&domain=\(PercentEncoding.component(self.id))&version=\(PercentEncoding.component(self.version))"
        do throws(HTTPURL.Fault) {
            return SocketURL(try HTTPURL(parsing: self.socket.http.text + query))
        } catch {
            throw AdError(.invalidRequest, "the socket's address can't be used: \(error.reason)")
        }
    }
}

/// What the device is, as Smartico asks for it.
public struct SmarticoAgent: Hashable, Sendable {
    /// A number that knows the device again; nil where there is none.
    public let fingerprint: Int64?
    /// The user agent of a browser; nil where there is none.
    public let userAgent: String?
    /// The domain that the user is on; nil in an app.
    public let host: String?
    /// What kind of device it is.
    public let deviceType: String
    /// The browser's name; nil where there is none.
    public let browser: String?
    /// The operating system.
    public let os: String

    /// What a phone is called.
    public static let phone = "NATIVE_PHONE"
    /// What a tablet is called.
    public static let tablet = "NATIVE_TABLET"

    /// A device.
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

    /// The fields in the order of the protocol, each with what stands before its name.
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

/// Who is logged in.
public struct SmarticoUser: Hashable, Sendable {
    /// The user's id, by the app's own name.
    public let id: String
    /// What proves that it is the user, where the label wants that.
    public let hash: String?

    /// A user.
    public init(id: String, hash: String? = nil) {
        self.id = id
        self.hash = hash
    }
}

/// What the device can be told when the app is not open.
public struct SmarticoPush: Hashable, Sendable {
    /// The kinds of apps that take push notifications.
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

    /// Whether the user takes push notifications.
    public enum Status: Int, Hashable, Sendable, CaseIterable {
        /// Yes.
        case allowed
        /// The user was not asked yet.
        case ask
        /// No.
        case blocked
        /// Not now.
        case suspended
        /// There are none on this device.
        case notSupported
    }

    /// The token; nil where there is none.
    public let token: String?
    /// Whether the user takes them.
    public let status: Status
    /// The kind of app.
    public let platform: Platform

    /// A device.
    public init(token: String?, status: Status = .allowed, platform: Platform) {
        self.token = token
        self.status = status
        self.platform = platform
    }
}
