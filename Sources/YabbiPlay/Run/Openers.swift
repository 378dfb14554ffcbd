import AdCore
import AdRuntime
import LibC
import SystemSupport

/// Opens links for real, with the desktop's own command.
struct DesktopOpener: URLOpener {
    /// The command that takes an address: a name on the path, or a path.
    let command: String

    #if os(Linux)
        static let usual = "xdg-open"
    #else
        static let usual = "open"
    #endif

    /// How long a command that does not end is waited for.
    let patience: Duration

    init(command: String = DesktopOpener.usual, patience: Duration = .seconds(3)) {
        self.command = command
        self.patience = patience
    }

    func open(_ url: ClickThroughURL, _ mode: LinkOpenMode) async -> Bool {
        let opened = OneShot<Bool>()
        let command = self.command
        // The desktop's command hands the link on and ends, some sooner and some later.
        let hasStarted = DedicatedThread.start("yabbi-opener") { opened.resolve(DesktopOpener.run(command, url.text)) }
        guard hasStarted else { return false }
        // Without a desktop it becomes the browser itself, and stays as long as the page is looked at.
        let patience = Task {
            try? await Task.sleep(for: self.patience)
            opened.resolve(true)
        }
        defer { patience.cancel() }
        return await opened.value
    }

    private static func run(_ command: String, _ address: String) -> Bool {
        guard let process = DetachedProcess.spawn([command, address]) else { return false }
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1, errno == EINTR {}
        return status == 0
    }
}

/// What a process that outlives this one takes along: nothing but its words and the environment.
///
/// A browser that holds our output keeps whoever reads it waiting, what it has to say would stand between our lines, and
/// our sockets are none of its business.
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
        self.keepOthers()

        var attributes = self.noAttributes
        guard posix_spawnattr_init(&attributes) == 0 else { return nil }
        defer { posix_spawnattr_destroy(&attributes) }
        // What this process blocks or ignores is its own affair.
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

    /// Keeps everything else that is open to this process.
    private static func keepOthers() {
        #if !canImport(Darwin)
            // The spawn action for this is not among those that Swift sees of Linux's C libraries: what is open is
            // marked instead. Nothing that this process starts needs any of it.
            let most = Int32(clamping: min(max(sysconf(Int32(_SC_OPEN_MAX)), 1024), 65_536))
            for descriptor in (STDERR_FILENO + 1)..<most { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        #endif
    }
}
