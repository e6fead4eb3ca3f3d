internal import ReceiptFormat
internal import Testing

@testable import ReceiptReports

/// Ticks and positions, worked by hand.
@Suite struct ScaleTests {
    @Test(
        "Ticks are multiples of 1, 2 or 5 times a power of ten, and cover the values",
        arguments: [
            ([7.0], true, [0.0, 2, 4, 6, 8]),
            ([3], true, [0, 1, 2, 3]),
            ([1], true, [0, 1]),
            ([0.83], false, [0, 0.5, 1]),
            ([180, 37], true, [0, 50, 100, 150, 200]),
            ([400], true, [0, 100, 200, 300, 400]),
            ([-3, 5], true, [-4, -2, 0, 2, 4, 6]),
            ([], true, [0, 1]),
            ([0], true, [0, 1]),
        ] as [([Double], Bool, [Double])])
    func ticks(values: [Double], isWhole: Bool, expected: [Double]) {
        #expect(LinearScale(covering: values, isWhole: isWhole, from: 0, to: 1).ticks == expected)
    }

    @Test("A value lies between the ends as it lies between the outermost ticks")
    func position() {
        // 0 at 200, 8 at 40: each unit is 20 high.
        let scale = LinearScale(covering: [7], isWhole: true, from: 200, to: 40)
        #expect(scale.position(of: 0) == 200)
        #expect(scale.position(of: 3) == 140)
        #expect(scale.position(of: 8) == 40)
    }

    @Test("The greatest integers have a scale")
    func greatest() {
        let scale = LinearScale(covering: [Double(Int64.max)], isWhole: true, from: 0, to: 1)
        #expect(scale.ticks.last == 1e19)
    }

    @Test("Days and months have numbers, and other texts none")
    func numbers() {
        #expect(CalendarAxis.days.number(of: "1970-01-02") == 1)
        #expect(CalendarAxis.days.number(of: "2024-03-01") == 19_783)
        #expect(CalendarAxis.days.text(of: 19_782) == "2024-02-29")
        #expect(CalendarAxis.months.number(of: "2024-03") == 24_290)
        #expect(CalendarAxis.months.text(of: 24_287) == "2023-12")
        for text in ["", "2024", "2024-13", "2024-3", "x024-01", "-024-01", "2024-01-01"] {
            #expect(CalendarAxis.months.number(of: DocumentText(text)) == nil)
        }
    }

    @Test("Ticks of months stand at round months, those of many years at years")
    func months() {
        let quarter = 24_286.0...24_294.0  // 2023-11 to 2024-07
        #expect(CalendarAxis.months.ticks(in: quarter, atMost: 4).map(\.text) == ["2024-01", "2024-04", "2024-07"])
        let decade = 24_168.0...24_290.0  // 2014-01 to 2024-03
        #expect(
            CalendarAxis.months.ticks(in: decade, atMost: 6).map(\.text)
                == ["2014", "2016", "2018", "2020", "2022", "2024"])
    }

    @Test("Ticks of days stand at first days of months where days would not fit")
    func days() {
        let year = 19_675.0...20_040.0  // 2023-11-14 to 2024-11-13
        let ticks = CalendarAxis.days.ticks(in: year, atMost: 5)
        #expect(ticks.map(\.text) == ["2024-01", "2024-04", "2024-07", "2024-10"])
        #expect(ticks.first?.number == 19_723)
    }

    @Test(
        "Numbers are written for people",
        arguments: [
            (0, false, "0"), (0.25, false, "0.25"), (999, false, "999"), (12_500, false, "12,500"),
            (1_500_000, false, "1.5 M"), (0.125, true, "12.5 %"), (1, true, "100 %"),
        ] as [(Double, Bool, String)])
    func numbers(value: Double, isShare: Bool, expected: String) {
        #expect(ChartText.number(value, isShare: isShare) == expected)
    }

    @Test("Whole numbers in tables are grouped by three digits")
    func groups() {
        let expected = ["0": "0", "999": "999", "1000": "1,000", "-1000": "-1,000", "1234567": "1,234,567"]
        for (digits, text) in expected { #expect(ChartText.grouped(digits) == text) }
    }
}
