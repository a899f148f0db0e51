/// The script of a page: it shows the values under a pointer or a finger, zooms charts, and sorts tables.
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
          var language = document.documentElement.dataset;
          function decimal(number, places) {
            var parts = number.toFixed(places).split(".");
            if (parts[0].replace("-", "").length > 4) { parts[0] = parts[0].replace(/\\B(?=([0-9]{3})+$)/g, language.group); }
            return parts.join(language.decimal);
          }
          function day(seconds) {
            var parts = new Date(seconds * 1000).toISOString().slice(0, 10).split("-");
            return language.day.replace("{year}", parts[0]).replace("{mm}", parts[1]).replace("{dd}", parts[2]);
          }
          var svgNames = "http://www.w3.org/2000/svg";
          function made(name, style, parent) {
            var element = document.createElementNS(svgNames, name);
            element.setAttribute("class", style); parent.appendChild(element);
            return element;
          }
          // What is pointed at in one chart is shown in all charts of the same time, and on the route.
          var maps = Array.from(document.querySelectorAll("svg[data-way]")).map(function (svg) {
            var here = made("circle", "here", svg);
            here.setAttribute("r", "13"); here.style.display = "none";
            return { here: here, from: Number(svg.dataset.from), to: Number(svg.dataset.to), way: svg.dataset.way.split(" ") };
          });
          function showOnMaps(seconds) {
            maps.forEach(function (map) {
              var at = seconds === null ? -1 : (seconds - map.from) / (map.to - map.from);
              map.here.style.display = at >= 0 && at <= 1 ? "inline" : "none";
              if (!(at >= 0 && at <= 1)) { return; }
              var place = map.way[Math.round(at * (map.way.length - 1))].split(",");
              map.here.setAttribute("cx", place[0]); map.here.setAttribute("cy", place[1]);
            });
          }
          var axes = {};
          document.querySelectorAll(".tracks").forEach(function (group) {
            var data = group.dataset, name = [data.from, data.to, data.meters].join(" ");
            var axis = axes[name] = axes[name] || { from: Number(data.from), to: Number(data.to), days: data.days,
              meters: Number(data.meters || 0), unit: data.unit, groups: [], zoom: 1 };
            axis.groups.push(group);
          });
          Object.keys(axes).forEach(function (name) {
            var axis = axes[name], length = axis.to - axis.from, mostZoom = Math.max(1, Math.min(20, length / (axis.days ? 1209600 : axis.meters ? 200 : 60)));
            var all = function (selector) { return axis.groups.flatMap(function (g) { return Array.from(g.querySelectorAll(selector)); }); };
            var views = all(".view"), pressed = null;
            var plots = all("svg[data-values]").map(function (svg) {
              var line = made("line", "cursor", svg), box = made("rect", "selection", svg);
              line.setAttribute("y1", "0%"); line.setAttribute("y2", "100%");
              box.setAttribute("y", "0%"); box.setAttribute("height", "100%"); box.style.display = "none";
              return { svg: svg, line: line, box: box, values: svg.dataset.values.split(","), form: svg.dataset.form,
                unit: svg.dataset.unit, output: svg.closest("figure").querySelector("output") };
            });
            if (!plots.length) { return; }
            function clear() {
              pressed = null; showOnMaps(null);
              plots.forEach(function (p) { p.line.style.display = p.box.style.display = "none"; p.output.textContent = ""; });
            }
            function place(event) {
              var plot = event.target.closest("svg.plot") || plots[0].svg, box = plot.getBoundingClientRect();
              return (event.clientX - box.left) / box.width;
            }
            function point(event) {
              var at = place(event);
              if (!(at >= 0 && at <= 1)) { return clear(); }
              plots.forEach(function (p) {
                p.line.style.display = "inline";
                p.line.setAttribute("x1", at * 100 + "%"); p.line.setAttribute("x2", at * 100 + "%");
                var text = p.values[Math.min(p.values.length - 1, Math.floor(at * p.values.length))];
                var value = text === "" ? "\\u2013"
                  : p.form === "minutes" ? minutes(Number(text)) : decimal(Number(text), Number(p.form));
                var where = axis.days ? day(axis.from + at * length)
                  : axis.meters ? decimal((axis.from + at * length) / axis.meters, 2) + " " + axis.unit : clock(axis.from + at * length);
                p.output.textContent = value + " " + p.unit + " \\u00b7 " + where;
                p.box.style.display = pressed === null ? "none" : "inline";
                if (pressed === null) { return; }
                p.box.setAttribute("x", Math.min(at, pressed) * 100 + "%"); p.box.setAttribute("width", Math.abs(at - pressed) * 100 + "%");
              });
              if (!axis.days && !axis.meters) { showOnMaps(axis.from + at * length); }
            }
            // Times below the charts, as close as the zoom has room for; charts of days and of a distance keep theirs.
            var drawnZoom = 1;
            function ticks() {
              if (axis.days || axis.meters || drawnZoom === axis.zoom) { return; }
              drawnZoom = axis.zoom;
              var step = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400].find(function (s) {
                return length / s <= 10 * axis.zoom;
              }) || 86400;
              all(".span").forEach(function (span) {
                var texts = span.querySelector(".columns"), plot = span.querySelector(".plot");
                texts.replaceChildren(); plot.querySelectorAll(".grid.time").forEach(function (line) { line.remove(); });
                for (var s = Math.ceil(axis.from / step) * step, i = 0; s <= axis.to; s += step, i += 1) {
                  var at = (s - axis.from) / length, text = made("text", i % 2 ? "odd" : "", texts), line = made("line", "grid time", plot);
                  text.textContent = s < 3600 ? minutes(s) : clock(s);
                  text.setAttribute("x", at * 100 + "%"); text.setAttribute("y", "13");
                  text.setAttribute("text-anchor", at < 0.02 / axis.zoom ? "start" : at > 1 - 0.03 / axis.zoom ? "end" : "middle");
                  line.setAttribute("x1", at * 100 + "%"); line.setAttribute("x2", at * 100 + "%");
                  line.setAttribute("y1", "0%"); line.setAttribute("y2", "100%");
                  plot.insertBefore(line, plot.querySelector("svg"));
                }
              });
            }
            var buttons = [];
            // The part that begins at a fraction of the time.
            function show(zoom, start) {
              axis.zoom = Math.min(Math.max(zoom, 1), mostZoom);
              axis.groups.forEach(function (g) { g.style.setProperty("--zoom", axis.zoom); });
              ticks();
              views.forEach(function (v) {
                if (axis.zoom > 1) { v.tabIndex = 0; } else { v.removeAttribute("tabindex"); }
                v.scrollLeft = start * v.scrollWidth;
              });
              buttons.forEach(function (b) { b.disabled = b.step > 1 ? axis.zoom >= mostZoom : axis.zoom <= 1; });
            }
            axis.groups.forEach(function (group) {
              group.addEventListener("pointermove", point);
              group.addEventListener("pointerdown", function (event) {
                if (event.pointerType === "mouse" && event.button === 0 && event.target.closest("svg.plot")) {
                  pressed = place(event); event.preventDefault();
                }
                point(event);
              });
              group.addEventListener("pointerup", function (event) {
                var from = pressed, to = place(event);
                clear();
                if (from !== null && Math.abs(to - from) * axis.zoom > 0.02) { show(1 / Math.abs(to - from), Math.min(from, to)); }
              });
              group.addEventListener("pointerleave", clear);
            });
            views.forEach(function (view) {
              view.addEventListener("scroll", function () {
                views.forEach(function (v) { if (v.scrollLeft !== view.scrollLeft) { v.scrollLeft = view.scrollLeft; } });
              });
            });
            if (mostZoom > 1) {
              var bar = document.createElement("div");
              bar.className = "zoom";
              language.zoom.split("|").map(function (word, index) { return [word, [2, 0.5, 0][index]]; }).forEach(function (entry) {
                var button = document.createElement("button");
                button.type = "button"; button.textContent = entry[0]; button.step = entry[1];
                button.addEventListener("click", function () {
                  var view = views[0], middle = (view.scrollLeft + view.clientWidth / 2) / view.scrollWidth;
                  var zoom = Math.min(axis.zoom * entry[1], mostZoom);
                  show(zoom, Math.max(0, middle - 0.5 / Math.max(zoom, 1)));
                });
                buttons.push(button); bar.appendChild(button);
              });
              axis.groups[0].prepend(bar);
            }
            clear(); show(1, 0);
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
