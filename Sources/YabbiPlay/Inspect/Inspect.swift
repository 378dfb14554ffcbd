import AdCore
import AdMarkup

/// Takes documents apart: one line or one tree for each input, whatever becomes of the others.
enum Inspect {
    static func run(_ settings: Settings, _ console: any Console) async throws(PlayError) -> ExitCode {
        let transport = try Commands.transport()
        let follower = try Follower(settings, transport)
        let style = Style(isColoured: console.isColoured)
        var failures = 0
        let progress = Progress(inputs: settings, on: console)
        defer { progress?.end() }
        for (index, input) in settings.inputs.enumerated() where console.loss == nil {
            progress?.step(Redaction.address(input))
            let finding = await self.finding(input, settings, follower, transport)
            if finding.isFailure { failures += 1 }
            guard !settings.isJSON else {
                let line: JSON = ["file": .string(Redaction.address(input)), "result": finding.json]
                console.out(line.text())
                continue
            }
            if index > 0 { console.out("") }
            for line in finding.lines(of: Redaction.address(input), style) { console.out(line) }
        }
        progress?.end()
        guard failures > 0 else { return .done }
        // What nobody could read is no verdict.
        guard console.loss == nil else { return .invalidCreative }
        let all = settings.inputs.count
        let which = all == 1 ? Redaction.address(settings.inputs[0]) : "\(failures) of \(all) inputs"
        console.err(
            "yabbi-play: no ad can be made of \(Style.printable(which)); what stands above says why"
        )
        return .invalidCreative
    }

    private static func finding(
        _ input: String,
        _ settings: Settings,
        _ follower: Follower?,
        _ transport: any Transport
    ) async -> Finding {
        do throws(PlayError) {
            let found = try await Source.content(input, settings, by: transport)
            return await Finding(found.bytes, charset: found.charset, from: found.base, following: follower)
        } catch {
            return .unreadable(error.message)
        }
    }
}
