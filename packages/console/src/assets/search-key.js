// The key / moves to the search box. The box works without this script.
(() => {
  const box = document.querySelector('[data-search-box]');
  if (!box) return;
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    box.focus();
    box.select();
  });
})();
