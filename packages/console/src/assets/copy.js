// Copies ids and secrets.
(() => {
  const SHOWN_MS = 2_000;
  const copy = async (text) => {
    // Browsers offer the clipboard only to secure pages.
    if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
    const field = document.createElement('textarea');
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand('copy');
    field.remove();
  };

  document.addEventListener('click', async ({ target }) => {
    const button = target instanceof Element ? target.closest('button[data-copy]') : null;
    if (button === null) return;
    try {
      await copy(button.dataset.copy);
    } catch {
      return;
    }
    button.classList.add('copied');
    const title = button.title;
    button.title = 'Copied';
    setTimeout(() => {
      button.classList.remove('copied');
      button.title = title;
    }, SHOWN_MS);
  });
  for (const button of document.querySelectorAll('button[data-copy]')) button.hidden = false;
})();
