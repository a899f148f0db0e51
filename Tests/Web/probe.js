// What the checks ask of a page; it goes before each script that they run there.

const shown = (element) =>
  element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && element.getClientRects().length > 0;

// What is kept for screen readers is drawn nowhere.
const forReadersOnly = (element) => {
  for (let e = element; e && e !== document.documentElement; e = e.parentElement) {
    const style = getComputedStyle(e);
    const box = e.getBoundingClientRect();
    if (style.position === "absolute" && style.clip.startsWith("rect(")) return true;
    if (/inset\((50|100)%/.test(style.clipPath)) return true;
    if (style.overflow !== "visible" && box.width <= 1 && box.height <= 1) return true;
  }
  return false;
};

const named = (element) =>
  element.tagName.toLowerCase() + (element.id ? "#" + element.id : "") +
  (typeof element.className === "string" && element.className ? "." + element.className.trim().split(/\s+/).join(".") : "");

const texts = () => {
  const found = [];
  const open = document.querySelector("dialog[open]");
  const walker = document.createTreeWalker(open || document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.data.replace(/\s+/g, " ").trim();
    const element = node.parentElement;
    if (!text || /^(script|style|noscript|option|title|desc)$/i.test(element.tagName)) continue;
    if (!shown(element) || forReadersOnly(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const size = parseFloat(getComputedStyle(element).fontSize);
    for (const box of range.getClientRects()) {
      if (box.width < 1 || box.height < 1) continue;
      // A line's box is taller than its letters.
      const spare = Math.max(0, (box.height - size * 0.72) / 2);
      found.push({ text, element, size, left: box.left, right: box.right, top: box.top + spare, bottom: box.bottom - spare });
    }
  }
  return found;
};

// Ancestors of which the inner is a part of what the outer shows.
const block = (element) => {
  let e = element;
  while (e.parentElement && getComputedStyle(e).display.startsWith("inline")) e = e.parentElement;
  return e;
};

// Sentences on what is cut, overlaps or leaves its place. With `fits`, all of it is to be seen without scrolling.
const layout = (fits) => {
  const faults = [];
  const page = document.documentElement;
  const told = new Set();
  // One sentence a text is enough.
  const say = (sentence, one) => {
    if (faults.length >= 5 || told.has(one)) return;
    told.add(one ?? sentence);
    faults.push(sentence);
  };
  const px = (number) => Math.round(number);
  if (page.scrollWidth > page.clientWidth) {
    const widest = [...document.body.querySelectorAll("*")].filter(shown)
      .reduce((a, b) => (b.getBoundingClientRect().right > a.getBoundingClientRect().right ? b : a), document.body);
    say(`the page scrolls sideways: expected ${page.clientWidth} px at most, seen ${page.scrollWidth} px (${named(widest)})`);
  }
  const all = texts();
  for (const one of all) {
    const what = `"${one.text.slice(0, 40)}" (${named(one.element)})`;
    let canScroll = false;
    let ellipsis = false;
    for (let e = one.element; e && e !== page; e = e.parentElement) {
      const style = getComputedStyle(e);
      const box = e.getBoundingClientRect();
      if (style.overflowX !== "visible" && e !== document.body) {
        if (style.textOverflow === "ellipsis" && !/^[\d:.,\s]+$/.test(one.text)) ellipsis = true;
        if (/auto|scroll/.test(style.overflowX)) canScroll = true;
        else if (!canScroll && !ellipsis && (one.right > box.right + 2 || one.left < box.left - 2))
          say(`${what} is cut: expected within ${px(box.left)}–${px(box.right)} px across, seen ${px(one.left)}–${px(one.right)} px`, one);
      }
      if (style.overflowY !== "visible" && e !== document.body) {
        if (/auto|scroll/.test(style.overflowY)) canScroll = true;
        else if (!canScroll && (one.bottom > box.bottom + 2 || one.top < box.top - 2))
          say(`${what} is cut: expected within ${px(box.top)}–${px(box.bottom)} px down, seen ${px(one.top)}–${px(one.bottom)} px`, one);
      }
    }
    if (!canScroll && !ellipsis && (one.left < -1 || one.right > page.clientWidth + 1))
      say(`${what} leaves the window: expected within 0–${page.clientWidth} px across, seen ${px(one.left)}–${px(one.right)} px`, one);
    if (fits && !canScroll && (one.top < -1 || one.bottom > innerHeight + 1))
      say(`${what} leaves the window: expected within 0–${innerHeight} px down, seen ${px(one.top)}–${px(one.bottom)} px`, one);
    // Big numbers are what the page is for.
    if (one.size >= 32 && /\d/.test(one.text) && !(one.element instanceof SVGElement)) {
      for (const e of [block(one.element), block(one.element).parentElement]) {
        if (!e || e === page) continue;
        const box = e.getBoundingClientRect();
        if (one.left < box.left - 2 || one.right > box.right + 2 || one.top < box.top - 2 || one.bottom > box.bottom + 2)
          say(`the big number ${what} leaves ${named(e)}: expected within ${px(box.left)}–${px(box.right)} × ` +
            `${px(box.top)}–${px(box.bottom)} px, seen ${px(one.left)}–${px(one.right)} × ${px(one.top)}–${px(one.bottom)} px`, one);
      }
    }
  }
  for (let i = 0; i < all.length; i++) {
    for (let j = i + 1; j < all.length; j++) {
      const [a, b] = [all[i], all[j]];
      if (a.element === b.element) continue;
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 2 && down > 2)
        say(`"${a.text.slice(0, 40)}" (${named(a.element)}) and "${b.text.slice(0, 40)}" (${named(b.element)}) overlap ` +
          `by ${px(across)} × ${px(down)} px`, a);
    }
  }
  return faults;
};

// Texts that end in an ellipsis: meant so, but told.
const shortened = () =>
  [...new Set(texts().map((one) => one.element))]
    .filter((e) => getComputedStyle(e).textOverflow === "ellipsis" && e.scrollWidth > e.clientWidth + 1)
    .map((e) => e.textContent.trim().slice(0, 40));

const CONTROLS = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]:not([tabindex='-1'])";

const controls = () => {
  const open = document.querySelector("dialog[open]");
  return [...(open || document).querySelectorAll(CONTROLS)]
    .filter((e) => shown(e) && !e.disabled && e.tabIndex >= 0 && !e.closest("[inert]"));
};

const nameOf = (element) => {
  const by = element.getAttribute("aria-labelledby");
  const told = by && by.split(/\s+/).map((id) => document.getElementById(id)?.textContent || "").join(" ");
  const label = element.labels && element.labels.length ? element.labels[0].textContent : "";
  return (element.getAttribute("aria-label") || told || label || element.textContent || element.title || "")
    .replace(/\s+/g, " ").trim();
};

// A control by a name that stays while its text changes, such as times in a link.
const controlName = (element) =>
  named(element).replace(/\.[^#]*$/, "") + " " + (element.getAttribute("href") || nameOf(element).replace(/\d+/g, "0"));

const button = (pattern) =>
  [...(document.querySelector("dialog[open]") || document).querySelectorAll("button, [role=button], summary")]
    .find((e) => shown(e) && new RegExp(pattern, "i").test(nameOf(e))) || null;

// Where the focus is, and whether one sees it.
const focus = () => {
  const e = document.activeElement;
  if (!document.hasFocus() || !e || e === document.body || e === document.documentElement) return null;
  const style = getComputedStyle(e);
  const seen = (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== "none";
  return { name: controlName(e), seen };
};

// The heart rate is the biggest number there is.
const biggest = () =>
  texts().filter((one) => /^\d{2,3}$/.test(one.text)).reduce((a, b) => (a && a.size >= b.size ? a : b), null)?.text ?? null;

const says = (pattern) => {
  const open = document.querySelector("dialog[open]");
  const found = texts().filter((one) => shown(open || one.element)).map((one) => one.text).join(" ");
  return new RegExp(pattern, "i").exec(found)?.[0] ?? null;
};

// What charts show, as something that can be compared; null for one on which nothing is drawn.
const charts = () => {
  const found = [];
  for (const canvas of document.querySelectorAll("canvas")) {
    if (!shown(canvas) || canvas.width * canvas.height < 2000) continue;
    const blank = document.createElement("canvas");
    blank.width = canvas.width;
    blank.height = canvas.height;
    const drawn = canvas.toDataURL();
    found.push(drawn === blank.toDataURL() ? null : drawn);
  }
  for (const svg of document.querySelectorAll("svg")) {
    const box = svg.getBoundingClientRect();
    if (!shown(svg) || box.width * box.height < 2000) continue;
    const lines = [...svg.querySelectorAll("path, polyline")].map((e) => e.getAttribute("d") || e.getAttribute("points") || "");
    found.push(lines.some((line) => line.length > 20) ? lines.join("|") : null);
  }
  return found;
};

const roles = () => ({
  language: document.documentElement.lang,
  title: document.title,
  mains: [...document.querySelectorAll("main, [role=main]")].filter((e) => !e.closest("[hidden]")).length,
  headings: [...document.querySelectorAll("h1")].filter((e) => !e.closest("[hidden]")).map((e) => e.textContent.trim()),
  nameless: [...document.querySelectorAll("button, a[href], input:not([type=hidden]), select")]
    .filter((e) => shown(e) && !nameOf(e)).map(named),
});
