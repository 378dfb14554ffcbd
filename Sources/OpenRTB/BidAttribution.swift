import AdCore

/// Reads what a bid says about the attribution of installs, in `bid.ext` (IAB Tech Lab, OpenRTB extensions *SKAdNetwork*
/// and *AdAttributionKit*, "Bid Response").
struct BidAttribution {
    let attribution: InstallAttribution?
    let issues: [AdIssue]

    init(_ ext: AdJSON?) {
        var fields = LenientFields(ext ?? .null)
        let impressions = BidAttribution.skAdNetwork(&fields)
        let kit = BidAttribution.adAttributionKit(&fields)
        self.attribution = InstallAttribution(impressions[.view], kit, storePage: impressions[.storePage])
        self.issues = fields.issues
    }

    private static func adAttributionKit(_ fields: inout LenientFields) -> AdAttributionKitImpression? {
        let name = "adattributionkit"
        var object = fields.object(name)
        let text = object.text("jwt")
        fields.merge(object)
        guard fields.has(name) else { return nil }
        guard let text, let impression = AdAttributionKitImpression(compactJWS: text.trimmed) else {
            let text = "it has no jwt in the compact form of a JWS, and no install is attributed by it"
            fields.addIssue("adattributionkit.unsigned", name, text)
            return nil
        }
        return impression
    }

    /// What an impression was signed for: it is rendered by the app, or by StoreKit (`fidelity`).
    private enum Fidelity: Int, CaseIterable {
        case view = 0
        case storePage = 1
    }

    private static func skAdNetwork(_ fields: inout LenientFields) -> [Fidelity: SKAdNetworkImpression] {
        var object = fields.object("skadn")
        defer { fields.merge(object) }
        guard fields.has("skadn") else { return [:] }
        let signatures = self.signatures(&object)
        guard !signatures.isEmpty else { return [:] }
        let version = object.identifier("version")
        let network = object.identifier("network")?.lowercased()
        let advertised = self.whole(&object, "itunesitem", in: 1...Int.max)
        let source = self.whole(&object, "sourceapp", in: 0...Int.max)
        let campaign = version.flatMap { self.campaign(&object, of: $0) }
        guard let version, let network, let advertised, let source, let campaign else {
            let text = "version, network, itunesitem, sourceapp or campaign is missing, and no install is attributed"
            fields.addIssue("skadn.incomplete", "skadn", text)
            return [:]
        }
        return signatures.mapValues { signature in
            SKAdNetworkImpression(
                version: version,
                network: network,
                campaign: campaign,
                advertisedApp: advertised,
                sourceApp: source,
                nonce: signature.nonce,
                timestamp: signature.timestamp,
                signature: signature.text
            )
        }
    }

    /// From version 4.0 on `sourceidentifier` is signed, before `campaign`.
    private static func campaign(_ fields: inout LenientFields, of version: String) -> SKAdNetworkImpression.Campaign? {
        let major = version.utf8.split(separator: UInt8(ascii: ".")).first.flatMap {
            Int(String(decoding: $0, as: UTF8.self))
        }
        guard let major else { return nil }
        return major >= 4
            ? self.whole(&fields, "sourceidentifier", in: 0...9999).map { .source($0) }
            : self.whole(&fields, "campaign", in: 1...100).map { .identifier($0) }
    }

    /// A signature, with what only it has.
    private struct Signature {
        let text: String
        let nonce: String
        let timestamp: Int
    }

    /// The signatures, the first one of each fidelity.
    ///
    /// One outside of `fidelities` is from before version 2.2, which requests do not offer.
    private static func signatures(_ fields: inout LenientFields) -> [Fidelity: Signature] {
        var found: [Fidelity: Signature?] = [:]
        for element in fields.value("fidelities")?.array?.prefix(10) ?? [] {
            var signed = LenientFields(element, at: "skadn.fidelities.")
            defer { fields.merge(signed) }
            guard let fidelity = signed.integer("fidelity").flatMap(Fidelity.init), found[fidelity] == nil else {
                continue
            }
            guard let text = signed.identifier("signature"), let nonce = signed.identifier("nonce"),
                let timestamp = self.whole(&signed, "timestamp", in: 1...Int.max)
            else {
                signed.addIssue("skadn.unsigned", "signature", "signature, nonce or timestamp is missing")
                found[fidelity] = .some(nil)
                continue
            }
            found[fidelity] = Signature(text: text, nonce: nonce.lowercased(), timestamp: timestamp)
        }
        if found.isEmpty {
            fields.addIssue("skadn.noSignature", "fidelities", "it has no signature, and no install is attributed")
        }
        return found.compactMapValues(\.self)
    }

    /// A whole number, which the extension writes as a string.
    private static func whole(_ fields: inout LenientFields, _ name: String, in range: ClosedRange<Int>) -> Int? {
        let value: Int?
        switch fields.value(name) {
        case .string(let text)?: value = Int(text.trimmed)
        case .number(let number)?: value = Int(number.text)
        default: value = nil
        }
        guard let value, range.contains(value) else {
            if fields.has(name) { fields.addIssue("\(name).range", name, "it is no number that can be used") }
            return nil
        }
        return value
    }
}
