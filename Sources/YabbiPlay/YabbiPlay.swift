@main
struct YabbiPlay {
    static func main() async {}
}
