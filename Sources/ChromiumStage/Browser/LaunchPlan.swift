import AdCore
import EngineSupport
import WebStage

/// How a browser is started: its arguments, environment and user.
struct LaunchPlan: Hashable, Sendable {
    /// The user that the browser runs as.
    enum Identity: Hashable, Sendable {
        /// The user of this process.
        case own
        /// The user `nobody`: Chromium's sandbox does not work as root.
        case nobody
    }

    /// The memory limit of each process, in bytes, for pages that grow faster than `RendererMonitor` checks.
    static let memoryLimit = 2 << 30

    /// The maximum number of pixels per point.
    static let maxScale = 4.0

    let arguments: [String]
    let environment: [String: String]
    let identity: Identity
    /// The X11 authority file, of which the browser gets a copy at `authorityCopy`; nil if it needs none.
    let authorityFile: String?

    /// Plans a start.
    ///
    /// - Parameters:
    ///   - binary: The browser.
    ///   - options: How the browser is started and used.
    ///   - screen: The size of the device's screen, in points.
    ///   - profile: The path of the profile folder.
    ///   - processEnvironment: The environment of this process, of which little is passed on.
    ///   - isRoot: Whether this process runs as root.
    ///   - limiter: The path of `prlimit`; nil if it is not installed.
    init(
        _ binary: ChromiumBinary,
        _ options: ChromiumOptions,
        screen: Size,
        profile: String,
        processEnvironment: [String: String],
        isRoot: Bool,
        limiter: String? = nil
    ) {
        self.identity = isRoot && options.isSandboxed ? .nobody : .own
        var arguments: [String] = []
        if let limiter { arguments += [limiter, "--data=\(LaunchPlan.memoryLimit)"] }
        if self.identity == .nobody { arguments += LaunchPlan.asNobody }
        arguments += [binary.path] + LaunchPlan.switches(options, profile: profile)
        self.arguments = arguments + LaunchPlan.display(options, screen: screen, isShell: binary.isHeadlessShell)
        // The browser has another home folder and may not read this user's.
        self.authorityFile =
            options.hasWindows && processEnvironment["DISPLAY"] != nil
            ? processEnvironment["XAUTHORITY"] ?? processEnvironment["HOME"].map { $0 + "/.Xauthority" } : nil
        var environment = LaunchPlan.environment(options, profile: profile, processEnvironment)
        if self.authorityFile != nil { environment["XAUTHORITY"] = LaunchPlan.authorityCopy(profile) }
        self.environment = environment
    }

    /// The command that runs another one as `nobody`, without any right.
    private static let asNobody = [
        "/usr/bin/setpriv", "--reuid=\(ProfileFolder.nobody)", "--regid=\(ProfileFolder.nobody)", "--clear-groups",
        "--no-new-privs", "--inh-caps=-all", "--bounding-set=-all",
    ]

    /// The browser's arguments, without those of its screen.
    private static func switches(_ options: ChromiumOptions, profile: String) -> [String] {
        var arguments: [String] = []
        if !options.hasWindows { arguments.append("--headless=new") }
        if !options.isSandboxed { arguments.append("--no-sandbox") }
        arguments += ["--remote-debugging-pipe", "--user-data-dir=\(profile)"]
        arguments += self.always
        arguments.append("--disable-features=" + self.refused.joined(separator: ","))
        // The resolver rules also stop WebSockets and preconnects, which are no requests that the stage can hold.
        let unknown = options.network == .closed ? ["*"] : PrivateHosts.patterns
        let rules =
            unknown.map { "MAP \($0) ~NOTFOUND" } + (options.reachesThisComputer ? ["EXCLUDE 127.0.0.1"] : [])
        arguments.append("--host-resolver-rules=" + rules.joined(separator: ", "))
        return arguments
    }

