internal import Testing

@testable import MillDatabase
@testable import ReceiptReports

@Suite struct SQLTokenizerTests {
    @Test("Tokens are cut as SQLite cuts them, each with its line")
    func tokens() {
        let sql = """
            SELECT "a ""b"", c", [d e] -- :no
              , 'it''s :no
            one', `x`/* ;
            :no */FROM t1$ WHERE n=:from AND m IN(?,?2,@x,$y)||x.é;
            """
        let tokens = SQLTokenizer(sql).map { "\($0.line) \($0.text)" }
        #expect(
            tokens == [
                "1 SELECT", "1 a \"\"b\"\", c", "1 ,", "1 d e", "2 ,", "2 it''s :no\none", "3 ,", "3 x", "4 FROM",
                "4 t1$",
                "4 WHERE", "4 n", "4 =", "4 :from", "4 AND", "4 m", "4 IN", "4 (", "4 ?", "4 ,", "4 ?2", "4 ,", "4 @x",
                "4 ,", "4 $y", "4 )", "4 |", "4 |", "4 x", "4 .", "4 é", "4 ;",
            ])
    }

    @Test("What is not closed reaches to the end", arguments: ["'", "\"", "[", "`", "/*", "--", ":", "'a''", "/*/"])
    func unclosed(text: String) {
        #expect(SQLTokenizer("a \(text)\nb").first { $0.text == "a" } != nil)
        #expect(SQLTokenizer(text).count(where: { _ in true }) <= 1)
    }

    @Test("A name is one in any case, and neither in a comment nor in a longer one")
    func names() {
        func isRead(by sql: String) -> Bool { ModelCatalog.isRead(by: sql) { $0 == "fraud_signals" } }
        #expect(isRead(by: "SELECT n FROM FRAUD_Signals"))
        #expect(!isRead(by: "SELECT n FROM my_fraud_signals -- fraud_signals"))
    }
}
