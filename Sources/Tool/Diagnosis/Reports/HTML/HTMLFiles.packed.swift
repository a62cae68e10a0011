// SPDX-License-Identifier: Apache-2.0

// Written by Scripts/pack-pages. Don't edit this file. Edit Scripts/pages.
//
// swift-format-ignore-file

/// The style sheet and the script of all pages. Every page's policy contains their digests.
enum HTMLFiles {
    static let style = #"""
:root { color-scheme: light dark; --paper: #f7f7f4; --panel: #ffffff; --raised: #f1f2ef; --ink: #1c2126; --muted: #545d68; --line: #d4d8d4; --edge: #868e96; --link: #0a549e; --focus: #0a64c2; --good: #12622c; --good-back: #e5f3e8; --good-line: #7dba8f; --bad: #a3151f; --bad-back: #fdeaea; --bad-line: #e0898f; --caution: #774700; --caution-back: #fff3d9; --caution-line: #d8ab56; --note: #2d4d6e;
--note-back: #e9f0f8; --note-line: #93b0cf; } @media (prefers-color-scheme: dark) { :root { --paper: #14171a; --panel: #1b1f24; --raised: #252a30; --ink: #e7e9ea; --muted: #a5aeb8; --line: #363c44; --edge: #79828d; --link: #8ec1fa; --focus: #8ec1fa; --good: #86d89d; --good-back: #16301f; --good-line: #3f7a52; --bad: #ffa3a3; --bad-back: #3a191c; --bad-line: #95494e; --caution: #f0c777;
--caution-back: #352a12; --caution-line: #84682c; --note: #a9c8ea; --note-back: #1a2938; --note-line: #45627f; } } *, *::before, *::after { box-sizing: border-box; } html { font: 100%/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; -webkit-text-size-adjust: 100%; } body { margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: anywhere; }
main, .top, footer { max-width: 76rem; margin: 0 auto; padding: 0 1.5rem; } .top { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; justify-content: space-between; align-items: baseline; padding-top: 1rem; } .top p { margin: 0; color: var(--muted); font-size: .9375rem; } .top strong { color: var(--ink); letter-spacing: .01em; margin-right: .4rem; } main { padding-top: 1rem; padding-bottom:
2rem; } footer { color: var(--muted); font-size: .875rem; padding-bottom: 2rem; } footer p { max-width: none; border-top: 1px solid var(--line); padding-top: .75rem; } .skip { position: absolute; left: -100vw; } .skip:focus { left: 1rem; top: .5rem; background: var(--panel); padding: .5rem 1rem; z-index: 2; } :focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius:
3px; } .quiet { color: var(--muted); } .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; } [hidden], .unfound { display: none !important; } @media (prefers-reduced-motion: no-preference) { html:focus-within { scroll-behavior: smooth; } } h1, h2, h3, h4, h5 { line-height: 1.25; margin: 0 0 .5rem; text-wrap: balance; } h1 {
font-size: 1.625rem; letter-spacing: -.01em; } h2 { font-size: 1.25rem; margin-top: 2.25rem; } h3 { font-size: 1.0625rem; margin-top: 1.5rem; } h4, h5 { font-size: 1rem; margin-top: 1.25rem; } p, ul, ol, dl, figure { margin: 0 0 .75rem; } p, li { max-width: 48rem; text-wrap: pretty; } ul, ol { padding-left: 1.375rem; } li + li { margin-top: .25rem; } a { color: var(--link); text-underline-offset:
.15em; } code, pre, .mono { font-family: ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .875em; } code { background: var(--raised); border-radius: 3px; padding: .08em .3em; } pre { background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: .75rem 1rem; overflow-x: auto; overflow-wrap: normal; line-height: 1.45; } pre
code { background: none; padding: 0; font-size: 1em; } bdi { white-space: pre-wrap; } .lead { font-size: 1.0625rem; } time, .whole { white-space: nowrap; } .good { --tone: var(--good); --back: var(--good-back); --rim: var(--good-line); } .bad { --tone: var(--bad); --back: var(--bad-back); --rim: var(--bad-line); } .caution { --tone: var(--caution); --back: var(--caution-back); --rim:
var(--caution-line); } .note { --tone: var(--note); --back: var(--note-back); --rim: var(--note-line); } .banner { display: flex; gap: 1rem; background: var(--back); border: 1px solid var(--rim); border-left: 6px solid var(--tone); border-radius: 8px; padding: 1.125rem 1.25rem; margin-bottom: 1.5rem; } .banner > div { min-width: 0; flex: 1; } .banner h1 { color: var(--tone); } .banner p:last-child
{ margin-bottom: 0; } .banner > .sign { flex: none; width: 2.25rem; height: 2.25rem; border-radius: 50%; background: var(--tone); color: var(--back); font-weight: 700; font-size: 1.25rem; line-height: 2.25rem; text-align: center; } .badge { display: inline-block; background: var(--back); color: var(--tone); border: 1px solid var(--rim); border-radius: 1rem; padding: 0 .625rem 0 .5rem; font-size:
.8125rem; font-weight: 600; line-height: 1.5rem; white-space: nowrap; } .badge .sign { display: inline-block; min-width: .75rem; margin-right: .3125rem; text-align: center; font-weight: 700; } .badge.note { padding-left: .625rem; } .badge.note .sign { display: none; } .tally { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .75rem; } .tally li { margin: 0; min-width: 8rem; flex:
0 1 auto; background: var(--panel); border: 1px solid var(--line); border-top: 4px solid var(--tone, var(--edge)); border-radius: 8px; padding: .625rem 1rem; } .tally strong { display: block; font-size: 1.75rem; line-height: 1.2; color: var(--tone, var(--ink)); font-variant-numeric: tabular-nums; } .tally .zero, .tally .zero strong { color: var(--muted); } .panel { background: var(--panel);
border: 1px solid var(--line); border-radius: 8px; padding: 1rem 1.25rem; margin-bottom: 1rem; } .panel > :last-child { margin-bottom: 0; } .panel > :first-child { margin-top: 0; } .facts { margin: 0 0 .75rem; } .facts > div { display: grid; grid-template-columns: minmax(9rem, 13rem) 1fr; gap: 0 1rem; padding: .3125rem 0; border-top: 1px solid var(--line); } .facts > div:first-child { border-top:
0; } .facts dt { color: var(--muted); font-size: .9375rem; } .facts dd { margin: 0; min-width: 0; } .facts .facts > div { grid-template-columns: 15rem 1fr; } .facts .facts .facts > div { grid-template-columns: 7rem 1fr; } .facts .facts { border-left: 2px solid var(--line); padding-left: .75rem; margin: .25rem 0; } .facts ul { padding-left: 1.125rem; margin: 0; } .card { background: var(--panel);
border: 1px solid var(--line); border-radius: 8px; margin-bottom: .625rem; } .card[class~="good"], .card[class~="bad"], .card[class~="caution"], .card[class~="note"] { border-left: 4px solid var(--tone); } .card > summary { cursor: pointer; padding: .625rem 1rem; border-radius: 8px; } .card > summary:hover { background: var(--raised); } .card[open] > summary { border-bottom: 1px solid var(--line);
border-bottom-left-radius: 0; border-bottom-right-radius: 0; } .card > summary .badge { margin: 0 .375rem; } .inside { padding: .875rem 1rem; } .inside > :first-child { margin-top: 0; } .inside > :last-child { margin-bottom: 0; } .inside > p, .inside li { max-width: none; } .tiles { list-style: none; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%),
1fr)); gap: .75rem; } .tiles > li { margin: 0; max-width: none; display: flex; flex-direction: column; gap: .375rem; background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: .875rem 1rem; } .tiles p { margin: 0; font-size: .9375rem; } .tiles .first { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: .25rem .5rem; font-size:
1rem; } .tiles svg { margin-top: auto; max-width: 100%; } .contents ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; } .contents li { margin: 0; } .around { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .5rem 1.5rem; margin-top: 2rem; } .never { border-left: 4px solid var(--bad); padding-left: 1rem; } .scroll { overflow-x: auto;
margin-bottom: 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--panel); } .scroll:focus-visible { outline-offset: -1px; } table { border-collapse: collapse; width: 100%; font-size: .9375rem; } caption { text-align: left; color: var(--muted); padding: .5rem .75rem; } th, td { text-align: left; vertical-align: top; padding: .5rem .75rem; border-top: 1px solid var(--line); }
th { font-weight: 600; overflow-wrap: break-word; } tbody th { max-width: 26rem; } thead th { border-top: 0; background: var(--raised); color: var(--ink); white-space: nowrap; font-size: .875rem; } td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; } td.date { white-space: nowrap; font-variant-numeric: tabular-nums; } td.name, th.name { min-width:
11rem; } td.words { min-width: 16rem; } td.bar { min-width: 8rem; width: 20%; } .counts thead th:first-child:nth-last-child(7) { width: 34%; } .sorts tbody th { min-width: 10.5rem; overflow-wrap: anywhere; } .sorts td.name { min-width: 7rem; } .sorts td.words { min-width: 11rem; width: 40%; } .sorts td.words code, .sorts td.words code bdi { white-space: normal; overflow-wrap: anywhere; } .part {
display: inline-block; max-width: 100%; } .sorts td { overflow-wrap: break-word; } th code, th code bdi, td code, td code bdi { white-space: nowrap; } tbody tr:hover { background: var(--raised); } thead button { font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: pointer; text-align: inherit; } thead button::after { content: "\2195"; display: inline-block; width: 1em;
margin-left: .25em; color: var(--muted); } [aria-sort="ascending"] button::after { content: "\2191"; color: var(--ink); } [aria-sort="descending"] button::after { content: "\2193"; color: var(--ink); } .filters { border: 0; padding: 0; margin: 0 0 .75rem; display: flex; flex-wrap: wrap; gap: .375rem; align-items: center; min-width: 0; } .filters legend { float: left; padding: 0; margin-right:
.5rem; color: var(--muted); font-size: .9375rem; } .filters label { border: 1px solid var(--edge); border-radius: 1rem; padding: .125rem .75rem; font-size: .9375rem; cursor: pointer; background: var(--panel); } .filters input { position: absolute; opacity: 0; width: 1px; height: 1px; } .filters input:checked + label { background: var(--ink); border-color: var(--ink); color: var(--paper); }
.filters input:focus-visible + label { outline: 3px solid var(--focus); outline-offset: 2px; } .search label { margin-right: .5rem; color: var(--muted); font-size: .9375rem; } .search input { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--edge); border-radius: 6px; padding: .25rem .625rem; width: min(24rem, 100%); } .filters:has(#show-trusted:checked) ~ *
[data-outcome]:not([data-outcome="trusted"]), .filters:has(#show-expiring:checked) ~ * [data-outcome]:not([data-outcome="expiring"]), .filters:has(#show-rejected:checked) ~ * [data-outcome]:not([data-outcome="rejected"]), .filters:has(#show-undecided:checked) ~ * [data-outcome]:not([data-outcome="undecided"]) { display: none; } .hosts > .card { content-visibility: auto; contain-intrinsic-size:
auto 3rem; } svg { display: block; max-width: none; } svg.flow { width: 100%; height: auto; max-width: 760px; margin: auto; } svg text { fill: var(--ink); font-family: inherit; font-size: 13px; } svg .small { font-size: 11px; } svg .quiet { fill: var(--muted); } svg .strong { font-weight: 600; } svg .box { fill: var(--panel); stroke: var(--edge); stroke-width: 1; } svg .box.good, svg .box.bad, svg
.box.caution, svg .box.note { fill: var(--back); stroke: var(--tone); stroke-width: 1.5; } svg text.good, svg text.bad, svg text.caution, svg text.note { fill: var(--tone); } svg .edge { fill: none; stroke: var(--edge); stroke-width: 1.5; } svg .edge.good, svg .edge.bad, svg .edge.caution, svg .edge.note { stroke: var(--tone); stroke-width: 2; } svg .dashed { stroke-dasharray: 5 4; } svg .fill {
fill: var(--edge); } svg .fill.good, svg .fill.bad, svg .fill.caution, svg .fill.note { fill: var(--tone); } svg.bar { width: 100%; min-width: 7rem; height: .875rem; margin-top: .3125rem; border-radius: 3px; } svg.bar.tall { height: 1.75rem; margin: 0 0 1rem; } svg .back { fill: var(--raised); } svg .rule { stroke: var(--line); stroke-width: 1; } svg .gap { fill: none; stroke: var(--panel);
stroke-width: 4; } svg.timeline { min-width: 100%; } .scroll:has(> .dense) { padding: 0 1.25rem; } svg.dense { overflow: visible; } .timeline svg { overflow: visible; } .drawings { display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: flex-start; } .drawings > svg { flex: 1 1 16rem; max-width: 19rem; height: auto; } figcaption { color: var(--muted); font-size: .875rem; flex: 1 1 15rem; }
figcaption ul { list-style: none; padding: .25rem 0 0; margin: 0; } @media screen and (min-width: 60.01rem) { .sorts tbody th { min-width: 17.5rem; } } @media screen and (max-width: 60rem) { .sorts th, .sorts td { padding-left: .5rem; padding-right: .5rem; } .sorts .badge, .sorts td.date { white-space: normal; } } @media screen and (max-width: 80rem) { svg.dense { width: 100%; } .dense .other
.small { display: none; } .dense .fill { x: -9px; width: 18px; } } @media screen and (max-width: 40rem) { table, tbody, tbody th, tbody td { display: block; } thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); } .sorts thead { position: static; display: block; width: auto; height: auto; clip-path: none; background: var(--raised); } .sorts thead tr {
display: flex; flex-wrap: wrap; padding: .375rem .5rem; } .sorts thead th { padding: .25rem .375rem; background: none; } tbody tr { display: grid; grid-template-columns: repeat(auto-fill, minmax(6.25rem, 1fr)); gap: .5rem .75rem; padding: .75rem .875rem; border-top: 1px solid var(--line); } tbody tr:first-child { border-top: 0; } tbody th, tbody td, td.name, td.words, td.bar, .sorts tbody th,
.sorts td.name, .sorts td.words { border: 0; padding: 0; min-width: 0; max-width: none; width: auto; overflow-wrap: anywhere; } tbody th, td:not(.number) { grid-column: 1 / -1; } td.number { text-align: left; } td:empty { display: none; } td[data-label]::before { content: attr(data-label); content: attr(data-label) / ""; display: block; color: var(--muted); font-size: .8125rem; } th code, th code
bdi, td code, td code bdi { white-space: normal; } .drawings > svg { flex: 1 1 100%; max-width: 24rem; } .dense .fill { x: -4px; width: 8px; } .card > summary .badge { margin: 0 .25rem; } } @media (max-width: 40rem) { main, .top, footer { padding-left: 1rem; padding-right: 1rem; } h1 { font-size: 1.375rem; } .banner { gap: .75rem; padding: .875rem; } .banner > .sign { width: 1.75rem; height:
1.75rem; line-height: 1.75rem; font-size: 1rem; } .facts > div, .facts .facts > div, .facts .facts .facts > div { grid-template-columns: 1fr; } .tally li { flex: 1 1 8rem; min-width: 0; } .panel { padding: .875rem; } } @media print { :root { color-scheme: light; --paper: #fff; --panel: #fff; --raised: #f3f3f3; --ink: #000; --muted: #444; --line: #bbb; --edge: #666; --link: #000; --good: #0c4f22;
--good-back: #fff; --good-line: #0c4f22; --bad: #8a0f18; --bad-back: #fff; --bad-line: #8a0f18; --caution: #5f3900; --caution-back: #fff; --caution-line: #5f3900; --note: #24405d; --note-back: #fff; --note-line: #24405d; } @page { margin: 15mm; } html { font-size: 80%; } main, .top, footer { max-width: none; padding-left: 0; padding-right: 0; } .skip, .filters, .search, thead button::after {
display: none; } .scroll { overflow: visible; border: 0; } .banner, .card, .panel, .tiles > li, tr, svg { break-inside: avoid; } .card:has(table, svg, pre) { break-inside: auto; } h2, h3, h4 { break-after: avoid; } pre { white-space: pre-wrap; overflow-wrap: anywhere; } thead { display: table-header-group; } svg { max-width: 100%; } svg:not(.bar, .timeline, .timeline svg) { height: auto; }
.timeline text { font-size: 7px; } .extra > .card:not([open]) { display: none; } details::details-content { content-visibility: visible; block-size: auto; } .hosts > .card { content-visibility: visible; } .hosts > .card:not([open]) { display: none; } }
"""#

    static let script = #"""
