/** What partners may do besides the four endpoints. API, guides and reference share this value. */
export const SELF_SERVICE = { events: true };

/** How partners reach the operator. The pages, the reference and messages name it. */
export const SUPPORT = { email: 'partners@hiring.example.com' };
