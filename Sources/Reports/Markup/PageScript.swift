/// What a page does beyond being read: it tells the values under a pointer or a finger, and sorts tables.
package enum PageScript {
    package static let text: StaticString = """
        "use strict";
        (function () {
          document.documentElement.dataset.height = Math.ceil(document.querySelector("main").getBoundingClientRect().height);
          function minutes(s) { s = Math.round(s); return Math.floor(s / 60) + ":" + String(s % 60).padStart(2, "0"); }
          function clock(s) {
            s = Math.round(s);
            return Math.floor(s / 3600) + ":" + String(Math.floor(s / 60) % 60).padStart(2, "0") + ":" + String(s % 60).padStart(2, "0");
          }
          document.querySelectorAll(".tracks").forEach(function (group) {
            var from = Number(group.dataset.from), to = Number(group.dataset.to);
            var plots = Array.from(group.querySelectorAll("svg[data-values]")).map(function (svg) {
              var line = document.createElementNS("http://www.w3.org/2000/svg", "line");
              line.setAttribute("class", "cursor"); line.setAttribute("y1", "0%"); line.setAttribute("y2", "100%");
              svg.appendChild(line);
              return { svg: svg, line: line, values: svg.dataset.values.split(","), form: svg.dataset.form,
                unit: svg.dataset.unit, output: svg.parentNode.querySelector("output") };
            });
            function clear() {
              plots.forEach(function (p) { p.line.style.display = "none"; p.output.textContent = ""; });
            }
            function point(event) {
              if (!plots.length) { return; }
              var box = plots[0].svg.getBoundingClientRect();
              var at = (event.clientX - box.left) / box.width;
              if (!(at >= 0 && at <= 1)) { return clear(); }
              plots.forEach(function (p) {
                p.line.style.display = "inline";
                p.line.setAttribute("x1", at * 100 + "%"); p.line.setAttribute("x2", at * 100 + "%");
                var text = p.values[Math.min(p.values.length - 1, Math.floor(at * p.values.length))];
                var value = text === "" ? "\\u2013"
                  : p.form === "minutes" ? minutes(Number(text)) : Number(text).toFixed(Number(p.form));
                var where = group.dataset.days ? new Date((from + at * (to - from)) * 1000).toISOString().slice(0, 10) : clock(from + at * (to - from));
                p.output.textContent = value + " " + p.unit + " \\u00b7 " + where;
              });
            }
            clear();
            group.addEventListener("pointermove", point);
            group.addEventListener("pointerdown", point);
            group.addEventListener("pointerleave", clear);
          });
          document.querySelectorAll("table.sortable").forEach(function (table) {
            var heads = Array.from(table.tHead.rows[0].cells), body = table.tBodies[0];
            heads.forEach(function (head, column) {
              function sort() {
                var down = head.getAttribute("aria-sort") === "ascending";
                heads.forEach(function (other) { other.removeAttribute("aria-sort"); });
                head.setAttribute("aria-sort", down ? "descending" : "ascending");
                Array.from(body.rows).sort(function (a, b) {
                  a = a.cells[column]; b = b.cells[column];
                  var x = a.dataset.order, y = b.dataset.order;
                  // What has no number is last, either way.
                  var missing = (x === undefined ? 1 : 0) - (y === undefined ? 1 : 0);
                  if (missing !== 0) { return missing; }
                  var order = x !== undefined ? Number(x) - Number(y) : a.textContent.localeCompare(b.textContent);
                  return down ? -order : order;
                }).forEach(function (row) { body.appendChild(row); });
              }
              head.tabIndex = 0;
              head.addEventListener("click", sort);
              head.addEventListener("keydown", function (event) {
                if (event.key === "Enter" || event.key === " ") { event.preventDefault(); sort(); }
              });
            });
          });
        })();
        """
}