(function () {
'use strict';
document.querySelectorAll('table.sorts').forEach(function (table) {
var body = table.tBodies[0], heads = table.tHead.rows[0].cells;
var status = document.getElementById('sort-status');
Array.prototype.forEach.call(heads, function (head, column) {
var kind = head.getAttribute('data-sorts');
if (!kind) { return; }
var words = head.textContent, button = document.createElement('button');
button.type = 'button';
button.textContent = words;
head.textContent = '';
head.appendChild(button);
button.addEventListener('click', function () {
var up = head.getAttribute('aria-sort') !== 'ascending';
Array.prototype.forEach.call(heads, function (other) { other.removeAttribute('aria-sort'); });
head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
var rows = Array.prototype.map.call(body.rows, function (row, place) {
var cell = row.cells[column], text = cell.textContent;
return { row: row, place: place, key: kind === 'number' ? Number(cell.getAttribute('data-order')) : text };
});
var order = kind === 'number' ? function (a, b) { return a.key - b.key; } : new Intl.Collator('en', { numeric: true }).compare;
rows.sort(function (a, b) {
var answer = kind === 'number' ? order(a, b) : order(a.key, b.key);
return (up ? answer : -answer) || a.place - b.place;
});
var sorted = document.createDocumentFragment();
rows.forEach(function (entry) { sorted.appendChild(entry.row); });
body.appendChild(sorted);
if (status) { status.textContent = 'Sorted by ' + words + (up ? ', ascending' : ', descending'); }
});
});
});
document.querySelectorAll('[data-search]').forEach(function (box) {
var field = box.querySelector('input');
box.hidden = false;
field.addEventListener('input', function () {
var wanted = field.value.trim().toLowerCase();
document.querySelectorAll('[data-name]').forEach(function (part) {
part.classList.toggle('unfound', wanted !== '' ? part.getAttribute('data-name').toLowerCase().indexOf(wanted) === -1 : false);
});
});
});
function openTarget() {
var place = location.hash ? document.getElementById(location.hash.slice(1)) : null;
for (var part = place; part; part = part.parentElement) { if (part.tagName.toLowerCase() === 'details') { part.open = true; } }
if (place) { place.scrollIntoView(); }
}
addEventListener('hashchange', openTarget);
openTarget();
})();
"""#
}
