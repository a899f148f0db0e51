/// The style of pages: light and dark, for phones, desktops and paper.
package enum PageStyle {
    static let text: StaticString = """
        :root{--back:#f6f6f4;--card:#fff;--ink:#1b1c1e;--soft:#5d6268;--rule:#d9dbde;--heart:#c8102e;--power:#7a3db8;
        --speed:#0b66c3;--cadence:#0f7b6c;--height:#7b5b2e;--beats:#a3195b;--other:#80868d;--pause:#8883;--sea:#dbe8f1;--land:#f5f2ea;--coast:#9fb2c0;--border:#b3a591;
        --z1:#8fa3b5;--z2:#4a90c2;--z3:#4fa35c;--z4:#d99a1c;--z5:#cf4a3c;--z6:#a12d6f;--z7:#6a2c91;--z8:#4b2a6b;--z9:#2f2347}
        @media (prefers-color-scheme:dark){:root{--back:#121315;--card:#1c1e21;--ink:#ececea;--soft:#a2a8ae;--rule:#383c41;
        --heart:#ff6b7a;--power:#c08cf0;--speed:#64aef5;--cadence:#4fcab6;--height:#cda873;--beats:#f07ab4;--other:#a0a6ad;--sea:#16242f;--land:#2b2c2a;--coast:#4d6577;--border:#6f675b;
        --z1:#70859a;--z2:#4f9fd6;--z3:#5fb86d;--z4:#e5ae3c;--z5:#e8695b;--z6:#cf5a9b;--z7:#a06ad0;--z8:#8a6fb5;--z9:#7d78a8}}
        *{box-sizing:border-box}
        body{margin:0;background:var(--back);color:var(--ink);font:16px/1.45 system-ui,-apple-system,"Segoe UI",sans-serif}
        main{max-width:75rem;margin:0 auto;padding:1rem}
        h1{margin:.2rem 0;font-size:1.7rem}h2{margin:0 0 .6rem;font-size:1.15rem}h3{margin:1rem 0 .3rem;font-size:1rem}
        p{margin:.3rem 0}.headline{font-size:1.15rem;font-weight:600;margin:.5rem 0}a{color:var(--speed)}nav{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem}.soft,figcaption,.reason,footer{color:var(--soft)}
        section{background:var(--card);border-radius:.6rem;padding:1rem;margin:1rem 0}
        .facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(8.5rem,1fr));gap:.8rem;margin:1rem 0}
        .facts div{background:var(--card);border-radius:.6rem;padding:.6rem .8rem}
        .facts dt{color:var(--soft);font-size:.85rem}.facts dd{margin:0;font-size:1.25rem;font-variant-numeric:tabular-nums}
        figure{margin:0 0 1rem}figcaption{display:flex;justify-content:space-between;font-size:.9rem;gap:1rem;margin-bottom:.35rem}
        output{color:var(--ink);font-variant-numeric:tabular-nums}
        svg{display:block;overflow:visible}svg.plot{touch-action:pan-y;overflow:hidden}svg.plot svg{overflow:hidden}
        .frame{display:grid;grid-template-columns:2.6rem minmax(0,1fr);gap:.4rem}.frame.square{max-width:24rem}
        svg.rows{width:100%}.view{overflow-x:auto;overflow-y:hidden;scrollbar-width:thin}.span{width:calc(100%*var(--zoom,1))}
        .zoom{display:flex;gap:.4rem;justify-content:flex-end;margin:0 0 .4rem}.zoom button{font:inherit;font-size:.85rem;
        color:var(--ink);background:var(--back);border:1px solid var(--rule);border-radius:.4rem;padding:.1rem .6rem;cursor:pointer}
        .zoom button:disabled{color:var(--soft);cursor:default}.selection{fill:var(--speed);fill-opacity:.18}
        .here{fill:var(--ink);stroke:var(--card);stroke-width:4}
        svg text{fill:var(--soft);font-size:11px;font-family:inherit;font-variant-numeric:tabular-nums}
        .grid{stroke:var(--rule);stroke-width:1}.lap{stroke:var(--soft);stroke-width:1;stroke-dasharray:2 3}
        .cursor{stroke:var(--ink);stroke-width:1}.rule{fill:none;stroke:var(--rule);stroke-width:1}
        .pause{fill:var(--pause)}
        .line,.dots{fill:none;stroke:var(--ink);stroke-width:1.5;stroke-linejoin:round;stroke-linecap:round}
        .dots{stroke-width:3;stroke-opacity:.55}.fill{fill:var(--soft);fill-opacity:.15;stroke:none}
        .heart{stroke:var(--heart)}.power{stroke:var(--power)}.speed{stroke:var(--speed)}.cadence{stroke:var(--cadence)}
        .height{stroke:var(--height)}.beats{stroke:var(--beats)}.second{stroke:var(--other)}
        .artefact{stroke:var(--z4);stroke-width:5;stroke-opacity:1}
        .band{fill-opacity:.16}.low{fill:var(--z2);fill-opacity:.16}.high{fill:var(--z4);fill-opacity:.16}
        .z1{fill:var(--z1)}.z2{fill:var(--z2)}.z3{fill:var(--z3)}.z4{fill:var(--z4)}.z5{fill:var(--z5)}.z6{fill:var(--z6)}
        .z7{fill:var(--z7)}.z8{fill:var(--z8)}.z9{fill:var(--z9)}
        .bars{stroke:none}.bars.speed{fill:var(--speed)}.key path{stroke-width:3}#missing ul{margin:0;padding-left:1.1rem}
        .search{margin:1rem 0}.search form{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:end;margin:.5rem 0}
        .search label{font-size:.85rem;color:var(--soft)}.search :is(input,select){display:block;width:8.5rem;height:2.1rem;font:inherit;font-size:1rem;color:var(--ink);
        background:var(--card);border:1px solid var(--rule);border-radius:.4rem;padding:.2rem .5rem}.search button{font:inherit;
        color:var(--ink);background:var(--card);border:1px solid var(--rule);border-radius:.4rem;padding:.25rem .8rem;cursor:pointer}
        .rest td{color:var(--soft)}tr:target td{background:var(--back)}.bar{display:block;height:.9rem;border-radius:.2rem;background:currentColor}
        .bar.none{color:var(--rule)}.bar.z1{color:var(--z1)}.bar.z2{color:var(--z2)}.bar.z3{color:var(--z3)}.bar.z4{color:var(--z4)}.bar.z5{color:var(--z5)}
        .bar.z6{color:var(--z6)}.bar.z7{color:var(--z7)}.bar.z8{color:var(--z8)}.bar.z9{color:var(--z9)}
        td.wide{width:45%}
        .scroll{overflow-x:auto}.scroll:focus-visible{outline:2px solid var(--speed)}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;font-size:.92rem}
        caption{text-align:left;color:var(--soft);padding:.2rem 0}
        th,td{text-align:right;padding:.25rem .5rem;border-bottom:1px solid var(--rule);white-space:nowrap}
        th:first-child,td:first-child,th.word,td.word{text-align:left}th,td.word{white-space:normal}td.remark{white-space:normal;text-align:left;color:var(--soft)}
        .sortable th[tabindex]{cursor:pointer;text-decoration:underline dotted}
        th[aria-sort=ascending]::after{content:" \\2191"}th[aria-sort=descending]::after{content:" \\2193"}
        details{font-size:.9rem}summary{color:var(--soft);cursor:pointer}
        .columns-2{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));gap:0 1.5rem}
        .route input{position:absolute;opacity:0}.route label{display:inline-block;padding:.1rem .6rem;margin:0 .3rem .5rem 0;
        border:1px solid var(--rule);border-radius:1rem;font-size:.9rem;cursor:pointer}
        .route input:checked+label{border-color:var(--ink)}.route input:focus-visible+label{outline:2px solid var(--speed)}
        svg.map{width:100%;max-width:44rem;max-height:80vh;overflow:hidden;border-radius:.4rem}
        svg.locator{width:12rem;margin:.4rem 0;overflow:hidden;border-radius:.4rem}.sea{fill:var(--sea)}
        .land{fill:var(--land);stroke:var(--coast);stroke-width:1.5}.lake{stroke:var(--coast);stroke-width:1}
        .border{fill:none;stroke:var(--border);stroke-width:1.5;stroke-dasharray:6 3}.locator .border{stroke-dasharray:none;stroke-width:1}
        .spot{fill:var(--heart);stroke:var(--card);stroke-width:2}
        .casing{fill:none;stroke:var(--card);stroke-opacity:.75;stroke-width:13;stroke-linejoin:round;stroke-linecap:round}.by{display:none}
        .route-heart-rate:checked~svg .by-heart-rate,.route-speed:checked~svg .by-speed,.route-power:checked~svg .by-power,
        .route-elevation:checked~svg .by-elevation{display:inline}
        .route-heart-rate:checked~p.by-heart-rate,.route-speed:checked~p.by-speed,.route-power:checked~p.by-power,
        .route-elevation:checked~p.by-elevation{display:block}
        .way{fill:none;stroke:var(--ink);stroke-width:7;stroke-linejoin:round;stroke-linecap:round}.way.none{stroke:var(--rule)}
        .level-0{stroke:#3b528b;background:#3b528b}.level-1{stroke:#2c728e;background:#2c728e}
        .level-2{stroke:#21918c;background:#21918c}.level-3{stroke:#28ae80;background:#28ae80}
        .level-4{stroke:#5ec962;background:#5ec962}.level-5{stroke:#d3b00e;background:#d3b00e}
        .level-6{stroke:#f08a24;background:#f08a24}.level-7{stroke:#d94801;background:#d94801}
        .legend i{display:inline-block;width:1.4rem;height:.7rem}
        .start{fill:var(--z3);stroke:var(--card);stroke-width:3}.finish{fill:var(--heart);stroke:var(--card);stroke-width:3}
        .scale path{fill:none;stroke:var(--soft);stroke-width:3}svg .scale text{font-size:24px}
        .day{fill:var(--rule);fill-opacity:.45}.d1{fill:var(--speed);fill-opacity:.35}.d2{fill:var(--speed);fill-opacity:.55}
        .d3{fill:var(--speed);fill-opacity:.78}.d4{fill:var(--speed)}
        svg.calendar{width:100%;max-width:62rem}svg.calendar text{font-size:9px}
        .key{display:flex;flex-wrap:wrap;gap:.2rem 1rem;font-size:.9rem;color:var(--soft);margin:.2rem 0}
        .key svg{display:inline-block;width:.8rem;height:.8rem;margin-right:.3rem;overflow:hidden}
        .picture :is(section,footer,details,.reason,.zoom,.route input,.route label){display:none}
        .picture :is(#numbers,#course,#route,#calendar,#volume){display:block}.picture svg.map{max-height:36rem}
        @media (max-width:40rem){.cards thead,.cards td:empty{display:none}.cards tr{display:flex;flex-wrap:wrap;gap:.1rem .9rem;
        padding:.5rem 0;border-bottom:1px solid var(--rule)}.cards td{border:0;padding:0;white-space:normal}.cards td:first-child{flex-basis:100%;font-weight:600}
        .cards td:nth-child(n+3)::before{content:attr(data-label) " ";color:var(--soft)}
        main{padding:.5rem}section{padding:.7rem}svg text.odd{display:none}
        .facts{grid-template-columns:repeat(2,1fr);gap:.5rem}svg .scale text{font-size:40px}th,td{padding:.25rem .3rem}table{font-size:.82rem}
        tr:has(>td.wide) td{white-space:normal}td.wide{min-width:4rem}}
        .route{position:relative}@media (min-width:60rem){svg.locator{position:absolute;right:0;top:2.2rem;margin:0}.columns-2 svg.locator{position:static}}
        @media print{:root{--back:#fff;--card:#fff;--ink:#000;--soft:#444;--rule:#bbb;--heart:#c8102e;--power:#7a3db8;
        --speed:#0b66c3;--cadence:#0f7b6c;--height:#7b5b2e;--beats:#a3195b;--other:#80868d;
        --z1:#8fa3b5;--z2:#4a90c2;--z3:#4fa35c;--z4:#d99a1c;--z5:#cf4a3c}
        body{font-size:8pt;line-height:1.15}main{max-width:none;padding:0}section{padding:0;margin:0 0 .9mm;break-inside:auto}header{margin-bottom:1.2mm}footer{margin-top:.6mm}.facts{break-after:avoid}
        h1{font-size:13pt;margin:0}.headline{font-size:9.5pt;margin:.1rem 0}h2{font-size:10pt;margin:0 0 .4mm}h3{font-size:8.5pt;margin:.5mm 0}
        h1,h2,h3,figcaption,caption,thead{break-after:avoid}p{margin:.3mm 0}caption{padding:.3mm 0}
        figure{margin:0}figcaption{margin:.6mm 0 .4mm}.fold summary{list-style:none;color:inherit}figure,.facts div,tr,p,li{break-inside:avoid}.scroll,.view{overflow:visible}.span{width:100%}
        .facts{display:flex;flex-wrap:wrap;gap:.3mm 5mm;margin:.3mm 0}.facts div{padding:0}.facts dd{font-size:9.5pt}.facts dt{white-space:nowrap}
        .facts dt,.legend,figcaption,footer,table,details,.key{font-size:8pt}footer p{display:inline;margin-right:1em}th,td{padding:0 .8mm}.bar{height:2mm}
        .frame{grid-template-columns:9mm minmax(0,1fr);gap:1mm}.frame:not(.square) svg:is(.plot,.rows){height:12mm}svg.columns{height:14px}
        .tracks{display:grid;grid-template-columns:1fr 1fr;gap:0 7mm}.tracks>figure:first-of-type:nth-last-of-type(odd){grid-column:1/-1}.tracks svg text.odd{display:none}
        svg.map{max-width:66mm;max-height:28mm}.sheet svg.map{max-width:calc(100% - 17mm)}svg .scale text{font-size:48px}svg.locator{position:absolute;right:0;top:0;width:16mm;margin:0}.route .legend i{width:4mm}svg.calendar{max-height:32mm}
        .columns-2{grid-template-columns:1fr 1fr}.frame.square{max-width:58mm}.frame.square svg:is(.plot,.rows){height:50mm}
        .sheet{columns:3;column-gap:5mm}.sheet>:is(header,#course,.tables,footer){column-span:all}.sheet .tables{columns:2;column-gap:5mm}.sheet .tables :is(td,th){padding:0 .5mm}.sheet .scroll{break-inside:avoid}
        .sheet>:is(#zones,#route,#load,#recovery,#power){break-inside:avoid}.sheet #course h2{display:none}.sheet #missing ul{padding-left:3mm}.sheet .tables td:first-child{white-space:normal}
        .sheet #efforts .reason,.sheet #splits dl+.scroll:last-child caption{display:none}.sheet #efforts :is(td,th){padding:0 .4mm}.sheet #zones td.wide{width:100%;min-width:8mm}.sheet #zones :is(td,th){padding:0 .5mm}.sheet :is(#beats .tracks,.columns-2){grid-template-columns:1fr}
        .sheet .frame.square{max-width:46mm}.sheet .frame.square svg:is(.plot,.rows){height:28mm}.sheet #beats .tracks svg:is(.plot,.rows){height:11mm}
        .sheet tr:has(td.remark){display:flex;flex-wrap:wrap;border-bottom:1px solid var(--rule)}.sheet tr:has(td.remark) td{border:0}
        .sheet tr:has(td.remark) td:first-child{flex:1 0 auto}.sheet td.remark:empty{display:none}
        details:not([open]):not(.fold),.route input,.route label,.zoom,nav{display:none}a{color:inherit;text-decoration:none}
        *{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
        """

    /// Returns the class of a zone's colour. Zones above the ninth share its colour.
    package static func zone(_ number: Int) -> StaticString {
        switch number {
        case ...1: "band z1"
        case 2: "band z2"
        case 3: "band z3"
        case 4: "band z4"
        case 5: "band z5"
        case 6: "band z6"
        case 7: "band z7"
        case 8: "band z8"
        default: "band z9"
        }
    }
}
