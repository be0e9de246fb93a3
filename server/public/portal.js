// What pages gain where scripts run: times of the reader's zone, copying, and a word while a search takes its time.
// Everything works without it.
for (const time of document.querySelectorAll('time[data-local]')) {
  const at = new Date(time.dateTime);
  const two = (number) => String(number).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  time.title = time.dateTime.replace(/^(.{10})T(.{5}).*$/, '$1 $2 UTC');
  time.textContent = time.dataset.local === 'day' ? day : `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

for (const button of document.querySelectorAll('button.copy')) {
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
