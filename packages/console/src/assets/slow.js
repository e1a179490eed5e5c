// Shows progress when the answer to a form takes longer than a second. Without this script, only the browser shows it.
(() => {
  const AFTER_MS = 1_000;
  const isShown = new Set();
  document.addEventListener('submit', ({ target: form }) => {
    const text = form.dataset.slow;
    if (text === undefined || isShown.has(form)) return;
    // A screen reader says what is written into an element that it knows.
    const status = document.createElement('p');
    status.setAttribute('role', 'status');
    form.after(status);
    isShown.add(form);
    setTimeout(() => status.append(document.createElement('progress'), text), AFTER_MS);
  });
  // The browser may keep this page, and show it again when somebody goes back.
  addEventListener('pageshow', ({ persisted }) => persisted && isShown.size > 0 && location.reload());
})();
