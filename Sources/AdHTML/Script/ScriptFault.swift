/// What a browser's parser would refuse in a script.
package struct ScriptFault: Error {
    package let place: SourcePlace
    package let message: String

    package init(place: SourcePlace, message: String) {
        self.place = place
        self.message = message
    }
}
