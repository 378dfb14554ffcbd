import AdCore

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
        #if os(Linux)
            let command = "xdg-open"
        #else
            let command = "open"
        #endif
        var process = pid_t()
        let words: [UnsafeMutablePointer<CChar>?] = [command, url.text].map { (word: String) in strdup(word) } + [nil]
        defer { for word in words { free(word) } }
        guard posix_spawnp(&process, command, nil, nil, words, environ) == 0 else { return false }
        // The desktop's command hands the link on and ends; its page lives in a process of its own.
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1, errno == EINTR {}
        return status == 0
    }
}
