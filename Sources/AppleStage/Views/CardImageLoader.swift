#if canImport(UIKit)
    import AdCore
    import UIKit

    /// Loads the images of cards: without cookies, without a cache on disk, and at the size at which they are drawn.
    enum CardImageLoader {
        /// An image, or why there is none.
        enum Outcome: Sendable {
            case image(UIImage)
            case failed(FailedRequest)
        }

        private static let session: URLSession = {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpShouldSetCookies = false
            configuration.httpCookieStorage = nil
            configuration.urlCredentialStorage = nil
            configuration.timeoutIntervalForResource = TimeInterval(CardImageRule.timeLimit.components.seconds)
            return URLSession(configuration: configuration)
        }()

        /// Loads an image and decodes it for a size in pixels, outside the main actor; nil if the task was cancelled.
        static func load(_ image: HTTPURL, filling pixels: Size) async -> Outcome? {
            guard let url = URL(string: image.text) else {
                return .failed(CardImageRule.failure(image, "Foundation can't read its URL"))
            }
            do {
                let (data, response) = try await self.session.data(for: URLRequest(url: url))
                let status = (response as? HTTPURLResponse)?.statusCode ?? 0
                let type = response.mimeType
                if let reason = CardImageRule.refusal(status: status, mediaType: type, bytes: data.count) {
                    return .failed(CardImageRule.failure(image, reason))
                }
                guard let whole = UIImage(data: data) else {
                    return .failed(CardImageRule.failure(image, "it can't be decoded"))
                }
                let scale = Double(whole.scale)
                let size = Size(width: Double(whole.size.width) * scale, height: Double(whole.size.height) * scale)
                let small = CardImageRule.thumbnail(of: size, filling: pixels)
                let drawn = await whole.byPreparingThumbnail(ofSize: CGSize(width: small.width, height: small.height))
                return Task.isCancelled ? nil : .image(drawn ?? whole)
            } catch {
                let reason = (error as NSError).localizedDescription
                return Task.isCancelled ? nil : .failed(CardImageRule.failure(image, reason))
            }
        }
    }
#endif
