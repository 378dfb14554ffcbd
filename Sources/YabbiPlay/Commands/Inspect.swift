import AdCore
import AdMarkup

/// Takes documents apart: one line or one tree for each input, whatever becomes of the others.
enum Inspect {
    static func run(_ settings: Settings, _ console: any Console) async throws(PlayError) -> ExitCode {
        let transport = try Commands.transport()
        let style = Style(isColoured: console.isColoured)
        var failures = 0
        for (index, input) in settings.inputs.enumerated() where console.loss == nil {
            let outcome = await self.read(input, settings, by: transport)
            if case .failure = outcome { failures += 1 }
            guard !settings.isJSON else {
                let line: JSON = ["file": .string(input), "result": VASTJSON.result(outcome)]
                console.out(line.text())
                continue
            }
            if index > 0 { console.out("") }
            for line in VASTText.lines(outcome, of: input, style) { console.out(line) }
        }
        guard failures > 0 else { return .done }
        let all = settings.inputs.count
        let which = all == 1 ? settings.inputs[0] : "\(failures) of \(all) inputs"
        console.err("yabbi-play: \(Style.printable(which)) could not be read as VAST; what stands above says why")
        return .invalidCreative
    }

    private static func read(
        _ input: String,
        _ settings: Settings,
        by transport: any Transport
    ) async -> Result<VASTDocument, VASTError> {
        let bytes: [UInt8]
        do throws(PlayError) { bytes = try await Source.bytes(input, settings, by: transport) } catch {
            return .failure(VASTError(100, error.message))
        }
        do throws(VASTError) {
            return .success(try VASTDocument(parsing: bytes))
        } catch {
            return .failure(error)
        }
    }
}
