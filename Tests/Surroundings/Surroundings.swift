import YabbiAds
import YabbiTesting

// What the pieces of code in the documentation take for given: compiled with them, from outside the package, and never run.

let endpoint: HTTPURL = given()
let base: HTTPURL = given()
let app: YabbiApp = given()
let services: AdServices = given()
let presenter: any Presenter = given()
let ads: AdLoader<YabbiPlacement> = given()
let ad: Ad = given()
let supportFolder: String = given()
let logFolder: String = given()
let text: String = given()

private func given<Value>() -> Value { preconditionFailure("What a page takes for given is never made.") }
