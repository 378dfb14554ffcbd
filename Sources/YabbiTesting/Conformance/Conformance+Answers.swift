import AdCore
import AdRuntime

/// Whatever a server answers.
extension AdapterConformance {
    /// Where there is no ad, that is said, and is no other failure.
    func emptiness() async -> [Finding] {
        var findings: [Finding] = []
        let answers: [(String, ScriptedTransport.Answer)] =
            [("204", .status(204)), ("an empty body", .status(200))]
            + self.noFill.map { body in
                (self.quote(body), .response(status: 200, headers: [:], body: body))
            }
        for (name, answer) in answers {
            let scene = self.scene { answer }
            let error = await scene.load(scene.ad())
            guard error?.code != .noFill else { continue }
            let what = error.map { "fails with \($0.code)" } ?? "is taken for an ad"
            findings.append(Finding(check: "no fill", problem: "\(name) \(what)"))
        }
        return findings
    }

    /// Servers that refuse, are silent, or are gone: a typed error in time, which says what to do.
    func failures() async -> [Finding] {
        var findings: [Finding] = []
        for status in [400, 401, 403, 404, 500, 503] {
            let scene = self.scene { .status(status) }
            let error = await scene.loadWhileTimePasses(scene.ad())
            if error == nil || error?.code == .noFill || error?.code == .destroyed {
                let what = error.map { "is \($0.code)" } ?? "is taken for an ad"
                findings.append(Finding(check: "status \(status)", problem: what))
            }
            if !scene.keys.isEmpty { findings.append(Finding(check: "status \(status)", problem: "it sent beacons")) }
        }
        let silent = self.scene { .silence }
        let late = await silent.loadWhileTimePasses(silent.ad())
        if late?.code != .timedOut {
            let what = late.map { "ends as \($0.code)" } ?? "is taken for an ad"
            findings.append(Finding(check: "time-out", problem: "a silent server \(what)"))
        }
        let gone = self.scene { .failure(TransportError(.notSent(.refused), "refused")) }
        if await gone.load(gone.ad())?.code != .unreachable {
            findings.append(Finding(check: "no connection", problem: "it is not told as unreachable"))
        }
        return findings
    }

    /// Answers that are damaged at every place: an ad or a typed error, and nothing that runs code.
    func damage() async -> [Finding] {
        var findings: [Finding] = []
        for damage in AnswerDamage.all(of: self.answer) {
            let scene = self.scene { .response(status: 200, headers: [:], body: damage.body) }
            let ad = scene.ad()
            let error = await scene.load(ad)
            if let error {
                if damage.mustLoad {
                    findings.append(Finding(check: damage.name, problem: "it does not load any more: \(error.message)"))
                }
                if error.message.isEmpty {
                    findings.append(Finding(check: damage.name, problem: "it does not say why"))
                }
            } else {
                if await scene.show(ad) == nil { scene.presenter.report(.click(nil, byUser: true)) }
                await scene.clock.settle()
                for link in scene.opener.opened where ["javascript", "data", "file"].contains(link.scheme) {
                    findings.append(Finding(check: damage.name, problem: "it opened \(link.scheme):"))
                }
                if case .card(let card) = ad.offer?.creative, card.disclosure.label.isEmpty || card.headline.isEmpty {
                    findings.append(
                        Finding(check: damage.name, problem: "a card without a disclosure, or without a text")
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
