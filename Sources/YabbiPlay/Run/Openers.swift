import AdCore
import AdRuntime
import LibC
import PlayConsole
import SystemSupport

/// Opens links with the desktop's command.
struct DesktopOpener: URLOpener {
    /// The command that takes a URL: a name in `PATH`, or a path.
    let command: String

    #if os(Linux)
        static let defaultCommand = "xdg-open"
    #else
        static let defaultCommand = "open"
    #endif

    /// The time after which a command that is still running counts as successful.
    let timeout: Duration

    init(command: String = DesktopOpener.defaultCommand, timeout: Duration = .seconds(3)) {
        self.command = command
        self.timeout = timeout
    }

    func open(_ url: ClickThroughURL, _ mode: LinkOpenMode) async -> Bool {
        let opened = OneShot<Bool>()
        let command = self.command
        // With a desktop, the command passes the link to a browser and exits.
        let hasStarted = DedicatedThread.start("yabbi-opener") { opened.set(DesktopOpener.run(command, url.text)) }
        guard hasStarted else { return false }
        // Without a desktop, it becomes the browser itself and keeps running.
        return await opened.value(within: self.timeout, otherwise: true)
    }

    private static func run(_ command: String, _ address: String) -> Bool {
        guard let process = DetachedProcess.spawn([command, address]) else { return false }
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1, errno == EINTR {}
        return status == 0
    }
}

/// Starts a process that may outlive this one, and inherits nothing but its arguments and the environment.
///
/// An inherited output would keep readers of the command's output waiting and mix foreign lines into it. Inherited
/// sockets would stay open.
private enum DetachedProcess {
    #if canImport(Darwin)
        private static var noActions: posix_spawn_file_actions_t? { nil }
        private static var noAttributes: posix_spawnattr_t? { nil }
        private static let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_CLOEXEC_DEFAULT
    #else
        private static var noActions: posix_spawn_file_actions_t { posix_spawn_file_actions_t() }
        private static var noAttributes: posix_spawnattr_t { posix_spawnattr_t() }
        private static let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    #endif

    static func spawn(_ words: [String]) -> pid_t? {
        guard let command = words.first else { return nil }
        var actions = self.noActions
        guard posix_spawn_file_actions_init(&actions) == 0 else { return nil }
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        self.closeOthersOnExec()

        var attributes = self.noAttributes
        guard posix_spawnattr_init(&attributes) == 0 else { return nil }
        defer { posix_spawnattr_destroy(&attributes) }
        // Reset the signal mask, and the ignored SIGPIPE.
        var none = sigset_t()
        var pipes = sigset_t()
        sigemptyset(&none)
        sigemptyset(&pipes)
        sigaddset(&pipes, SIGPIPE)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &pipes)
        posix_spawnattr_setflags(&attributes, Int16(self.flags))

        var process = pid_t()
        let arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        return posix_spawnp(&process, command, &actions, &attributes, arguments, environ) == 0 ? process : nil
    }

    /// Marks all other descriptors as close-on-exec.
    private static func closeOthersOnExec() {
        #if !canImport(Darwin)
            // The spawn action for this is not visible to Swift on Linux. No child of this process needs the
            // descriptors.
            let most = Int32(clamping: min(max(sysconf(Int32(_SC_OPEN_MAX)), 1024), 65_536))
            for descriptor in (STDERR_FILENO + 1)..<most { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        #endif
    }
}
