package import AdCore

extension PageCreative {
    /// The deep link in the page's URL: its query parameter `dp`.
    package var deepLink: String? {
        let query = self.address.target.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst()
        return query.split(separator: "&").first { $0.hasPrefix("dp=") }
            .map { PercentEncoding.decoded($0.dropFirst(3)) }
    }
}
