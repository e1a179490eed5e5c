// Says how long ago each time was, with the person's own time and UTC on hover. Without this script, pages show UTC.
(() => {
  const MINUTE_MS = 60_000;
  const HOUR_MS = 60 * MINUTE_MS;
  const DAY_MS = 24 * HOUR_MS;
  // Later, a date says more than a number of days.
  const LONGEST_MS = 30 * DAY_MS;
  // Within a sentence, a time that is nearer than this needs no date.
  const NEAR_MS = 12 * HOUR_MS;
  const STEPS = [
    [DAY_MS, (count) => `${count} ${count === 1 ? 'day' : 'days'}`],
    [HOUR_MS, (count) => `${count} h`],
    [MINUTE_MS, (count) => `${count} min`],
  ];
  const whole = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
  const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });
  let isOwn = false;

  const since = (at) => {
    const ms = Date.now() - at;
    const distance = Math.abs(ms);
    if (distance > LONGEST_MS) return day.format(at);
    const step = STEPS.find(([length]) => distance >= length);
    if (step === undefined) return ms < 0 ? 'in a moment' : 'just now';
    const [length, textOf] = step;
    const text = textOf(Math.floor(distance / length));
    return ms < 0 ? `in ${text}` : `${text} ago`;
  };

  const show = () => {
    for (const time of document.querySelectorAll('time[datetime]')) {
      const at = new Date(time.dateTime);
      time.dataset.utc ??= time.title;
      // Where the own time is UTC, one of them says it.
      time.title =
        at.getTimezoneOffset() === 0 ? time.dataset.utc : `${whole.format(at)}\n${time.dataset.utc}`;
      time.dataset.text ??= time.textContent;
      const isExact = time.classList.contains('exact');
      const isMoment = time.classList.contains('moment');
      const isClock = time.classList.contains('clock') || (isMoment && Math.abs(Date.now() - at) < NEAR_MS);
      time.textContent = isClock
        ? clock.format(at)
        : isOwn
          ? whole.format(at)
          : isMoment
            ? day.format(at)
            : since(at);
      // A date needs no second date.
      const isNear = Math.abs(Date.now() - at) <= LONGEST_MS;
      if (isExact && !isOwn)
        time.textContent = isNear ? `${since(at)} (${time.dataset.text})` : time.dataset.text;
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
