// Says how long ago a time was, beside its instant in UTC, with the person's own time on hover. Without this script, pages show UTC.
(() => {
  const MINUTE_MS = 60_000;
  const HOUR_MS = 60 * MINUTE_MS;
  const DAY_MS = 24 * HOUR_MS;
  // Later, a date says more than a number of days.
  const LONGEST_MS = 30 * DAY_MS;
  // A time that is nearer than this needs no date.
  const NEAR_MS = 12 * HOUR_MS;
  const STEPS = [
    [DAY_MS, (count) => `${count} ${count === 1 ? 'day' : 'days'}`],
    [HOUR_MS, (count) => `${count} h`],
    [MINUTE_MS, (count) => `${count} min`],
  ];
  const whole = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });
  let isOwn = false;

  const since = (ms) => {
    const distance = Math.abs(ms);
    const step = STEPS.find(([length]) => distance >= length);
    if (step === undefined) return ms < 0 ? 'in a moment' : 'just now';
    const [length, textOf] = step;
    const text = textOf(Math.floor(distance / length));
    return ms < 0 ? `in ${text}` : `${text} ago`;
  };

  // `utc` is what the page says without this script, such as `5 Jan 2026, 09:02 UTC`.
  const textOf = (kind, utc, at) => {
    const ms = Date.now() - at;
    const isNear = Math.abs(ms) < NEAR_MS;
    const [, clock] = utc.split(', ');
    if (kind === 'clock') return utc;
    if (kind === 'moment') return isNear ? clock : utc;
    if (kind === 'exact') return Math.abs(ms) > LONGEST_MS ? utc : `${since(ms)} (${utc})`;
    return isNear ? `${since(ms)}, ${clock}` : utc;
  };

  const show = () => {
    for (const time of document.querySelectorAll('time[datetime]')) {
      const at = new Date(time.dateTime);
      time.dataset.utc ??= time.title;
      time.dataset.text ??= time.textContent;
      const kind = ['clock', 'moment', 'exact'].find((name) => time.classList.contains(name));
      // Where the own time is UTC, one of them says it.
      const own = at.getTimezoneOffset() === 0 ? [] : [whole.format(at)];
      time.title = [since(Date.now() - at), ...own, time.dataset.utc].join('\n');
      time.textContent = isOwn ? whole.format(at) : textOf(kind, time.dataset.text, at);
    }
  };

  // A phone has no hover: a tap or a click shows the person's own time instead.
  document.addEventListener('click', ({ target }) => {
    const time = target instanceof Element ? target.closest('time') : null;
    if (time === null || time.closest('a, button, summary, label') !== null) return;
    isOwn = !isOwn;
    show();
  });
  show();
  setInterval(show, 30_000);
})();
