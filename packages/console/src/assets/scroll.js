// Shows the current screen in the navigation of a phone, which is one row that scrolls.
(() => {
  const current = document.querySelector('nav.screens [aria-current]');
  const row = current?.parentElement;
  if (!row) return;
  const show = () => {
    row.scrollLeft = current.offsetLeft - row.offsetLeft - (row.clientWidth - current.offsetWidth) / 2;
  };
  addEventListener('resize', show);
  show();
})();
