import AdCore
import WebStage

/// How a browser is started: the program, its arguments and its surroundings, decided before anything is done.
struct LaunchPlan: Hashable, Sendable {
    /// The user that it runs as.
    enum Identity: Hashable, Sendable {
        /// Our own.
        case own
        /// The user `nobody`: a browser has its sandbox only where it does not run as root.
        case nobody
    }

    /// The most memory that each of the browser's processes may have for its data: one that grows faster than
    /// it is monitored ends by itself.
    static let mostMemory = 2 << 30

    /// The most pixels that a point may have in each direction.
    static let mostScale = 4.0

    /// The number of the user `nobody`.
    static let nobody: UInt32 = 65_534

    let arguments: [String]
    let environment: [String: String]
    let identity: Identity
    /// The file with the key to the desktop, of which the browser gets a copy at `keyCopy`; nil where it needs none.
    let desktopKey: String?

    /// Plans a start.
    ///
    /// - Parameters:
    ///   - binary: The program.
    ///   - options: How it is started and used.
    ///   - screen: The screen of the device, in points.
    ///   - profile: The folder that is the browser's own.
    ///   - surroundings: Our environment, of which little is passed on.
    ///   - isRoot: Whether we may do everything.
    ///   - limiter: A program that bounds what the others take, where there is one.
    init(
        _ binary: ChromiumBinary,
        _ options: ChromiumOptions,
        screen: Size,
        profile: String,
        surroundings: [String: String],
        isRoot: Bool,
        limiter: String? = nil
    ) {
        self.identity = isRoot && options.isSandboxed ? .nobody : .own
        var arguments: [String] = []
        if let limiter { arguments += [limiter, "--data=\(LaunchPlan.mostMemory)"] }
        if self.identity == .nobody {
            arguments += [
                "/usr/bin/setpriv", "--reuid=\(LaunchPlan.nobody)", "--regid=\(LaunchPlan.nobody)", "--clear-groups",
                "--no-new-privs", "--inh-caps=-all", "--bounding-set=-all",
            ]
        }
        arguments.append(binary.path)
        if !options.hasWindows { arguments.append("--headless=new") }
        if !options.isSandboxed { arguments.append("--no-sandbox") }
        arguments += ["--remote-debugging-pipe", "--user-data-dir=\(profile)"]
        arguments += LaunchPlan.always
        let features = LaunchPlan.refused.joined(separator: ",")
        arguments.append("--disable-features=\(features)")
        // What is known as no name, and as no address in numbers either, is asked nothing: not by a socket, and not by
        // what only connects ahead, of which the stage sees no request.
        let unknown = options.network == .closed ? ["*"] : PrivateHosts.patterns
        arguments.append("--host-resolver-rules=" + unknown.map { "MAP \($0) ~NOTFOUND" }.joined(separator: ", "))
        let scale = min(max(1, options.scale), LaunchPlan.mostScale)
        if options.hasWindows {
            if scale > 1 { arguments.append("--force-device-scale-factor=\(scale)") }
            // Each creative opens a window of its own.
            arguments.append("--no-startup-window")
        } else {
            // The screen that a page is given does not apply to frames of other sites in it: they see this one.
            let (width, height) = (Int((screen.width * scale).rounded()), Int((screen.height * scale).rounded()))
            arguments.append("--screen-info={\(width)x\(height) devicePixelRatio=\(scale)}")
            // The small browser opens no windows for pages at all; those of others are closed (`Browser`).
            arguments += ["--hide-scrollbars", "--mute-audio", "--block-new-web-contents", "about:blank"]
        }
        self.arguments = arguments

        var environment = [
            "PATH": surroundings["PATH"] ?? "/usr/bin:/bin", "HOME": profile, "TMPDIR": profile, "LANG": "C.UTF-8",
            "XDG_RUNTIME_DIR": profile, "XDG_CONFIG_HOME": profile, "XDG_CACHE_HOME": profile,
            // There is no bus at these addresses, and nothing waits for one.
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=/dev/null", "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/dev/null",
        ]
        if options.hasWindows {
            for name in ["DISPLAY", "WAYLAND_DISPLAY"] { environment[name] = surroundings[name] }
            if let folder = surroundings["XDG_RUNTIME_DIR"], surroundings["WAYLAND_DISPLAY"] != nil {
                environment["XDG_RUNTIME_DIR"] = folder
            }
        }
        if let zone = surroundings["TZ"] { environment["TZ"] = zone }
        // Its home is elsewhere, and ours is not readable for it.
        self.desktopKey =
            options.hasWindows && surroundings["DISPLAY"] != nil
            ? surroundings["XAUTHORITY"] ?? surroundings["HOME"].map { $0 + "/.Xauthority" } : nil
        if self.desktopKey != nil { environment["XAUTHORITY"] = LaunchPlan.keyCopy(profile) }
        self.environment = environment
    }

    /// Where the copy of the key to the desktop is.
    static func keyCopy(_ profile: String) -> String { profile + "/desktop.key" }

    /// Says what is missing where no window can be opened.
    static func checkDesktop(_ surroundings: [String: String]) throws(ChromiumError) {
        #if !canImport(Darwin)
            let names = ["DISPLAY", "WAYLAND_DISPLAY"]
            guard names.allSatisfy({ surroundings[$0, default: ""].isEmpty }) else { return }
            throw .notStarted(
                "there is no desktop to open a window on: neither DISPLAY nor WAYLAND_DISPLAY is set; run this in a "
                    + "desktop session, or under xvfb-run, or let the browser open no window"
            )
        #endif
    }

    /// What every start asks for: no first-run pages, nothing in the background, nothing of the machine's user.
    private static let always = [
        "--no-first-run", "--no-default-browser-check", "--disable-background-networking", "--disable-component-update",
        "--disable-sync", "--disable-default-apps", "--disable-extensions", "--disable-breakpad",
        "--disable-crash-reporter", "--disable-client-side-phishing-detection", "--disable-domain-reliability",
        "--metrics-recording-only", "--no-pings", "--password-store=basic", "--use-mock-keychain",
        "--disable-dev-shm-usage", "--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows",
        "--disable-renderer-backgrounding",
        // Each site is a process of its own: one that hangs or dies takes nothing else with it.
        "--site-per-process",
        // A creative has no sound before a user has pressed it; our own player is evaluated with user activation.
        "--autoplay-policy=document-user-activation-required",
        // WebRTC contacts no other servers for addresses.
        "--webrtc-ip-handling-policy=disable_non_proxied_udp", "--force-webrtc-ip-handling-policy",
    ]
    private static let refused = [
        "Translate", "MediaRouter", "OptimizationHints", "DialMediaRouteProvider", "AcceptCHFrame",
        "AutofillServerCommunication", "InterestFeedContentSuggestions",
        // A process ahead for each context that is thrown away with it unused.
        "SpareRendererForSitePerProcess",
    ]
}
