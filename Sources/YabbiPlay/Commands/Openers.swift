import AdCore
import AdRuntime

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Opens links for real, with the desktop's own command.
struct DesktopOpener: URLOpener {
    func open(_ url: LandingURL, _ mode: OpenMode) async -> Bool {
        let opened = OneShot<Bool>()
        // The desktop's command hands the link on and ends, some sooner and some later.
        let hasStarted = OwnThread.start { opened.resolve(DesktopOpener.run(url.text)) }
        return hasStarted ? await opened.value : false
    }

    private static func run(_ address: String) -> Bool {
        #if os(Linux)
            let command = "xdg-open"
        #else
            let command = "open"
        #endif
        var attributes = posix_spawnattr_t()
        guard posix_spawnattr_init(&attributes) == 0 else { return false }
        defer { posix_spawnattr_destroy(&attributes) }
        // What this process blocks or ignores is none of the browser's business.
        var none = sigset_t()
        var pipes = sigset_t()
        sigemptyset(&none)
        sigemptyset(&pipes)
        sigaddset(&pipes, SIGPIPE)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &pipes)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var process = pid_t()
        let words: [UnsafeMutablePointer<CChar>?] = [strdup(command), strdup(address), nil]
        defer { for word in words { free(word) } }
        guard posix_spawnp(&process, command, nil, &attributes, words, environ) == 0 else { return false }
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1, errno == EINTR {}
        return status == 0
    }
}
