package import AdCore

extension BidRequest {
    /// The device that shows the ad (OpenRTB 2.6 §3.2.18), without what identifies or locates it: see ``Tracking``.
    package struct Device: Hashable, Sendable {
        /// The user agent (`ua`).
        package var userAgent: String?
        /// The type of device (`devicetype`).
        package var type: DeviceType?
        /// The device's make (`make`).
        package var make: String?
        /// The device's model (`model`).
        package var model: String?
        /// The operating system (`os`).
        package var os: String?
        /// The operating system's version (`osv`).
        package var osVersion: String?
        /// The hardware's version (`hwv`).
        package var hardwareVersion: String?
        /// The screen's width in pixels (`w`).
        package var width: Int?
        /// The screen's height in pixels (`h`).
        package var height: Int?
        /// The screen's pixels per inch (`ppi`).
        package var ppi: Int?
        /// The pixels per density-independent pixel (`pxratio`).
        package var pixelRatio: Double?
        /// The language.
        package var language: Language?
        /// The mobile operator (`carrier`).
        package var carrier: String?
        /// The mobile network of the SIM (`mccmnc`).
        package var mobileNetwork: MobileNetwork?
        /// The type of the network connection (`connectiontype`).
        package var connection: ConnectionType?
        /// Whether the browser sends a Do Not Track header (`dnt`).
        ///
        /// If it does, the request contains no identity, whatever the tracking says.
        package var doesNotTrack: Bool?
        /// What the user has answered to the app's question whether it may track (`ext.atts`).
        package var authorization: TrackingAuthorization?

        /// Creates a device; nil leaves a value out of the request.
        package init(userAgent: String? = nil) { self.userAgent = userAgent }
    }

    /// A language; only one of the two fields may be sent (OpenRTB 2.6 §3.2.18).
    package enum Language: Hashable, Sendable {
        /// Two letters of ISO 639-1 (`language`).
        case iso639(String)
        /// A tag of BCP 47 (`langb`), which servers before 2.6 don't know.
        case bcp47(String)

        /// Creates a language from a tag such as `pt-BR`; nil if it is none.
        ///
        /// Its first part is what all servers understand, if it has two letters. Longer ones have no ISO 639-1 code.
        package init?(tag: String) {
            let parts = tag.utf8.split(omittingEmptySubsequences: false) {
                $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
            }
            guard let first = parts.first, (2...8).contains(first.count), first.allSatisfy(\.isASCIILetter),
                tag.utf8.count <= 35,
                parts.allSatisfy({ (1...8).contains($0.count) && $0.allSatisfy { $0.isASCIILetter || $0.isDigit } })
            else { return nil }
            if first.count == 2 {
                self = .iso639(String(decoding: first, as: UTF8.self).lowercased())
            } else {
                self = .bcp47(parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-"))
            }
        }
    }

    /// A mobile network: the codes of its country and of the network itself.
    package struct MobileNetwork: Hashable, Sendable {
        /// The codes with the dash that §3.2.18 requires, as in `310-005`.
        package let text: String

        /// Creates a network; nil unless the country's code has three digits, and the network's two or three.
        package init?(country: String, network: String) {
            guard country.utf8.count == 3, (2...3).contains(network.utf8.count),
                (country + network).utf8.allSatisfy(\.isDigit)
            else { return nil }
            self.text = "\(country)-\(network)"
        }
    }

    /// What identifies or locates the user.
    package struct Identity: Hashable, Sendable {
        /// The advertising identifier (`device.ifa`).
        package var ifa: String?
        /// The exchange's id for the user (`user.id`).
        package var userID: String?
        /// Where the device is (`device.geo`).
        package var geo: Geo?

        /// Creates an identity; nil leaves a value out of the request.
        package init(ifa: String? = nil, userID: String? = nil, geo: Geo? = nil) {
            self.ifa = ifa
            self.userID = userID
            self.geo = geo
        }
    }

    /// Whether the user limits tracking; a user who does has no identity in a request.
    package enum Tracking: Hashable, Sendable {
        /// The user's choice is unknown; `lmt` is left out.
        case unstated(Identity)
        /// The user does not limit tracking (`lmt` 0).
        case unrestricted(Identity)
        /// The user limits tracking (`lmt` 1).
        case limited
    }

    /// Where the device is (OpenRTB 2.6 §3.2.19).
    package struct Geo: Hashable, Sendable {
        /// The position (`lat`, `lon`, `accuracy`).
        package var position: AdContext.Location?
        /// How the location was found (`type`).
        package var type: LocationType
        /// The country, three letters of ISO 3166-1 (`country`).
        package var country: String?
        /// The region's code of ISO 3166-2 (`region`).
        package var region: String?
        /// The city (`city`).
        package var city: String?
        /// The postal code (`zip`).
        package var postalCode: String?
        /// The local time's minutes ahead of UTC (`utcoffset`).
        package var minutesAheadOfUTC: Int?

        /// Creates a location.
        package init(_ position: AdContext.Location? = nil, type: LocationType = .locationServices) {
            self.position = position
            self.type = type
        }
    }
}
