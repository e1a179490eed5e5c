// The keys of a page: / searches, arrows move between rows, Enter opens a row, x ticks it, . opens its acts, and ? lists
// them. Everything works without this script.
(() => {
  const box = document.querySelector('[data-search-box]');
  const help = document.querySelector('#keys');
  const rows = () => [...document.querySelectorAll('main tbody tr')].filter((row) => row.checkVisibility());
  const rowOf = (target) => target.closest?.('main tbody tr');

  const move = (target, step) => {
    const all = rows();
    const next = all[all.indexOf(rowOf(target)) + step];
    if (next === undefined) return false;
    next.tabIndex = -1;
    next.focus();
    return true;
  };
  const press = (target, selector) => {
    const found = rowOf(target)?.querySelector(selector);
    found?.click();
    return found != null;
  };
  /** Each returns false if there is nothing to do. */
  const ACTS = {
    '/': () => {
      box?.focus();
      box?.select();
    },
    '?': () => {
      help?.togglePopover();
    },
    ArrowDown: (target) => move(target, 1),
    ArrowUp: (target) => move(target, -1),
    Enter: (target) => target.matches?.('tr') === true && press(target, 'a'),
    x: (target) => press(target, 'input[type="checkbox"]'),
    '.': (target) =>
      press(target, '[popovertarget]') && document.querySelector(':popover-open button')?.focus(),
  };

  document.addEventListener('keydown', (event) => {
    const { target, key, ctrlKey, metaKey, altKey } = event;
    // A check box takes no text.
    const isTyping = target.closest?.('input:not([type="checkbox"]), textarea, select, [contenteditable]');
    const isInMenu = target.closest?.('[popover]');
    const act = ACTS[key];
    if (act === undefined || isTyping || isInMenu || ctrlKey || metaKey || altKey) return;
    if (act(target) !== false) event.preventDefault();
  });
})();
