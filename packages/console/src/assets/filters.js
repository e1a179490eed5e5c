// Disables the fields of a filter that cannot be combined with those that are filled in. Without this script, the answer
// to the form explains it.
(() => {
  for (const form of document.querySelectorAll('form[data-rules]')) {
    const rules = JSON.parse(form.dataset.rules);
    const fieldOf = (name) => form.elements.namedItem(name);
    const isFilled = (name) => (fieldOf(name)?.value ?? '') !== '';
    const apply = () => {
      const disabled = new Map();
      for (const { atMostOne, these = [], need = [], text } of rules) {
        if (atMostOne !== undefined) {
          const isChosen = atMostOne.some(isFilled);
          for (const name of atMostOne) if (isChosen && !isFilled(name)) disabled.set(name, text);
        } else if (!need.some(isFilled)) {
          for (const name of these) if (!isFilled(name)) disabled.set(name, text);
        }
      }
      for (const name of rules.flatMap(({ atMostOne = [], these = [] }) => [...atMostOne, ...these])) {
        const field = fieldOf(name);
        if (field === null) continue;
        field.disabled = disabled.has(name);
        field.title = disabled.get(name) ?? '';
      }
    };
    form.addEventListener('input', apply);
    apply();
  }
})();
