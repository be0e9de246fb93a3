// What pages gain where scripts run: times of the reader's zone, copying, a word while a search takes its time, and a
// call log that renews itself.
// Everything works without it.
const dayOf = (month) => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month, year: 'numeric' });
const [longDay, shortDay] = [dayOf('long'), dayOf('short')];
const showLocalTimes = (root) => {
  for (const time of root.querySelectorAll('time[data-local]')) {
    const at = new Date(time.dateTime);
    const two = (number) => String(number).padStart(2, '0');
    const minute = `${longDay.format(at)}, ${two(at.getHours())}:${two(at.getMinutes())}`;
    time.title = time.dateTime.replace(/^(.{10})T(.{5}).*$/, '$1 $2 UTC');
    const shown = { day: shortDay.format(at), minute, second: `${minute}:${two(at.getSeconds())}` };
    time.textContent = shown[time.dataset.local];
  }
};
showLocalTimes(document);
for (const zone of document.querySelectorAll('[data-zone]')) {
  zone.textContent = `Times are in ${Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll('_', ' ')}.`;
}

for (const button of document.querySelectorAll('button[data-copy]')) {
  const label = button.innerHTML;
  button.hidden = false;
  button.addEventListener('click', async () => {
    const source = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = 'Copied';
    } catch {
      // Not allowed, or not a secure address: the text is marked, ready for the keyboard.
      const range = document.createRange();
      range.selectNodeContents(source);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      button.textContent = 'Marked: copy with the keyboard';
    }
    setTimeout(() => {
      button.innerHTML = label;
    }, 3000);
  });
}

for (const form of document.querySelectorAll('form[method="get"]')) {
  form.addEventListener('submit', () => {
    // Empty fields would only lengthen the address.
    const empty = [...form.elements].filter((field) => field.name && field.type !== 'checkbox' && field.value === '');
    for (const field of empty) field.disabled = true;
    const button = form.querySelector('button[type="submit"]');
    if (form.dataset.slow && button) {
      button.dataset.label = button.textContent;
      button.textContent = form.dataset.slow;
      form.setAttribute('aria-busy', 'true');
    }
  });
}

// A page that comes back from the browser's history is as it was left: with the form open again.
addEventListener('pageshow', (event) => {
  if (!event.persisted) return;
  for (const form of document.querySelectorAll('form[aria-busy]')) {
    form.removeAttribute('aria-busy');
    const button = form.querySelector('button[type="submit"]');
    if (button?.dataset.label) button.textContent = button.dataset.label;
  }
  for (const field of document.querySelectorAll(':disabled')) field.disabled = false;
});

// A slash leads to the search bar, except where one can be typed.
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest('input, textarea, select, [contenteditable]') !== null) return;
  const bar = document.getElementById('q');
  if (bar === null) return;
  event.preventDefault();
  bar.focus();
  bar.select();
});

// A question mark opens the list of these keys, where the foot of the page leads to it.
addEventListener('keydown', (event) => {
  if (event.key !== '?' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest('input, textarea, select, [contenteditable]') !== null) return;
  document.querySelector('a[data-shortcuts]')?.click();
});

// The call log, while it is watched: its calls are asked for again, for a quarter of an hour at most, not while the page
// is hidden, and not under somebody's focus.
const tail = document.querySelector('[data-tail]');
if (tail !== null) {
  const endMs = Date.now() + 15 * 60_000;
  const state = document.querySelector('[data-tail-state]');
  state.textContent = 'New calls appear here automatically.';
  const timer = setInterval(async () => {
    if (Date.now() > endMs) {
      clearInterval(timer);
      state.textContent = 'No longer watched, after a quarter of an hour. Refresh to go on.';
      return;
    }
    if (document.hidden || tail.contains(document.activeElement)) return;
    const answer = await fetch(location.href).catch(() => null);
    if (answer === null || !answer.ok || answer.redirected) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('[data-tail]');
    if (fresh === null) return;
    showLocalTimes(fresh);
    tail.replaceChildren(...fresh.childNodes);
  }, 3000);
}

for (const button of document.querySelectorAll('button[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => print());
}

// Paper cannot be unfolded: what is folded is printed too, except JSON.
let unfolded = [];
addEventListener('beforeprint', () => {
  unfolded = [...document.querySelectorAll('.record details:not([open])')].filter((each) => !each.closest('.raw'));
  for (const each of unfolded) each.open = true;
});
addEventListener('afterprint', () => {
  for (const each of unfolded) each.open = false;
});

// `j` and `k` go through the records of a page of results, and on the page of a record through the search. Enter opens.
addEventListener('keydown', (event) => {
  if (!['j', 'k'].includes(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest('input, textarea, select, [contenteditable]') !== null) return;
  const rows = [...document.querySelectorAll('#records tbody th a, #records > li > a')];
  const step = event.key === 'j' ? 1 : -1;
  if (rows.length === 0) {
    document.querySelector(`a[data-step="${step > 0 ? 'on' : 'back'}"]`)?.click();
    return;
  }
  const at = rows.findIndex((link) => link.closest('tr, li').contains(document.activeElement));
  rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step))].focus();
});
