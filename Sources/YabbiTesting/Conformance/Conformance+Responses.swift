import AdCore
import AdRuntime

/// The checks of the server's responses.
extension ProviderConformance {
    /// A response without an ad must fail with `noFill`.
    func noFills() async -> [Finding] {
        var findings: [Finding] = []
        let outcomes: [(String, ScriptedTransport.Outcome)] =
            [("204", .status(204)), ("an empty body", .status(200))]
            + self.noFill.map { body in
                (self.quote(body), .response(status: 200, headers: [:], body: body))
            }
        for (name, outcome) in outcomes {
            let scene = self.scene { outcome }
            let error = await scene.load(scene.ad())
            guard error?.code != .noFill else { continue }
            let what = error.map { "fails with \($0.code) instead of noFill" } ?? "loads an ad"
            findings.append(Finding(check: "no fill", problem: "\(name) \(what)"))
        }
        return findings
    }

    /// An error status, a silent server and a refused connection must each fail in time with the right error.
    func failures() async -> [Finding] {
        var findings: [Finding] = []
        for status in [400, 401, 403, 404, 500, 503] {
            let scene = self.scene { .status(status) }
            let error = await scene.loadWhileTimePasses(scene.ad())
            if error == nil || error?.code == .noFill || error?.code == .destroyed {
                let what = error.map { "the load fails with \($0.code)" } ?? "the load succeeds"
                findings.append(Finding(check: "status \(status)", problem: what))
            }
            if !scene.keys.isEmpty { findings.append(Finding(check: "status \(status)", problem: "beacons are sent")) }
        }
        let silent = self.scene { .silence }
        let late = await silent.loadWhileTimePasses(silent.ad())
        if late?.code != .timedOut {
            let what = late.map { "fails with \($0.code)" } ?? "succeeds"
            findings.append(Finding(check: "timeout", problem: "a load from a silent server \(what)"))
        }
        let gone = self.scene { .failure(TransportError(.notSent(.refused), "refused")) }
        if await gone.load(gone.ad())?.code != .unreachable {
            findings.append(Finding(check: "no connection", problem: "the load does not fail with unreachable"))
        }
        return findings
    }

    /// A damaged response must give an ad or an error with a message, and must not open a link that runs code.
    func damage() async -> [Finding] {
        var findings: [Finding] = []
        for damage in ResponseDamage.all(of: self.response) {
            let scene = self.scene { .response(status: 200, headers: [:], body: damage.body) }
            let ad = scene.ad()
            let error = await scene.load(ad)
            if let error {
                if damage.mustLoad {
                    findings.append(Finding(check: damage.name, problem: "no ad is loaded: \(error.message)"))
                }
                if error.message.isEmpty {
                    findings.append(Finding(check: damage.name, problem: "the error has no message"))
                }
            } else {
                if await scene.show(ad) == nil { scene.presenter.report(.click(nil, byUser: true)) }
                await scene.clock.settle()
                for link in scene.opener.opened where ["javascript", "data", "file"].contains(link.scheme) {
                    findings.append(Finding(check: damage.name, problem: "a \(link.scheme): link is opened"))
                }
                if case .card(let card) = ad.offer?.creative, card.disclosure.label.isEmpty || card.headline.isEmpty {
                    findings.append(
                        Finding(check: damage.name, problem: "the card has no disclosure label or no headline")
                    )
                }
            }
            ad.destroy()
            await scene.clock.settle()
        }
        return findings
    }

    private func quote(_ body: [UInt8]) -> String { String(decoding: body.prefix(60), as: UTF8.self) }
}
