import AdCore
import LibC
import PlayInspect
import TestSupport
import Testing

@testable import PlayConsole
@testable import YabbiPlay

@Suite("Opening links with the desktop")
struct OpenerTests {
    private func link() throws -> ClickThroughURL { try #require(ClickThroughURL("https://shop.example/?a=1&b=2")) }

    @Test(
        "the browser gets the link, and inherits no files",
        .enabled(if: access("/proc/self/fd", R_OK) == 0, "there is no /proc that lists open files")
    )
    func inheritance() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let script = """
            #!/bin/sh
            echo noise; echo noise >&2
            printf '%s' "$1" > "$0.link"
            ls -l /proc/$$/fd > "$0.files"
            """
        let path = try #require(folder.write(script, "browser"))
        try #require(chmod(path, 0o700) == 0)
        // A pipe, like those that a run has open.
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }

        #expect(await DesktopOpener(command: path).open(try self.link(), .systemBrowser))
        #expect(String(decoding: try FileReading.document(path + ".link"), as: UTF8.self) == (try self.link().text))
        let files = String(decoding: try FileReading.document(path + ".files"), as: UTF8.self)
        #expect(files.split(separator: "\n").count { $0.hasSuffix("-> /dev/null") } == 3, "\(files)")
        #expect(!files.contains("pipe:") && !files.contains("socket:"), "\(files)")
    }

    @Test("a command that keeps running counts as opened")
    func foreground() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let path = try #require(folder.write("#!/bin/sh\nexec sleep 20\n", "browser"))
        try #require(chmod(path, 0o700) == 0)
        let opener = DesktopOpener(command: path, timeout: .milliseconds(50))
        #expect(await opener.open(try self.link(), .systemBrowser))
    }

    @Test("a command that is missing or fails has opened nothing")
    func failures() async throws {
        #expect(await !DesktopOpener(command: "/no/such/browser").open(try self.link(), .systemBrowser))
        #expect(await !DesktopOpener(command: "false").open(try self.link(), .systemBrowser))
    }
}
