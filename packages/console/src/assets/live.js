// Refreshes the live counts of a page. Everything works without this script.
(() => {
  const source = document.querySelector('[data-live-source]')?.getAttribute('data-live-source');
  if (!source) return;
  const EVERY_MS = 10_000;

  const refresh = async () => {
    if (document.visibilityState !== 'visible') return;
    const response = await fetch(source, { headers: { accept: 'application/json' }, redirect: 'error' });
    if (!response.ok) return;
    const values = await response.json();
    for (const element of document.querySelectorAll('[data-live-tone]')) {
      const tone = values[element.dataset.liveTone];
      if (tone === undefined) continue;
      element.classList.remove('good', 'calm', 'warn', 'bad');
      element.classList.add(tone);
    }
    for (const [name, text] of Object.entries(values)) {
      for (const element of document.querySelectorAll(`[data-live="${CSS.escape(name)}"]`)) {
        if (element instanceof HTMLProgressElement) element.value = Number(text);
        else if (element.textContent !== text) element.textContent = String(text);
      }
    }
  };

  // A failed refresh leaves the last values. The next one tries again.
  setInterval(() => refresh().catch(() => {}), EVERY_MS);
})();
