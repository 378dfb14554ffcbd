package import AdCore
package import AdRuntime
package import PlayConsole
package import PlayText

/// What shows an ad, whatever its stage: the services of a run, and the ad's user and container.
package struct ShowServices: Sendable {
    let console: any Console
    let clock: any AdClock
    let signals: HostSignalSource
    let script: UserScript
    let container: ContainerSize
    /// Whether stages print nothing.
    let isSilent: Bool
    /// The status line and keys; nil if there are none.
    let watcher: (any AdWatcher)?
    /// Called for each message of a page.
    let onPageMessage: @Sendable (AdID, PageMessage) -> Void

    package init(
        _ console: any Console,
        clock: any AdClock,
        signals: HostSignalSource,
        script: UserScript,
        container: ContainerSize,
        isSilent: Bool,
        watcher: (any AdWatcher)? = nil,
        onPageMessage: @escaping @Sendable (AdID, PageMessage) -> Void = { _, _ in }
    ) {
        self.console = console
        self.clock = clock
        self.signals = signals
        self.script = script
        self.container = container
        self.isSilent = isSilent
        self.watcher = watcher
        self.onPageMessage = onPageMessage
    }

    /// Prints a line about the user or the stage.
    func print(_ text: String) { if !self.isSilent { self.console.out("            " + text) } }
}
