// Shows the list of a chooser, filters it, and ticks all of it. Without this script, names are written into a text box.
(() => {
  for (const chooser of document.querySelectorAll('[data-chooser]')) {
    const list = chooser.querySelector('[data-chooser-list]');
    const text = chooser.querySelector('[data-chooser-text]');
    const filter = chooser.querySelector('[data-chooser-filter]');
    if (list === null || text === null || filter === null) continue;
    list.hidden = false;
    // A text stays visible, and so does the box if the list lacks companies.
    const isNeeded = text.hasAttribute('data-chooser-cut');
    text.hidden = !isNeeded && text.querySelector('textarea').value.trim() === '';
    filter.addEventListener('input', () => {
      const wanted = filter.value.trim().toLowerCase();
      for (const item of list.querySelectorAll('li')) {
        item.hidden = !item.textContent.toLowerCase().includes(wanted);
      }
    });
    filter.addEventListener('keydown', (event) => {
      // Enter would send the form before it is complete.
      if (event.key === 'Enter') event.preventDefault();
    });
  }
  for (const button of document.querySelectorAll('button[data-choose-all]')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      const around = button.closest('[data-chooser], form');
      const boxes = [
        ...around.querySelectorAll('li:not([hidden]) input[type="checkbox"], td input[type="checkbox"]'),
      ];
      const isChosen = !boxes.every(({ checked }) => checked);
      for (const box of boxes) box.checked = isChosen;
    });
  }
  for (const button of document.querySelectorAll('button[data-print]')) {
    button.hidden = false;
    button.addEventListener('click', () => window.print());
  }
})();
