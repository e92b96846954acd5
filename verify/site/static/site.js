"use strict";
// Search, filters, graph and copy buttons. Every page can be read without them.

function addCopyButtons() {
  for (const button of document.querySelectorAll("button.copy")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const text = document.getElementById(button.dataset.copy).textContent;
      let done = true;
      try {
        await navigator.clipboard.writeText(text);
      } catch {
        done = copyBySelection(text);
      }
      button.textContent = done ? "Copied" : "Select and copy by hand";
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
  }
}

function copyBySelection(text) {
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}

function openTarget() {
  // What a link leads to may stand in a closed part of the page.
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let node = target; node; node = node.parentElement) {
    if (node.tagName === "DETAILS") node.open = true;
  }
  target.scrollIntoView();
}

function addGraph() {
  const graph = document.querySelector("svg.graph");
  const panel = document.getElementById("step-panel");
  if (!graph || !panel) return;
  const light = (anchor) => {
    for (const path of graph.querySelectorAll("path")) {
      path.classList.toggle("lit", path.dataset.from === anchor || path.dataset.to === anchor);
    }
  };
  for (const link of graph.querySelectorAll("a")) {
    const anchor = link.getAttribute("href").slice(1);
    link.addEventListener("mouseenter", () => light(anchor));
    link.addEventListener("focus", () => light(anchor));
    link.addEventListener("click", (event) => {
      event.preventDefault();
      for (const other of graph.querySelectorAll("a.chosen")) other.classList.remove("chosen");
      link.classList.add("chosen");
      light(anchor);
      panel.replaceChildren(...[...document.getElementById(anchor).childNodes].map((node) => node.cloneNode(true)));
      panel.hidden = false;
    });
  }
}

function addFilters() {
  const table = document.getElementById("table");
  if (!table) return;
  const form = document.getElementById("search");
  const query = document.getElementById("query");
  const found = document.getElementById("found");
  const clear = document.getElementById("clear");
  const rows = [...table.tBodies[0].rows];
  const links = [...document.querySelectorAll("a[data-facet]")];
  const facets = [...new Set(links.map((link) => link.dataset.facet))];
  const words = window.boundcheckClaims || {};
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());

  const state = () => {
    const given = new URLSearchParams(location.hash.slice(1));
    const known = {};
    for (const name of [...facets, "q"]) if (given.has(name)) known[name] = given.get(name);
    return known;
  };
  const hash = (known) => {
    const text = new URLSearchParams(known).toString().replaceAll("+", "%20");
    return text ? `#${text}` : "#claims";
  };
  const show = () => {
    const known = state();
    const wanted = (known.q || "").toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const row of rows) {
      const text = `${row.dataset.id} ${row.textContent} ${words[row.dataset.id] || ""}`.toLowerCase();
      const fits = facets.every((name) => !(name in known) || row.dataset[name] === known[name])
        && wanted.every((word) => text.includes(word));
      row.hidden = !fits;
      count += fits;
    }
    found.textContent = count === rows.length ? `${count} claims` : `${count} of ${rows.length} claims`;
    clear.hidden = Object.keys(known).length === 0;
    for (const link of links) {
      const { facet, value } = link.dataset;
      const active = known[facet] === value;
      const next = { ...known };
      if (active) delete next[facet]; else next[facet] = value;
      link.href = hash(next);
      if (active) link.setAttribute("aria-current", "true"); else link.removeAttribute("aria-current");
    }
    if (document.activeElement !== query) query.value = known.q || "";
  };
  query.addEventListener("input", () => {
    const known = state();
    if (query.value.trim()) known.q = query.value; else delete known.q;
    history.replaceState(null, "", hash(known));
    show();
  });
  const toTable = () => document.getElementById("claims").scrollIntoView();
  for (const link of document.querySelectorAll(".glance a[href^='#']")) {
    link.addEventListener("click", () => setTimeout(toTable));
  }
  addEventListener("hashchange", show);
  addEventListener("keydown", (event) => {
    if (event.key === "/" && !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) {
      event.preventDefault();
      query.focus();
    }
  });
  show();
  if (Object.keys(state()).length) toTable();
}

addCopyButtons();
addGraph();
addFilters();
openTarget();
addEventListener("hashchange", openTarget);