    /// The arguments for windows, or for a screen without any.
    private static func display(_ options: ChromiumOptions, screen: Size, isShell: Bool) -> [String] {
        let scale = min(max(1, options.scale), self.maxScale)
        guard !options.hasWindows else {
            // Each creative has a window of its own.
            return (scale > 1 ? ["--force-device-scale-factor=\(scale)"] : []) + ["--no-startup-window"]
        }
        // Cross-site frames see the browser's screen, not the emulated screen of their page.
        let (width, height) = (Int((screen.width * scale).rounded()), Int((screen.height * scale).rounded()))
        // The headless shell opens no windows for pages; `Browser` closes those of other browsers.
        return [
            "--screen-info={\(width)x\(height) devicePixelRatio=\(scale)}", "--hide-scrollbars", "--mute-audio",
            "--block-new-web-contents",
            // Without an address the headless shell starts with no page, whose process would delay the first ad's.
        ] + (isShell ? [] : ["about:blank"])
    }

    /// The browser's environment: little of this process's own.
    private static func environment(
        _ options: ChromiumOptions,
        profile: String,
        _ processEnvironment: [String: String]
    ) -> [String: String] {
        var environment = [
            "PATH": processEnvironment["PATH"] ?? "/usr/bin:/bin", "HOME": profile, "TMPDIR": profile,
            "LANG": "C.UTF-8",
            "XDG_RUNTIME_DIR": profile, "XDG_CONFIG_HOME": profile, "XDG_CACHE_HOME": profile,
            // There is no message bus at this address, so that the browser does not wait for one.
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=/dev/null", "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/dev/null",
        ]
        if options.hasWindows {
            for name in ["DISPLAY", "WAYLAND_DISPLAY"] { environment[name] = processEnvironment[name] }
            if let folder = processEnvironment["XDG_RUNTIME_DIR"], processEnvironment["WAYLAND_DISPLAY"] != nil {
                environment["XDG_RUNTIME_DIR"] = folder
            }
        }
        if let zone = processEnvironment["TZ"] { environment["TZ"] = zone }
        return environment
    }

    /// The path of the copied X11 authority file.
    static func authorityCopy(_ profile: String) -> String { profile + "/desktop.key" }

    /// Throws if there is no desktop to open a window on.
    static func requireDesktop(_ processEnvironment: [String: String]) throws(ChromiumError) {
        #if !canImport(Darwin)
            let names = ["DISPLAY", "WAYLAND_DISPLAY"]
            guard names.allSatisfy({ processEnvironment[$0, default: ""].isEmpty }) else { return }
            throw .notStarted(
                "there is no desktop to open a window on: neither DISPLAY nor WAYLAND_DISPLAY is set; run this in a "
                    + "desktop session, under xvfb-run, or without a window"
            )
        #endif
    }

    /// The arguments of every start: no first-run pages, no background services, no data of the computer's user.
    private static let always = [
        "--no-first-run", "--no-default-browser-check", "--disable-background-networking", "--disable-component-update",
        "--disable-sync", "--disable-default-apps", "--disable-extensions", "--disable-breakpad",
        "--disable-crash-reporter", "--disable-client-side-phishing-detection", "--disable-domain-reliability",
        "--metrics-recording-only", "--no-pings", "--password-store=basic", "--use-mock-keychain",
        "--disable-dev-shm-usage", "--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows",
        "--disable-renderer-backgrounding",
        // Each site has a process of its own, so that a hang or crash affects no other site.
        "--site-per-process",
        // A creative has no sound before a user's gesture; the host page's player gets user activation from the stage.
        "--autoplay-policy=document-user-activation-required",
        // WebRTC sends no UDP that bypasses the request rules.
        "--webrtc-ip-handling-policy=disable_non_proxied_udp", "--force-webrtc-ip-handling-policy",
    ]
    private static let refused = [
        "Translate", "MediaRouter", "OptimizationHints", "DialMediaRouteProvider", "AcceptCHFrame",
        "AutofillServerCommunication", "InterestFeedContentSuggestions",
        // A spare process for each browser context would be discarded unused.
        "SpareRendererForSitePerProcess",
    ]
}
