// SPDX-License-Identifier: Apache-2.0

// The script of all pages. Pages work without it: tables keep their order, and the browser's search finds hosts.
// Scripts/pack-pages writes it into the program.
//
// The script contains neither a less-than sign nor an ampersand, which keeps a page well-formed as XML. It never turns
// text from the page into markup.

(function () {
'use strict';
// Tables that sort: a button in each heading whose column has an order.
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
// The search field is useless without a script, so that it is hidden until here.
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
// A part that a link leads to opens; so does every part for print.
function openTarget() {
  var place = location.hash ? document.getElementById(location.hash.slice(1)) : null;
  for (var part = place; part; part = part.parentElement) { if (part.tagName.toLowerCase() === 'details') { part.open = true; } }
  if (place) { place.scrollIntoView(); }
}
addEventListener('hashchange', openTarget);
openTarget();
})();
