import Testing

@Suite("PostgreSQL")
struct PlaceholderTests {}
