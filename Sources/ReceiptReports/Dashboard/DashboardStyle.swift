/// The dashboard's style sheet: colours by the reader's preference, and by
/// class the colours of series, which charts and legends share.
enum DashboardStyle {
    static let text = """
        :root{color-scheme:light dark;--paper:#fff;--ink:#1c2126;--soft:#5c6670;--rule:#dde1e5;--panel:#f6f7f9;\
        --alarm:#b3261e;--s0:#2f6fb5;--s1:#e08a1e;--s2:#2e9a75;--s3:#c0504d;--s4:#8364b8;--s5:#4fa8c5;--s6:#a88b2c;\
        --s7:#d078a8;--rest:#a3abb3}
        @media (prefers-color-scheme:dark){:root{--paper:#15191d;--ink:#e6e9ec;--soft:#9aa5af;--rule:#2f373e;\
        --panel:#1c2227;--alarm:#ff8a80;--s0:#6aa5e3;--s1:#f0a848;--s2:#53c09a;--s3:#e57f7a;--s4:#ab92dd;--s5:#7cc7e0;\
        --s6:#cdb35c;--s7:#e79cc4;--rest:#69737c}}
        *{box-sizing:border-box}
        body{margin:0 auto;max-width:72rem;padding:2rem 1rem;background:var(--paper);color:var(--ink);\
        font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif}
        h1{font-size:1.6rem;line-height:1.2;margin:0}
        header p,.question,.remark,.notes,.missing,footer{color:var(--soft)}
        header p{margin:.25rem 0 1.5rem}
        h2{font-size:1.25rem;margin:3rem 0 1rem;padding-bottom:.3rem;border-bottom:1px solid var(--rule)}
        h3{font-size:1rem;margin:0}
        article{margin:0 0 2.25rem}
        .question{margin:0 0 .75rem;max-width:46rem}
        .missing{background:var(--panel);border-radius:.5rem;padding:.75rem 1rem;margin:.5rem 0}
        .figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(45%,12.5rem),1fr));gap:.75rem;margin:0}
        .figures div{background:var(--panel);border-radius:.5rem;padding:.75rem 1rem}
        .figures dt{color:var(--soft);font-size:.85rem}
        .figures dt::first-letter,th::first-letter{text-transform:uppercase}
        .figures dd{margin:0;font-size:1.7rem;line-height:1.25;font-weight:600;font-variant-numeric:tabular-nums}
        .figures dd.meaning{font-size:.78rem;line-height:1.35;font-weight:400;color:var(--soft);margin-top:.15rem}
        .figures .alarm dd:not(.meaning){color:var(--alarm)}
        .charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,21rem),1fr));gap:1.25rem 1rem}
        figure{margin:0;min-width:0}
        figure.alone{grid-column:1/-1}
        figcaption{font-size:.85rem;font-weight:600;margin:0 0 .35rem;overflow-wrap:anywhere}
        svg{display:block;width:100%;height:auto;overflow:visible}
        svg.wide{display:none}
        @media (min-width:52rem){figure.alone svg.wide{display:block}figure.alone svg.small{display:none}}
        svg text{font-size:12px;fill:var(--soft);font-variant-numeric:tabular-nums}
        svg .unit{font-style:italic}
        .grid{stroke:var(--rule)}
        .axis{stroke:var(--soft)}
        .line{fill:none;stroke:var(--c);stroke-width:2;stroke-linejoin:round;stroke-linecap:round}
        .fill{fill:var(--c)}
        .key{display:inline-block;width:.8em;height:.8em;border-radius:.2em;background:var(--c);margin-right:.4em;\
        print-color-adjust:exact;-webkit-print-color-adjust:exact}
        .legend{display:flex;flex-wrap:wrap;gap:.15rem 1.1rem;list-style:none;margin:0 0 .75rem;padding:0;\
        font-size:.85rem}
        .remark,.notes{font-size:.85rem;margin:.6rem 0}
        .notes{white-space:pre-line}
        details{margin-top:.75rem}
        summary{cursor:pointer;font-size:.85rem;color:var(--soft)}
        .scroll{overflow-x:auto}
        table{border-collapse:collapse;font-size:.85rem;font-variant-numeric:tabular-nums}
        th,td{padding:.25rem .75rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--rule)}
        th:first-child,td:first-child{padding-left:0}
        th{white-space:nowrap}
        .number{text-align:right}
        code{font-size:.9em;overflow-wrap:anywhere}
        footer{border-top:1px solid var(--rule);margin-top:3rem;font-size:.85rem}
        \(series)
        @media print{details::details-content{content-visibility:visible;block-size:auto}:root{color-scheme:light}body{max-width:none;padding:0;font-size:11pt}\
        article,figure,.figures div{break-inside:avoid}h2,h3{break-after:avoid}.scroll{overflow:visible}\
        svg rect,svg path,svg circle{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
        """

    /// Eight colours to tell names apart, and eight shades of one for what
    /// follows in time, the newest strongest.
    private static let series: String = {
        let names = (0..<8).map { ".s\($0){--c:var(--s\($0))}" }
        let shades = (0..<8).map { ".r\($0){--c:color-mix(in oklab,var(--s0) \(30 + $0 * 10)%,var(--paper))}" }
        return (names + shades + [".rest{--c:var(--rest)}"]).joined()
    }()
}
