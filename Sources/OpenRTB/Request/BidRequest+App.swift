package import AdCore

extension BidRequest {
    /// The app that shows the ad (OpenRTB 2.6 §3.2.14).
    package struct App: Hashable, Sendable {
        /// The exchange's id for the app (`id`).
        package var id: String?
        /// The app's display name (`name`).
        package var name: String?
        /// The app's id in the app store (`bundle`).
        package var bundle: String?
        /// The app's domain, as in `mygame.example.com` (`domain`).
        package var domain: String?
        /// The app's page in the app store (`storeurl`).
        package var storeURL: HTTPURL?
        /// The app's version (`ver`).
        package var version: String?
        /// What the app is about (`cat`, `cattax`).
        package var categories: Categories?
        /// Who is paid for the ad (`publisher`).
        package var publisher: Publisher

        /// Creates an app with its publisher.
        package init(name: String? = nil, bundle: String? = nil, publisherID: String? = nil) {
            self.name = name
            self.bundle = bundle
            self.publisher = Publisher(id: publisherID)
        }
    }

    /// Who is paid for the ad (OpenRTB 2.6 §3.2.15).
    package struct Publisher: Hashable, Sendable {
        /// The exchange's id for the seller (`id`).
        package var id: String?
        /// The seller's name (`name`).
        package var name: String?
        /// The seller's domain (`domain`).
        package var domain: String?

        /// Creates a publisher.
        package init(id: String? = nil, name: String? = nil, domain: String? = nil) {
            self.id = id
            self.name = name
            self.domain = domain
        }
    }

    /// Categories, which mean nothing without their taxonomy (`cattax`; the default is left out).
    package struct Categories: Hashable, Sendable {
        /// The taxonomy of the ids.
        package var taxonomy: CategoryTaxonomy
        /// The ids of the categories, as in `IAB9-30`.
        package var ids: [String]

        /// Creates categories.
        package init(_ ids: [String], of taxonomy: CategoryTaxonomy = .content10) {
            self.taxonomy = taxonomy
            self.ids = ids
        }
    }

    /// Where the request comes from (OpenRTB 2.6 §3.2.2).
    package struct Source: Hashable, Sendable {
        /// Who makes the final decision about the impression (`fd`).
        package enum Decision: Int, Hashable, Sendable {
            /// The exchange.
            case exchange = 0
            /// Who sends the request, as with header bidding and mediation.
            case upstream = 1
        }

        /// Who makes the final decision (`fd`).
        package var decision: Decision?
        /// The id that all participants have in common (`tid`).
        package var transactionID: String?
        /// Who is paid on the way from the app (`schain`).
        package var supplyChain: SupplyChain?

        /// Creates a source.
        package init(decision: Decision? = nil, transactionID: String? = nil, supplyChain: SupplyChain? = nil) {
            self.decision = decision
            self.transactionID = transactionID
            self.supplyChain = supplyChain
        }
    }
}
